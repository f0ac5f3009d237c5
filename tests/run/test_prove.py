"""Proving flows: what must be killed is, what a weakened check lets pass is named, and what cannot apply says why."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace as replaced
from pathlib import Path

import pytest
import yaml
from msgspec.structs import replace

from runwright.errors import CapabilityError, FlowError, TraceError, UsageError
from runwright.flow import Flow, Word, load_flow
from runwright.match import Matcher
from runwright.perturb import KINDS
from runwright.record.contain import cannot_contain
from runwright.record.observe import SEEN
from runwright.run import RunOptions, run_flow
from runwright.run.prove import ProveOptions, ProveReport, Tried, Watched, kinds_named, prove, prove_flow
from runwright.run.prove.play import Reached
from runwright.run.replayed import matcher_of
from runwright.trace import read_trace, with_edges
from runwright.trace.model import (
    Header,
    Message,
    MessageRecord,
    ModelRecord,
    Record,
    SideEffect,
    SideEffectRecord,
    TextBlock,
    ToolCallBlock,
    ToolResultBlock,
    Trace,
)
from tests.run.story import ANSWERED, CALL, EXCHANGES, START, TWICE, Shop, cassette_of, exchange, said, shop
from tests.run.test_one import BARE
from tests.samples import ROOT

STORY = ROOT / "flows" / "regressions" / "refund-twice.flow.yaml"
OPTIONS = ProveOptions(run=RunOptions(environment=BARE))
ONLY_ABOUT_WHAT_NOBODY_SEES = {
    "effects of its kind are not observed at replay",
    "no boundary that tools run behind is observed at replay: a call of the agent's own",
    "an agent that prints nothing is judged by the reply it was served",
}


@pytest.fixture
def made(tmp_path: Path) -> Shop:
    return shop(tmp_path)


def proved(made: Shop, options: ProveOptions = OPTIONS) -> ProveReport:
    return prove_flow(made.flow, options)


def survivors(report: ProveReport) -> list[str]:
    return [f"{each.mutant.kind} {each.mutant.place}".strip() for each in report.of("survived")]


def fates(report: ProveReport, where: Callable[[Tried], bool]) -> set[str]:
    found = {each.fate for each in report.tried if where(each)}
    assert found, "no such mutant was tried"
    return found


def reasons(report: ProveReport) -> set[str]:
    return {each.why for each in report.of("not_applicable")}


def record(made: Shop, *records: Record, **header: object) -> None:
    """Put these records into the shop's cassette, with the edges that their contents give."""
    from runwright.trace import dumps_trace

    head = Header(kind="cassette", trace_id="story", **header)  # type: ignore[arg-type]
    made.cassette.write_bytes(dumps_trace(Trace(header=head, records=with_edges(records))))


@pytest.mark.skipif(bool(cannot_contain()), reason=cannot_contain())
@pytest.mark.parametrize(
    ("assertion", "agent"),
    [("- assert_no_egress", ""), ("", ", allow_egress: [api.example.com]"), ("", ", protect: [agent.py]")],
)
def test_a_flow_whose_agent_is_held_can_be_proved(made: Shop, assertion: str, agent: str) -> None:
    plain = proved(made)
    made.spec(
        ("- assert: reply contains refunded", f"- assert: reply contains refunded\n  {assertion}"),
        ("tools: real", f"tools: real{agent}"),
    )
    held = proved(made)
    assert held.tried, held
    assert survivors(held) == survivors(plain)


# --- all killed ------------------------------------------------------------------------------------


def test_every_mutant_of_the_story_that_applies_is_killed() -> None:
    report = prove_flow(STORY, OPTIONS)
    assert (report.exit, report.of("survived"), report.of("unjudged")) == (0, (), ())
    assert report.unmutated.summary.startswith("PASS, not judged after m2")
    table = report.table()
    killed = {kind for kind, counts in table.items() if counts["killed"]}
    assert killed == {
        "drop", "duplicate", "reorder", "argument", "result", "block", "message", "role", "history", "parameter",
        "model", "call", "relapse", "outcome",
    }  # fmt: skip
    (relapse,) = (each for each in report.tried if each.mutant.kind == "relapse")
    assert relapse.why == "assert_tool_call: issue_refund once"


def test_every_mutant_of_a_flow_without_until_that_applies_is_killed(made: Shop) -> None:
    report = proved(made)
    assert (report.exit, report.of("survived"), report.of("unjudged")) == (0, (), ())
    assert reasons(report) == ONLY_ABOUT_WHAT_NOBODY_SEES
    assert len(report.of("killed")) > 80
    never = {kind for kind, counts in report.table().items() if not counts["killed"]}
    assert never == {"effect"}


def test_a_kill_names_what_killed(made: Shop) -> None:
    killers = {f"{each.mutant.kind} {each.mutant.place}".strip(): each.why for each in proved(made).of("killed")}
    assert killers["tool_description m1 $.request.tools[0].description"] == (
        "matching: m1 $.request.tools[0].description (tool issue_refund)"
    )
    assert killers["drop m2"] == "never asked for: m2"
    assert killers["reply"] == 'assert: reply contains "refunded"'
    assert "exited with" in next(each.why for each in proved(made).tried if each.mutant.what == "exits with 1")


def test_the_unmutated_side_is_what_a_real_run_finds(made: Shop) -> None:
    result = run_flow(made.flow, RunOptions(environment=BARE, timeout=30))
    assert proved(made).unmutated.summary == result.summary == "PASS"
    assert proved(made).unmutated.judgements == result.judgements


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('"temperature": 0', '"temperature": 1', "$.request.parameters.temperature"),
        ("Pay an order back.", "Pay an order back. (changed)", "$.request.tools[0].description"),
        ('"gpt-4o-mini"', '"gpt-4o-mini (changed)"', "$.request.model"),
        ("the shop's support.", "the shop's support. (changed)", "$.request.messages[0].content[0].text"),
    ],
)
def test_a_real_agent_that_is_the_mutant_is_killed_by_the_same(made: Shop, old: str, new: str, place: str) -> None:
    made.agent((old, new))
    result = run_flow(made.flow, RunOptions(environment=BARE, timeout=30))
    mutant = next(
        each for each in proved(made).tried if each.mutant.place == f"m1 {place}" and each.mutant.what == "changed"
    )
    assert result.word is Word.FAIL
    assert result.miss is not None
    assert mutant.why == f"matching: m1 {result.miss.differences[0].path}"
    assert place in mutant.why


def test_while_a_flow_expects_to_fail_the_known_failure_is_green(made: Shop) -> None:
    record(made, *TWICE)
    made.spec(
        ("      - assert: reply contains refunded\n".removeprefix("    "), ""),
        ("app: agent", "app: agent\nexpect: fail"),
    )
    report = proved(made)
    assert report.unmutated.summary.startswith("PASS, fails as expected")
    assert (report.exit, report.of("survived")) == (0, ())
    assert "while the flow expects to fail, an assertion that fails is what it expects" in reasons(report)


def test_also_with_until_a_flow_that_expects_to_fail_is_strict_to_the_end(made: Shop) -> None:
    record(made, *TWICE)
    made.spec(
        ("  - assert: reply contains refunded\n", ""),
        ("app: agent", "app: agent\nexpect: fail\nreplay: {until: m1}"),
    )
    report = proved(made)
    assert (report.exit, report.of("survived")) == (0, ())
    assert fates(report, lambda each: each.mutant.exchange == "m3" and each.mutant.kind == "result") == {"killed"}


# --- gutted assertions -----------------------------------------------------------------------------


def pasted(made: Shop, report: ProveReport) -> ProveReport:
    """The proof of the flow to which every remedy was added as it stands."""
    lines = dict.fromkeys(line for each in report.of("survived") for line in each.remedy.splitlines())
    made.flow.write_text(made.flow.read_text() + "".join(f"  {line}\n" for line in lines))
    return proved(made)


def story_in(tmp_path: Path, *dropped: str) -> Shop:
    """The committed story without these lines, in the folders of a shop."""
    made = shop(tmp_path)
    shutil.copy(ROOT / "cassettes" / "regressions" / "refund-twice.cassette.jsonl", made.cassette)
    text = STORY.read_text().replace("../../cassettes/regressions/refund-twice", "../cassettes/refund")
    for line in dropped:
        assert text.count(line) == 1
        text = text.replace(line, "")
    made.flow.write_text(text)
    return made


def test_the_story_without_its_assertion_guards_nothing_and_says_which_would(tmp_path: Path) -> None:
    made = story_in(tmp_path, "  - assert_tool_call: {tool: issue_refund, times: 1}\n")
    report = proved(made)
    assert (report.exit, survivors(report)) == (1, ["relapse"])
    assert report.of("survived")[0].remedy == "- assert_tool_call: {tool: issue_refund, times: 1}"
    assert pasted(made, report).exit == 0


def test_a_count_that_is_too_wide_is_noticed(tmp_path: Path) -> None:
    made = story_in(tmp_path)
    made.flow.write_text(made.flow.read_text().replace("issue_refund, times: 1", "issue_refund, at_least: 1", 1))
    report = proved(made)
    assert (report.exit, survivors(report)) == (1, ["relapse"])
    remedy, _, instead = report.of("survived")[0].remedy.partition("  # in place of: ")
    assert instead == "assert_tool_call: issue_refund"
    made.flow.write_text(made.flow.read_text().replace("- assert_tool_call: {tool: issue_refund, at_least: 1}", remedy))
    assert proved(made).exit == 0


def test_a_call_first_made_after_until_is_forbidden_by_the_remedy(made: Shop) -> None:
    delete = ToolCallBlock(id="call_2", name="delete_customer", arguments={"id": "C-1"})
    end = (*ANSWERED, Message(role="assistant", content=(delete,)), _answer("call_2", "{}"))
    record(made, EXCHANGES[0], exchange("m2", ANSWERED, (delete,)), exchange("m3", end, (TextBlock(text="Refunded."),)))
    made.spec(("  - assert: reply contains refunded\n", ""), ("app: agent", "app: agent\nreplay: {until: m1}"))
    report = proved(made)
    assert (report.exit, survivors(report)) == (1, ["relapse"])
    assert report.of("survived")[0].remedy == "- assert_no_tool_call: {tool: delete_customer}"
    assert pasted(made, report).exit == 0


def test_a_reply_that_nothing_judges_survives_and_names_the_assertion(made: Shop) -> None:
    made.spec(("  - assert: reply contains refunded\n", ""))
    report = proved(made)
    assert (report.exit, survivors(report)) == (1, ["reply"])
    assert report.of("survived")[0].remedy == "- assert: {reply: {contains: Your 40 are refunded.}}"
    assert pasted(made, report).exit == 0


def test_a_flow_that_asserts_an_effect_is_proved_on_every_kind_that_is_then_observed(made: Shop) -> None:
    made.flow.write_text(made.flow.read_text() + "  - assert_no_side_effect: {kind: fs_write}\n")
    report = proved(made)
    remedies = {str(each.remedy) for each in report.of("survived")}
    assert remedies == {
        f"- assert_no_side_effect: {{kind: {each}}}"
        for each in sorted({*SEEN, "http_request", "db_change"} - {"fs_write"})
    }
    made.flow.write_text(made.flow.read_text() + "".join(f"  {each}\n" for each in sorted(remedies)))
    report = proved(made)
    assert (report.exit, report.of("survived")) == (0, ())
    assert fates(report, lambda each: each.mutant.path == "sap_transaction") == {"not_applicable"}


def test_a_flow_without_assertions_is_proved_on_matching_and_lacks_the_reply(made: Shop) -> None:
    made.spec(
        ("  - assert: reply contains refunded\n", ""), ("  - assert_tool_call: {tool: issue_refund, times: 1}\n", "")
    )
    report = proved(made)
    assert report.unmutated.summary == "PASS, on matching alone"
    assert survivors(report) == ["reply"]


SEEING = ProveOptions(run=RunOptions(environment=BARE), watched=Watched(effects=frozenset({"fs_write"}), calls=True))


def test_where_calls_are_seen_one_more_is_killed_by_the_count(made: Shop) -> None:
    report = proved(made, SEEING)
    assert fates(report, lambda each: each.mutant.kind == "call") == {"killed"}
    made.spec(("  - assert_tool_call: {tool: issue_refund, times: 1}\n", ""))
    report = proved(made, SEEING)
    assert survivors(report) == ["call issue_refund", "effect fs_write"]
    assert report.of("survived")[0].remedy == "- assert_tool_call: {tool: issue_refund, times: 1}"


def test_where_effects_are_seen_one_missing_and_one_more_are_mutants(made: Shop) -> None:
    record(made, *EXCHANGES, SideEffectRecord(id="e1", side_effect=SideEffect(kind="fs_write", target="out/a.csv")))
    report = proved(made, SEEING)
    assert (report.exit, {each.mutant.kind for each in report.of("survived")}) == (1, {"effect"})
    remedies = {each.remedy for each in report.of("survived")}
    assert remedies == {
        "- assert_side_effect: {kind: fs_write, target: out/a.csv}",
        "- assert_no_side_effect: {kind: fs_write, except: [out/a.csv]}",
    }
    made.flow.write_text(made.flow.read_text() + "".join(f"  {each}\n" for each in sorted(remedies)))
    report = proved(made, SEEING)
    assert (report.exit, report.of("survived")) == (0, ())
    assert fates(report, lambda each: each.mutant.path.startswith("fs_write")) == {"killed"}
    assert fates(report, lambda each: each.mutant.path == "db_change") == {"not_applicable"}


# --- weakened matching -----------------------------------------------------------------------------


def blind_to(*paths: str) -> Callable[[Flow, Trace], Matcher]:
    """A matcher that does not compare these fields, though the recording knows them."""

    def weakened(flow: Flow, cassette: Trace) -> Matcher:
        records = [
            replace(each, unknown=(*each.unknown, *paths)) if isinstance(each, ModelRecord) else each
            for each in cassette.records
        ]
        return matcher_of(flow, replace(cassette, records=tuple(records)))

    return weakened


@pytest.mark.parametrize(
    ("path", "kinds"),
    [
        ("$.request.tools[*].description", {"tool_description"}),
        ("$.request.tools[*].parameters", {"tool_schema"}),
        ("$.request.tools", {"tool_description", "tool_schema", "tool_set"}),
        ("$.request.parameters", {"parameter"}),
        ("$.request.model", {"model"}),
        ("$.streamed", {"streaming"}),
        ("$.request.messages[*].role", {"role"}),
        ("$.request.messages[*].name", {"message"}),
        ("$.request.messages[*].content[*].arguments", {"argument"}),
        ("$.request.messages[*].content[*].content", {"result"}),
        ("$.request.messages[*].content[*].text", {"block", "history"}),
        ("$.request.messages", {"argument", "result", "block", "role", "message", "history", "call"}),
    ],
)
def test_a_field_that_matching_does_not_compare_has_survivors_that_name_it(
    made: Shop, path: str, kinds: set[str]
) -> None:
    report = proved(made, ProveOptions(run=OPTIONS.run, matcher=blind_to(path)))
    found = report.of("survived")
    assert report.exit == 1
    assert {each.mutant.kind for each in found} >= kinds
    assert any(each.mutant.path in each.remedy and each.mutant.path for each in found)
    assert fates(report, lambda each: each.mutant.kind == "drop") == {"killed"}


def test_matching_that_forgets_what_follows_from_what_has_survivors(made: Shop) -> None:
    def unordered(flow: Flow, cassette: Trace) -> Matcher:
        return matcher_of(flow, replace(cassette, records=tuple(replace(each, after=()) for each in cassette.records)))

    made.spec(("  - assert_tool_call: {tool: issue_refund, times: 1}\n", ""))
    report = proved(made, ProveOptions(run=OPTIONS.run, matcher=unordered))
    assert survivors(report) == ["reorder m2"]
    assert report.of("survived")[0].remedy.startswith("name m1 in `after` of m2")


def test_a_cassette_that_lost_its_edges_is_noticed(made: Shop) -> None:
    made.cassette.write_bytes(cassette_of(*(replace(each, after=()) for each in EXCHANGES)))
    (found,) = (each for each in proved(made).tried if each.mutant.kind == "reorder")
    assert (found.fate, found.why) == ("killed", "assert_tool_call: issue_refund once"), "the call is not answered"
    made.spec(("  - assert_tool_call: {tool: issue_refund, times: 1}\n", ""))
    assert survivors(proved(made)) == ["reorder m2"]


class Forgetful(Matcher):
    """A matcher that never says what was left over."""

    def left_over(self) -> tuple[str, ...]:
        return ()


def test_matching_that_forgets_what_was_never_asked_for_has_survivors(made: Shop) -> None:
    def forgetful(flow: Flow, cassette: Trace) -> Matcher:
        matcher = matcher_of(flow, cassette)
        matcher.__class__ = Forgetful
        return matcher

    made.spec(("  - assert_tool_call: {tool: issue_refund, times: 1}\n", ""))
    report = proved(made, ProveOptions(run=OPTIONS.run, matcher=forgetful))
    assert "drop m2" in survivors(report)


# --- not applicable --------------------------------------------------------------------------------


def test_what_the_recording_does_not_know_does_not_apply() -> None:
    report = prove_flow(STORY, OPTIONS)
    assert fates(report, lambda each: each.mutant.place == "m1 $.streamed") == {"not_applicable"}
    assert fates(report, lambda each: each.mutant.place == "m1 $.request.tools[0]") == {"not_applicable"}
    assert fates(report, lambda each: each.mutant.place == "m1 $.request.parameters.added_by_prove") == {
        "not_applicable"
    }
    listed = fates(report, lambda each: each.mutant.place == "m1 $.request.parameters.temperature")
    assert listed == {"killed"}, "a parameter that is listed is known"


def test_an_adopted_field_applies(made: Shop) -> None:
    path = "$.request.tools"
    record(made, *(replace(each, unknown=(path,), adopted=(path,)) for each in EXCHANGES))
    assert fates(proved(made), lambda each: each.mutant.kind == "tool_description") == {"killed"}
    record(made, *(replace(each, unknown=(path,)) for each in EXCHANGES))
    assert fates(proved(made), lambda each: each.mutant.kind == "tool_description") == {"not_applicable"}


def test_what_the_flow_ignores_does_not_apply_where_it_has_the_shape(made: Shop) -> None:
    where = "$.request.parameters.temperature"
    made.spec(("steps:", f'ignore: [{{lane: model, path: "{where}", as: number}}]\nsteps:'))
    report = proved(made)
    assert (report.exit, report.of("survived")) == (0, ())
    found = {each.mutant.what: each.fate for each in report.tried if each.mutant.place == f"m1 {where}"}
    assert found == {"changed": "not_applicable", "left out": "killed"}
    assert f"the flow ignores {where}" in reasons(report)


CUSTOMER = "3f2b8c1e-5d7a-4b9c-8e1f-0a2b3c4d5e6f"


@pytest.mark.parametrize(
    ("prompt", "fate"),
    [("Order A-4471 arrived broken. Please refund it.", "not_applicable"), (f"I am {CUSTOMER}.", "killed")],
)
def test_a_fresh_id_may_be_another_and_a_given_one_may_not(made: Shop, prompt: str, fate: str) -> None:
    messages = (said("system", f"Session {CUSTOMER}."), *ANSWERED[1:])
    record(
        made,
        exchange("m1", messages[:2], (CALL,)),
        exchange("m2", messages, (TextBlock(text="Your 40 are refunded."),)),
    )
    made.spec(("Order A-4471 arrived broken. Please refund it.", prompt))
    report = proved(made)
    assert (report.exit, report.of("survived")) == (0, ())
    assert fates(report, lambda each: each.mutant.kind == "value" and each.mutant.exchange == "m1") == {fate}


def test_a_time_of_the_run_may_be_another_moment_and_never_another_year(made: Shop) -> None:
    messages = (said("system", "It is 2026-11-30T10:00:07Z."), *ANSWERED[1:])
    record(
        made,
        exchange("m1", messages[:2], (CALL,)),
        exchange("m2", messages, (TextBlock(text="Your 40 are refunded."),)),
        started_at="2026-11-30T10:00:00Z",
        duration=30.0,
    )
    report = proved(made)
    found = {each.mutant.what: each.fate for each in report.tried if each.mutant.kind == "value"}
    assert found == {"another second": "not_applicable", "five years later": "killed"}
    assert report.exit == 0


def test_a_result_that_the_flow_gives_does_not_apply(made: Shop) -> None:
    made.spec(("steps:", "tools: [{name: issue_refund, result: {order_id: A-4471, refunded: 40}}]\nsteps:"))
    report = proved(made)
    assert (report.exit, report.of("survived")) == (0, ())
    assert "the flow gives the result of issue_refund" in reasons(report)
    assert fates(report, lambda each: each.mutant.kind == "argument") == {"killed"}


# --- not green -------------------------------------------------------------------------------------


def test_a_flow_that_is_not_green_is_not_proved(made: Shop) -> None:
    made.spec(("reply contains refunded", "reply contains nothing of the kind"))
    report = proved(made)
    assert (report.exit, report.tried, report.unmutated.word) == (2, (), Word.FAIL)
    assert report.summary.startswith("UNVERIFIED, the side that no mutant changed is not green: FAIL, assert: reply")


def test_a_capability_that_lacks_is_no_proof(made: Shop) -> None:
    made.flow.write_text(made.flow.read_text() + "  - assert_no_side_effect: {kind: sap_transaction}\n")
    assert (proved(made).exit, proved(made).unmutated.word) == (2, Word.CAPABILITY)


def test_strict_is_as_strict_as_a_run() -> None:
    report = prove_flow(STORY, ProveOptions(run=RunOptions(environment=BARE, strict=True)))
    assert (report.exit, report.unmutated.word) == (2, Word.UNVERIFIED)


def test_a_flow_that_is_skipped_is_not_proved(made: Shop) -> None:
    made.spec(("app: agent", "app: agent\nskip_unless_env: [WANTED]"))
    assert (proved(made).exit, proved(made).unmutated.word) == (2, Word.UNVERIFIED)
    run = RunOptions(environment={**BARE, "WANTED": "1"})
    assert proved(made, ProveOptions(run=run)).exit == 0


def test_what_a_run_refuses_a_proof_refuses(made: Shop) -> None:
    made.spec(("tools: real", "tools: served"))
    with pytest.raises(CapabilityError):
        proved(made)
    made.spec(("agent: {command: python agent.py, tools: real}\n", ""))
    with pytest.raises(FlowError, match="no agent"):
        proved(made)
    made.spec()
    made.cassette.write_bytes(made.cassette.read_bytes()[:-3])
    with pytest.raises(TraceError):
        proved(made)
    made.cassette.unlink()
    with pytest.raises(TraceError):
        proved(made)


# --- other shapes ----------------------------------------------------------------------------------


def _answer(id: str, text: str) -> Message:
    return Message(role="tool", content=(ToolResultBlock(call_id=id, content=(TextBlock(text=text),)),))


def test_after_until_only_the_way_out_that_a_refusal_may_cause_is_not_judged(made: Shop) -> None:
    made.spec(("app: agent", "app: agent\nreplay: {until: m1}"), ("  - assert: reply contains refunded\n", ""))
    report = proved(made, ProveOptions(run=OPTIONS.run, kinds=("outcome", "reply")))
    assert {each.mutant.what: (each.fate, each.why) for each in report.tried if each.mutant.kind == "outcome"} == {
        "exits with 1": ("not_applicable", _EXIT_AFTER),
        "is ended by a signal": ("not_applicable", _EXIT_AFTER),
        "does not end": ("killed", "FAIL, the agent did not end within its time"),
    }
    assert {each.why for each in report.tried if each.mutant.kind == "reply"} == {
        "after m1: what the agent says there is left to the assertions"
    }


_EXIT_AFTER = "after m1: an exit code or a signal may come of the refusal, and is not judged"


def test_until_the_last_exchange_leaves_nothing_after_it(made: Shop) -> None:
    made.spec(("app: agent", "app: agent\nreplay: {until: m2}"), ("  - assert: reply contains refunded\n", ""))
    report = proved(made)
    assert report.unmutated.summary == "PASS"
    assert "relapse" not in {each.mutant.kind for each in report.tried}
    assert fates(report, lambda each: each.mutant.kind == "result") == {"killed"}


@pytest.mark.parametrize(
    ("assertion", "relapse"),
    [
        ("assert_no_tool_call: {tool: issue_refund, result: {$: {equals: {}}}}", "killed"),
        ("assert_tool_call: issue_refund once with result error is absent", "killed"),
        ("assert_tool_call: issue_refund once with result state matches paid", "killed"),
        (
            "assert_tool_call: {tool: issue_refund, result: {paid.by.us: {at_least: 10}, why: {not: {equals: x}}}}",
            "killed",
        ),
        ("assert_tool_call: issue_refund once with result refunded equals 40", "survived"),
    ],
)
def test_the_repaired_agent_has_the_results_that_the_flow_asks_for(
    tmp_path: Path, assertion: str, relapse: str
) -> None:
    """The recorded refund has the result `{}`, which is the fault; the second one is paid."""
    made = story_in(tmp_path)
    line = "assert_tool_call: {tool: issue_refund, times: 1}"
    made.flow.write_text(made.flow.read_text().replace(line, assertion, 1))
    report = proved(made)
    assert report.unmutated.word is Word.PASS, report.unmutated.summary
    assert fates(report, lambda each: each.mutant.kind == "relapse") == {relapse}
    assert set(survivors(report)) <= {"relapse"}


def test_parallel_calls_and_two_threads(made: Shop) -> None:
    """The thread beside is asked for between `until` and the first request that answers it."""
    beside = (said("system", "You summarise."), said("user", "Summarise A-4471."))
    record(
        made,
        exchange("m1", START, (CALL,)),
        exchange("m2", beside, (TextBlock(text="A teapot."),)),
        exchange("m3", ANSWERED, (TextBlock(text="Your 40 are refunded."),)),
    )
    report = proved(made)
    assert (report.exit, report.of("survived")) == (0, ())
    assert fates(report, lambda each: each.mutant.kind == "drop" and each.mutant.exchange == "m2") == {"killed"}
    assert [each.mutant.exchange for each in report.tried if each.mutant.kind == "reorder"] == ["m3"]
    made.spec(("app: agent", "app: agent\nreplay: {until: m1}"), ("  - assert: reply contains refunded\n", ""))
    report = proved(made)
    assert (report.unmutated.summary, survivors(report)) == ("PASS, not judged after m1", ["relapse"])
    assert report.of("survived")[0].remedy.startswith("move `until`")


CONVERSATION = """
    flow: 1
    name: two turns
    app: agent
    agent: {command: python agent.py, tools: real}
    cassette: ../cassettes/refund.cassette.jsonl
    steps:
      - conversation:
          - user: Order A-4471 arrived broken. Please refund it.
            assert_tool_call: issue_refund once
            assert: reply contains refunded
          - user: Thanks.
            assert: reply contains welcome
"""


def test_a_conversation(made: Shop) -> None:
    later = (*ANSWERED, said("assistant", "Your 40 are refunded."), said("user", "Thanks."))
    record(
        made,
        EXCHANGES[0],
        exchange("m2", ANSWERED, (TextBlock(text="Your 40 are refunded."),)),
        exchange("m3", later, (TextBlock(text="You are welcome."),)),
    )
    made._write(made.flow, CONVERSATION, ())
    report = proved(made)
    assert report.unmutated.word is Word.PASS, report.unmutated.summary
    assert (report.exit, survivors(report)) == (0, [])
    killers = {each.why for each in report.tried if each.mutant.kind == "reply" and each.fate == "killed"}
    assert killers == {
        'assert: reply contains "refunded" (delivery 1)',
        'assert: reply contains "welcome" (delivery 2)',
    }


def test_an_agent_that_is_reached_by_http_needs_none_to_be_proved(made: Shop) -> None:
    later = (*ANSWERED, said("assistant", "Your 40 are refunded."), said("user", "Thanks."))
    record(
        made,
        EXCHANGES[0],
        exchange("m2", ANSWERED, (TextBlock(text="Your 40 are refunded."),)),
        exchange("m3", later, (TextBlock(text="You are welcome."),)),
    )
    made._write(made.flow, CONVERSATION, (("command: python agent.py", "url: http://127.0.0.1:9/, proxy_port: 8099"),))
    report = proved(made)
    assert (report.unmutated.word, report.exit, report.of("survived")) == (Word.PASS, 0, ())
    killers = [each.why for each in report.tried if each.mutant.kind == "reply"]
    assert killers[:2] == [
        'assert: reply contains "refunded" (delivery 1)',
        'assert: reply contains "welcome" (delivery 2)',
    ]
    assert "FAIL, the agent answered with status 500" in {each.why for each in report.of("killed")}


def test_a_drop_of_the_only_exchange_is_no_verdict(made: Shop) -> None:
    record(made, exchange("m1", START, (TextBlock(text="Your 40 are refunded."),)))
    made.spec(("  - assert_tool_call: {tool: issue_refund, times: 1}\n", ""))
    report = proved(made)
    assert (report.exit, report.of("survived"), report.of("unjudged")) == (0, (), ())
    assert "an agent that never asks its model is not judged at all: its exit is 2" in reasons(report)


def test_what_cannot_be_judged_is_neither_killed_nor_survived(made: Shop) -> None:
    """All that the flow asserts would rest on the served reply."""
    later = (*ANSWERED, said("assistant", "Your 40 are refunded."), said("user", "Thanks."))
    record(
        made,
        EXCHANGES[0],
        exchange("m2", ANSWERED, (TextBlock(text="Your 40 are refunded."),)),
        exchange("m3", later, (TextBlock(text="You are welcome."),)),
    )
    gone = ("        assert_tool_call: issue_refund once\n", "        assert: reply contains welcome\n")
    undivided = ("reply contains refunded", "reply matches refunded")  # more words could break it: not refuted
    made._write(made.flow, CONVERSATION, (*((each, "") for each in gone), undivided))
    report = proved(made, ProveOptions(run=OPTIONS.run, kinds=("reply", "drop")))
    assert [each.mutant.what for each in report.of("unjudged")] == ["says something else to delivery 1"]
    assert report.of("unjudged")[0].why.startswith("UNVERIFIED, assert: reply matches")
    assert not [each for each in report.of("killed") if each.mutant.kind == "reply"]
    assert report.exit == 1, "a survivor is told all the same"
    rest = tuple(each for each in report.tried if each.fate != "survived")
    alone = replaced(report, tried=rest, known=len(rest))
    assert (alone.exit, alone.summary) == (2, "UNVERIFIED, 1 of 4 mutants that apply could not be judged")


def test_a_redacted_cassette(made: Shop) -> None:
    """A secret of the agent's own, one that a reply gave it, and one that the user said."""
    own, given, told = (f"[[redacted:openai-key:{n}]]" for n in (1, 2, 3))
    call = replace(CALL, arguments={"order_id": "A-4471", "key": given})
    messages = (
        said("system", f"Use {own}, and {own} again."),
        said("user", f"Mine is {told}."),
        Message(role="assistant", content=(call,)),
        _answer("call_1", f'{{"key": "{given}", "mine": "{told}", "own": "{own}"}}'),
    )
    user = MessageRecord(id="u1", role="user", content=messages[1].content)
    record(made, user, exchange("m1", messages[:2], (call,)), exchange("m2", messages, (TextBlock(text="refunded"),)))
    made.spec(("Order A-4471 arrived broken. Please refund it.", f'"Mine is {told}."'))
    report = proved(made)
    assert report.unmutated.summary == "PASS"
    assert (report.exit, report.of("survived"), report.of("unjudged")) == (0, (), ())
    assert fates(report, lambda each: each.mutant.kind == "result") == {"killed"}


def test_a_secret_that_must_not_leak_is_given_to_the_simulated_agent_as_to_a_real_one(made: Shop) -> None:
    made.flow.write_text(made.flow.read_text() + "  - assert_no_secret_leak: [ORDER_TOKEN]\n")
    assert proved(made).unmutated.word is Word.UNVERIFIED
    run = RunOptions(environment={**BARE, "ORDER_TOKEN": "tok-5b1f"})
    assert proved(made, ProveOptions(run=run)).exit == 0
    leaking = RunOptions(environment={**BARE, "ORDER_TOKEN": "refunded"})
    assert proved(made, ProveOptions(run=leaking)).unmutated.word is Word.FAIL


def test_an_exchange_that_failed_is_part_of_the_recording(made: Shop) -> None:
    from runwright.trace.model import ModelError

    failed = replace(EXCHANGES[0], id="m0", response=None, error=ModelError(message="busy", status=503))
    record(made, failed, *EXCHANGES)
    report = proved(made)
    assert (report.exit, report.of("survived")) == (0, ())
    assert fates(report, lambda each: each.mutant.kind == "duplicate" and each.mutant.exchange == "m0") == {"killed"}


# --- which are tried -------------------------------------------------------------------------------


def test_only_the_kinds_asked_for(made: Shop) -> None:
    report = proved(made, ProveOptions(run=OPTIONS.run, kinds=kinds_named(["role", "drop"])))
    assert set(report.table()) == {"role", "drop"}
    assert "there is no mutant" not in report.summary
    with pytest.raises(UsageError, match="'sort' is no kind of mutant"):
        kinds_named(["sort"])
    assert kinds_named(KINDS) == KINDS


def test_a_limit_takes_some_of_every_kind_and_says_of_how_many(made: Shop) -> None:
    whole = proved(made)
    some = proved(made, ProveOptions(run=OPTIONS.run, limit=40))
    assert some.known == whole.known == len(whole.tried)
    assert len(some.tried) < 60
    assert set(some.table()) == set(whole.table())
    assert some.summary.endswith(
        f" mutants that apply are killed, of those tried ({len(some.tried)} of {some.known:,})"
    )
    assert "tried" not in whole.summary
    assert some.tried == proved(made, ProveOptions(run=OPTIONS.run, limit=40)).tried
    other = proved(made, ProveOptions(run=OPTIONS.run, limit=40, seed=1))
    assert {each.mutant.place for each in other.tried} != {each.mutant.place for each in some.tried}


def test_no_kind_that_applies_is_no_proof(made: Shop) -> None:
    report = proved(made, ProveOptions(run=OPTIONS.run, kinds=("effect",)))
    assert (report.exit, report.summary.partition(";")[0]) == (2, "UNVERIFIED, no mutant applies")


def test_a_kind_asked_for_of_which_there_is_none_is_said(made: Shop) -> None:
    report = proved(made, ProveOptions(run=OPTIONS.run, kinds=("drop", "relapse")))
    assert set(report.table()["relapse"].values()) == {0}
    assert report.table()["drop"]["killed"] == 2
    assert report.summary == "PASS, all 2 mutants that apply are killed; there is no mutant of kind relapse"
    alone = proved(made, ProveOptions(run=OPTIONS.run, kinds=("relapse",)))
    assert alone.summary == "UNVERIFIED, no mutant applies; there is no mutant of kind relapse"
    assert set(alone.table()) == {"relapse"}


def test_a_proof_leaves_everything_as_it_was(made: Shop) -> None:
    before = {path: path.read_bytes() for path in made.root.rglob("*") if path.is_file()}
    proved(made)
    assert {path: path.read_bytes() for path in made.root.rglob("*") if path.is_file()} == before


def test_the_function_takes_values(made: Shop) -> None:
    flow = load_flow(made.flow, BARE)
    cassette = read_trace(made.cassette)
    assert prove(flow, cassette, OPTIONS) == prove(flow, cassette, OPTIONS)


def test_a_remedy_is_a_step_of_a_flow(made: Shop) -> None:
    made.spec(("  - assert: reply contains refunded\n", ""))
    remedy = proved(made).of("survived")[0].remedy
    assert yaml.safe_load(remedy) == [{"assert": {"reply": {"contains": "Your 40 are refunded."}}}]


@pytest.mark.parametrize("until", [False, True])
def test_leaving_out_the_evidence_before_a_miss_changes_no_verdict(
    made: Shop, monkeypatch: pytest.MonkeyPatch, until: bool
) -> None:
    flow = STORY if until else made.flow
    short = prove_flow(flow, OPTIONS)
    monkeypatch.setattr(Reached, "judged", property(lambda self: self))
    whole = prove_flow(flow, OPTIONS)
    assert [(each.mutant, each.fate) for each in short.tried] == [(each.mutant, each.fate) for each in whole.tried]
