"""The audit: what holds, what does not, what nobody could judge, and what is no longer checked."""

import json
from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator

from runwright.errors import ReaderError, RunwrightError, UnknownFormat, UnknownVersion
from runwright.reports import AuditReport, RunReport, audit_of, read_report, render_audit_text, render_json
from runwright.reports.model import (
    AgentReport,
    CassetteReport,
    ControlReport,
    FlowReport,
    JudgementReport,
    Problem,
    WordName,
)
from runwright.reports.saved import parse_report
from runwright.trace import schema
from tests.reports.cases import HOSTILE, flow, report

ONE, TWO = "assert_tool_call: issue_refund 1 time", "assert: reply contains refunded"


def checked(
    word: WordName = "PASS", *, id: str | None = "no-double-refund", file: str = "flows/a.flow.yaml", **fields: object
) -> FlowReport:
    """A flow that ran, with two assertions that held unless said otherwise."""
    given: dict[str, object] = {
        "file": file,
        "path": f"/home/somebody/{file}",
        "name": "a refund",
        "control": ControlReport(id=id, title="one refund only") if id else None,
        "assertions": (ONE, TWO),
        "judgements": judged(),
        "cassette": CassetteReport(file="cassettes/a.jsonl", digest="blake3:" + "ab" * 32),
        "matched": ("m1", "m2"),
        "agent": AgentReport(exit_code=0, ended="exited"),
    }
    return flow(word, **{**given, **fields})


def judged(one: str = "held", two: str = "held") -> tuple[JudgementReport, ...]:
    return (JudgementReport(assertion=ONE, state=one), JudgementReport(assertion=TWO, state=two))  # type: ignore[arg-type]


def unread(file: str = "flows/a.flow.yaml") -> FlowReport:
    """A flow that could not even be read: it may have named any control."""
    return checked("INVALID", id=None, file=file, assertions=None, judgements=(), matched=(), agent=None, cassette=None)


def refused(**fields: object) -> FlowReport:
    """A flow that was read and could not run."""
    given = {"judgements": (), "matched": (), "agent": None, "summary": "UNVERIFIED, there is no cassette"}
    return checked("UNVERIFIED", **{**given, **fields})


def since(before: RunReport, now: RunReport) -> AuditReport:
    return audit_of(now, before)


def lost(audit: AuditReport) -> list[tuple[str, str]]:
    assert audit.since is not None
    return [(loss.kind, loss.detail) for loss in audit.since.lost]


def kinds(audit: AuditReport) -> list[str]:
    return [kind for kind, _ in lost(audit)]


def told_as_changed(audit: AuditReport) -> list[str]:
    assert audit.since is not None
    return list(audit.since.changed)


GREEN = report(checked())
FAILED = checked("FAIL", judgements=judged("failed"))


# --- the controls ----------------------------------------------------------------------------------


def test_a_control_that_holds() -> None:
    audit = audit_of(GREEN)
    (control,) = audit.controls
    assert (audit.exit, control.id, control.title, control.verdict) == (
        0,
        "no-double-refund",
        "one refund only",
        "holds",
    )
    assert (control.flow, control.reason) == ("flows/a.flow.yaml", "PASS")
    evidence = control.evidence
    assert (evidence.cassette, evidence.matched, evidence.held) == ("blake3:" + "ab" * 32, 2, 2)
    assert (evidence.failed, evidence.not_judged, evidence.never_compared) == ((), (), ())


def test_a_control_that_fails() -> None:
    audit = audit_of(report(FAILED, checked(id="other", file="flows/b.flow.yaml")))
    assert (audit.exit, [each.verdict for each in audit.controls]) == (1, ["fails", "holds"])
    assert audit.controls[0].evidence.failed == (ONE,)


def test_a_failure_that_is_expected_passes_and_the_control_still_fails() -> None:
    known = checked("PASS", summary="PASS, fails as expected: ...", judgements=judged("failed"))
    audit = audit_of(report(known))
    assert (audit.exit, audit.controls[0].verdict) == (1, "fails")


@pytest.mark.parametrize("word", ["UNVERIFIED", "STALE", "CAPABILITY", "INVALID"])
def test_a_control_that_could_not_be_judged(word: WordName) -> None:
    audit = audit_of(report(checked(word), checked(id="other", file="flows/b.flow.yaml")))
    assert (audit.exit, audit.controls[0].verdict) == (2, "not_judged")
    assert [problem.message for problem in audit.problems] == ["control no-double-refund could not be judged"]


def test_a_recording_that_checks_itself_judges_no_control() -> None:
    alone = checked("PASS", summary="PASS, of its own recording only", agent=None)
    assert (audit_of(report(alone)).exit, audit_of(report(alone)).controls[0].verdict) == (2, "not_judged")


def test_two_beats_one() -> None:
    audit = audit_of(report(FAILED, refused(id="other", file="flows/b.flow.yaml")))
    assert (audit.exit, [each.verdict for each in audit.controls]) == (2, ["fails", "not_judged"])


def test_what_was_not_judged_and_never_compared_is_told() -> None:
    partial = checked(judgements=judged("held", "unverified"), not_judged=("m3",), never_compared=("$.request.tools",))
    evidence = audit_of(report(partial)).controls[0].evidence
    assert (evidence.held, evidence.not_judged, evidence.never_compared) == (1, (TWO, "m3"), ("$.request.tools",))
    assert audit_of(report(refused())).controls[0].evidence.not_judged == (ONE, TWO)


def test_no_control_and_no_flow_are_no_pass() -> None:
    audit = audit_of(report(checked(id=None)))
    assert (audit.exit, audit.without_control, audit.controls) == (2, 1, ())
    assert [problem.message for problem in audit.problems] == ["no flow names a control: nothing was audited"]
    assert audit_of(report()).exit == 2


def test_flows_without_a_control_are_counted_and_do_not_decide() -> None:
    audit = audit_of(report(checked(), checked("FAIL", id=None, file="flows/b.flow.yaml")))
    assert (audit.exit, audit.without_control) == (0, 1)


def test_one_id_is_one_control() -> None:
    audit = audit_of(report(checked(), checked(file="flows/b.flow.yaml")))
    assert audit.exit == 2
    assert [problem.message for problem in audit.problems] == ["2 flows have the control id 'no-double-refund'"]
    said = Problem(message="2 flows have the control id 'no-double-refund'")
    assert len(audit_of(report(checked(), checked(file="flows/b.flow.yaml"), problems=(said,))).problems) == 1


def test_a_flow_that_cannot_be_read_may_guard_anything() -> None:
    audit = audit_of(report(checked(), unread("flows/b.flow.yaml")))
    assert audit.exit == 2
    assert [problem.place for problem in audit.problems] == ["flows/b.flow.yaml"]


def test_a_problem_of_the_suite_is_one_of_the_audit() -> None:
    audit = audit_of(report(checked(), problems=(Problem(message="a proposal waits for a person"),)))
    assert (audit.exit, len(audit.problems)) == (2, 1)


def test_an_interrupted_run_keeps_what_it_found() -> None:
    audit = audit_of(report(checked(), interrupted=True), GREEN)
    assert (audit.exit, len(audit.controls)) == (130, 1)


# --- since -----------------------------------------------------------------------------------------


def test_nothing_lost_is_nothing_said() -> None:
    audit = since(GREEN, GREEN)
    assert (audit.exit, lost(audit)) == (0, [])
    assert audit.since is not None
    assert (audit.since.changed, audit.since.started_at) == ((), GREEN.started_at)


def test_more_than_before_is_no_loss() -> None:
    third = "assert_no_tool_call: delete_customer"
    more = checked(assertions=(ONE, TWO, third), judgements=(*judged(), JudgementReport(assertion=third, state="held")))
    audit = since(GREEN, report(more, checked(id="other", file="flows/b.flow.yaml")))
    assert (audit.exit, lost(audit)) == (0, [])
    assert audit.since is not None
    assert audit.since.changed == (
        f"flows/a.flow.yaml: new assertion: {third}",
        "flows/b.flow.yaml: new flow",
        "flows/b.flow.yaml: new control other",
    )


def test_an_assertion_that_was_deleted() -> None:
    audit = since(GREEN, report(checked(assertions=(ONE,), judgements=judged()[:1])))
    assert (audit.exit, lost(audit)) == (1, [("assertion_vanished", TWO)])


def test_one_of_two_equal_assertions_that_was_deleted() -> None:
    twice = report(checked(assertions=(ONE, ONE), judgements=judged()[:1] * 2))
    once = report(checked(assertions=(ONE,), judgements=judged()[:1]))
    assert (since(twice, once).exit, lost(since(twice, once))) == (1, [("assertion_vanished", ONE)])


def test_an_assertion_that_was_weakened_is_gone_and_a_new_one_there() -> None:
    weaker = TWO.replace("refunded", "refund")
    now = checked(assertions=(ONE, weaker), judgements=(*judged()[:1], JudgementReport(assertion=weaker, state="held")))
    audit = since(GREEN, report(now))
    assert (audit.exit, lost(audit)) == (1, [("assertion_vanished", TWO)])
    assert audit.since is not None
    assert audit.since.changed == (f"flows/a.flow.yaml: new assertion: {weaker}",)


def test_an_assertion_deleted_from_a_flow_without_a_control() -> None:
    other = {"id": "other", "file": "flows/b.flow.yaml"}
    before = report(checked(id=None), checked(**other))
    now = report(checked(id=None, assertions=(ONE,), judgements=judged()[:1]), checked(**other))
    assert (since(before, now).exit, kinds(since(before, now))) == (1, ["assertion_vanished"])


def test_an_assertion_deleted_from_a_flow_that_could_not_run_then() -> None:
    now = report(checked(assertions=(ONE,), judgements=judged()[:1]))
    assert kinds(since(report(refused()), now)) == ["assertion_vanished"]


def test_an_assertion_that_is_still_there_and_no_longer_judged() -> None:
    now = report(checked(judgements=judged("held", "unverified")))
    assert (since(GREEN, now).exit, lost(since(GREEN, now))) == (1, [("assertion_not_judged", TWO)])
    assert kinds(since(now, now)) == []


def test_a_flow_that_was_deleted() -> None:
    before = report(checked(), checked(id=None, file="flows/b.flow.yaml"))
    assert (since(before, GREEN).exit, kinds(since(before, GREEN))) == (1, ["flow_vanished"])


def test_a_control_that_was_deleted_with_its_flow() -> None:
    before = report(checked(), checked(id="other", file="flows/b.flow.yaml"))
    assert (since(before, GREEN).exit, kinds(since(before, GREEN))) == (1, ["control_vanished", "flow_vanished"])


def test_the_last_control_that_was_deleted() -> None:
    audit = since(GREEN, report(checked(id=None)))
    assert (audit.exit, kinds(audit), audit.problems) == (1, ["control_vanished"], ())


def test_a_suite_that_was_deleted() -> None:
    empty = report(problems=(Problem(message="no flow found", place="flows"),))
    assert (since(GREEN, empty).exit, kinds(since(GREEN, empty))) == (1, ["control_vanished", "flow_vanished"])
    assert audit_of(empty, empty).exit == 2


def test_a_control_that_got_another_id() -> None:
    audit = since(GREEN, report(checked(id="one-refund")))
    assert (audit.exit, lost(audit)) == (1, [("control_vanished", "its flow no longer names it")])


def test_a_flow_that_was_renamed_keeps_its_control() -> None:
    audit = since(GREEN, report(checked(file="flows/payments/refund.flow.yaml")))
    assert (audit.exit, lost(audit)) == (0, [])
    assert audit.since is not None
    assert audit.since.changed == ("flows/payments/refund.flow.yaml: was flows/a.flow.yaml",)


def test_an_assertion_deleted_under_cover_of_a_new_name() -> None:
    now = checked(file="flows/b.flow.yaml", assertions=(ONE,), judgements=judged()[:1])
    assert kinds(since(GREEN, report(now))) == ["assertion_vanished"]


def test_a_control_moved_to_another_flow_does_not_hide_what_its_flow_checked() -> None:
    """The control is now named by a flow that was there before: both flows are compared with something."""
    before = report(checked(), checked(id=None, file="flows/b.flow.yaml", assertions=(ONE,), judgements=judged()[:1]))
    now = report(checked(file="flows/b.flow.yaml", assertions=(ONE,), judgements=judged()[:1]))
    assert (since(before, now).exit, kinds(since(before, now))) == (1, ["assertion_vanished", "flow_vanished"])


def test_of_two_flows_with_one_control_each_is_compared_with_its_own_file() -> None:
    first, second = checked(file="flows/a.flow.yaml"), checked(file="flows/b.flow.yaml", assertions=(ONE,))
    second = msgspec.structs.replace(second, judgements=judged()[:1])
    audit = since(report(first, second), report(second, first))
    assert lost(audit) == []
    assert told_as_changed(audit) == []


def test_another_checkout_of_the_repository_is_the_same_flow() -> None:
    there = report(checked(id=None, path="C:/work/flows/a.flow.yaml"), checked(id="x", file="flows/b.flow.yaml"))
    here = report(checked(id=None, path="a.flow.yaml"), checked(id="x", file="flows/b.flow.yaml"))
    assert (since(there, here).exit, lost(since(there, here))) == (0, [])


@pytest.mark.parametrize("id", ["no-double-refund", None])
def test_a_verdict_that_got_worse(id: str | None) -> None:
    guard = checked(id="other", file="flows/b.flow.yaml")
    before, now = report(checked(id=id), guard), report(checked("FAIL", id=id, judgements=judged("failed")), guard)
    assert (since(before, now).exit, kinds(since(before, now))) == (1, ["verdict_worse"])
    assert kinds(since(now, before)) == []


def test_a_failure_that_is_now_expected_is_no_better_and_a_pass_that_is_one_is_worse() -> None:
    expected = report(checked("PASS", judgements=judged("failed")))
    assert kinds(since(report(FAILED), expected)) == []
    assert kinds(since(GREEN, expected)) == ["verdict_worse"]
    assert since(report(FAILED), expected).exit == 1


@pytest.mark.parametrize("before", [GREEN, report(FAILED)])
def test_a_control_that_can_no_longer_be_judged_is_lost(before: RunReport) -> None:
    audit = since(before, report(refused()))
    assert (audit.exit, kinds(audit), audit.problems) == (1, ["control_not_judged"], ())


def test_a_flow_that_can_no_longer_be_judged_is_lost() -> None:
    guard = checked(id="other", file="flows/b.flow.yaml")
    audit = since(report(checked(id=None), guard), report(refused(id=None), guard))
    assert (audit.exit, kinds(audit)) == (1, ["flow_not_judged"])


def test_an_assertion_deleted_from_a_flow_that_cannot_run_now() -> None:
    audit = since(GREEN, report(refused(assertions=(ONE,))))
    assert kinds(audit) == ["control_not_judged", "assertion_vanished"]


def test_a_flow_that_cannot_be_read_any_more_loses_its_control() -> None:
    audit = since(GREEN, report(unread()))
    assert (audit.exit, audit.problems) == (1, ())
    assert lost(audit)[0] == ("control_vanished", "its flow cannot be read")


def test_what_was_never_judged_is_no_loss_and_still_no_pass() -> None:
    audit = since(report(refused()), report(refused()))
    assert (audit.exit, lost(audit)) == (2, [])


def test_a_loss_beside_what_could_not_be_judged() -> None:
    now = report(checked(assertions=(ONE,), judgements=judged()[:1]), refused(id="new", file="flows/b.flow.yaml"))
    audit = since(GREEN, now)
    assert (audit.exit, kinds(audit)) == (2, ["assertion_vanished"])


def test_weaker_evidence_is_told() -> None:
    now = checked(
        cassette=CassetteReport(file="cassettes/a.jsonl", digest="blake3:00"),
        matched=("m1",),
        never_compared=("$.request.tools",),
    )
    audit = since(GREEN, report(now))
    assert audit.exit == 0
    assert audit.since is not None
    assert audit.since.changed == (
        "flows/a.flow.yaml: another recording",
        "flows/a.flow.yaml: 1 exchange matched, 2 before",
        "flows/a.flow.yaml: no longer compared: $.request.tools",
    )


def test_what_is_ignored_since_is_told() -> None:
    path = "$.request.parameters.user (model)"
    before, now = (report(checked(ignored=paths)) for paths in ((path,), (path, "$.request.messages[*] (model)")))
    assert told_as_changed(since(before, now)) == ["flows/a.flow.yaml: ignores more: $.request.messages[*] (model)"]
    assert told_as_changed(since(now, before)) == []


def test_a_pass_that_says_more_about_itself_is_told() -> None:
    now = report(checked(summary="PASS, not judged after m2"))
    assert told_as_changed(since(GREEN, now)) == ["flows/a.flow.yaml: PASS -> PASS, not judged after m2"]
    assert since(GREEN, now).exit == 0
    red = report(checked("FAIL", summary="FAIL, exit 3", judgements=judged("failed")))
    assert (
        told_as_changed(since(red, report(checked("FAIL", summary="FAIL, exit 4", judgements=judged("failed"))))) == []
    )


def test_the_number_of_a_token_is_no_difference() -> None:
    def with_token(number: int) -> RunReport:
        text = f"assert: reply contains [[redacted:openai-key:{number}]]"
        return report(checked(assertions=(text,), judgements=(JudgementReport(assertion=text, state="held"),)))

    assert lost(since(with_token(1), with_token(3))) == []


# --- saved reports ---------------------------------------------------------------------------------


def test_a_saved_report_and_a_saved_audit_are_the_run_again(tmp_path: Path) -> None:
    for name, saved in (("run", render_json(GREEN)), ("audit", render_json(audit_of(GREEN, GREEN)))):
        path = tmp_path / f"{name}.json"
        path.write_text(saved)
        assert read_report(path) == GREEN


def changed(**fields: object) -> bytes:
    return json.dumps({**json.loads(render_json(GREEN)), **fields}).encode()


TAKEN_OUT = changed(flows=[], totals={"PASS": 1})


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", ReaderError),
        (render_json(GREEN).encode()[:-40], ReaderError),
        (b"[]", UnknownFormat),
        (b'{"format": "runwright.trace", "version": 1}', UnknownFormat),
        (changed(version=2), UnknownVersion),
        (changed(version=True), UnknownVersion),
        (changed(extra=1), ReaderError),
        (changed(flows=[{"name": "x"}]), ReaderError),
        (TAKEN_OUT, ReaderError),
        (changed(interrupted=True), ReaderError),
        (json.dumps({"format": "runwright.audit-report", "version": 1}).encode(), ReaderError),
    ],
)
def test_what_is_no_whole_report_is_refused(data: bytes, error: type[RunwrightError]) -> None:
    with pytest.raises(error) as found:
        parse_report(data, "base.json")
    assert str(found.value).startswith("base.json")
    assert found.value.exit_code == 2


@pytest.mark.parametrize(
    ("word", "exit"), [("FAIL", 0), ("FAIL", 2), ("PASS", 1), ("PASS", 130), ("STALE", 0), ("INVALID", 1)]
)
def test_a_saved_word_that_does_not_fit_its_exit_is_refused(word: WordName, exit: int) -> None:
    data = render_json(report(checked(word, exit=exit))).encode()
    with pytest.raises(ReaderError, match=f"{word} is not exit {exit}"):
        parse_report(data, "base.json")


def test_a_report_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match="cannot read the report"):
        read_report(tmp_path / "none.json")


def test_a_secret_in_a_saved_report_goes_no_further() -> None:
    key = "sk-proj-" + "Zx8Qm2Lp7Vt4Kd9Wn3Rb6Hy1Jc5Gf0Ts"
    saved = json.loads(render_json(GREEN))
    saved["flows"][0]["summary"] = f"PASS {key}"
    assert key not in render_json(audit_of(parse_report(json.dumps(saved).encode(), "x")))


# --- forms -----------------------------------------------------------------------------------------

AUDITS = {
    "green": audit_of(GREEN),
    "red": since(GREEN, report(checked("FAIL", assertions=(ONE,), judgements=judged("failed")[:1]))),
    "open": audit_of(report(refused(), unread("flows/b.flow.yaml"))),
    "empty": audit_of(report()),
    "hostile": since(report(checked(summary=HOSTILE, name=HOSTILE, assertions=(HOSTILE,))), report(unread())),
}


@pytest.mark.parametrize("name", AUDITS)
def test_the_json_is_what_the_schema_describes(name: str) -> None:
    document = json.loads(render_json(AUDITS[name]))
    assert [error.message for error in Draft202012Validator(schema("audit-report-v1")).iter_errors(document)] == []
    assert msgspec.convert(document, AuditReport) == AUDITS[name]


def test_the_text_of_a_green_audit() -> None:
    assert render_audit_text(audit_of(GREEN)) == (
        "holds  no-double-refund  one refund only\n"
        "    by flows/a.flow.yaml: PASS\n"
        "    2 exchanges matched, 2 assertions held, recording abababababab\n"
        "1 control: 1 holds; 0 flows without a control\n"
    )


def test_the_text_of_a_red_audit() -> None:
    assert render_audit_text(AUDITS["red"]) == (
        "fails  no-double-refund  one refund only\n"
        "    by flows/a.flow.yaml: FAIL\n"
        "    2 exchanges matched, 0 assertions held, 1 failed, recording abababababab\n"
        "since 2025-05-01T10:00:00.123456+00:00: 2 lost\n"
        "    verdict worse: flows/a.flow.yaml [no-double-refund]: PASS -> FAIL\n"
        f"    assertion vanished: flows/a.flow.yaml [no-double-refund]: {TWO}\n"
        "1 control: 1 fails; 0 flows without a control\n"
    )


@pytest.mark.parametrize("name", AUDITS)
def test_the_text_cannot_be_forged(name: str) -> None:
    text = render_audit_text(AUDITS[name])
    assert "\x1b" not in text
    assert not any(line.startswith("PASS") for line in text.splitlines())
    assert ("\x1b[3" in render_audit_text(AUDITS[name], colour=True)) is bool(AUDITS[name].controls)
