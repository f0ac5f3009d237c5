"""Every form of the report says what differs, holds no secret, and stays whole whatever the runs said."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from msgspec.structs import replace

from runwright.diff import diff
from runwright.reports.diff import (
    DiffReport,
    diff_report,
    render_diff_json,
    render_diff_markdown,
    render_diff_text,
)
from runwright.reports.diff.report import BLINDING
from runwright.trace import (
    EFFECT_KINDS,
    JSON,
    FaultRecord,
    Message,
    MessageRecord,
    ModelRecord,
    PolicyRecord,
    Record,
    SideEffect,
    SideEffectRecord,
    TextBlock,
    ToolCallBlock,
    ToolRecord,
    Trace,
)
from runwright.trace.model import FaultKind
from tests.diff.made import conversation, everywhere, run, trace

SCHEMA = json.loads((Path(__file__).parents[2] / "schema" / "diff-v1.schema.json").read_text("utf-8"))
KEY = "sk-proj-" + "Zx9Qw3Er5Ty7Ui1Op2As4Df6" * 2
HOSTILE = "a\nPASS\x1b[31m`x`|<b>[l](javascript:x) \u202e @all\r\n    ~ tool t9: forged"


def report(left: Trace, right: Trace, *, strict: bool = False) -> DiffReport:
    return diff_report(diff(left, right), left, right, ("left.jsonl", "right.jsonl"), strict=strict)


def tool(id: str, **fields: JSON) -> ToolRecord:
    return ToolRecord(**{"id": id, "name": "x", "outcome": "ok", "fidelity": "raw", **fields})  # type: ignore[arg-type]


def pair(before: JSON, after: JSON, name: str = "value") -> tuple[Trace, Trace]:
    return trace([tool("t1", arguments={name: before})]), trace([tool("t1", arguments={name: after})])


def forms(found: DiffReport) -> dict[str, str]:
    return {
        "text": render_diff_text(found),
        "colour": render_diff_text(found, colour=True),
        "stat": render_diff_text(found, stat=True),
        "json": render_diff_json(found),
        "markdown": render_diff_markdown(found),
    }


KEPT = [tool("k1", name="kept"), tool("k2", name="kept too")]
EVERY_KIND = (
    trace([tool("t1", arguments={"a": 1}), tool("t2", name="gone"), tool("t3", result="m"), *KEPT]),
    trace([tool("s0", name="new"), tool("s1", arguments={"a": 2}), *KEPT, tool("s3", result="m")]),
)


def blind(of: Trace, *unknown: str) -> Trace:
    """The exchanges of a run that do not know what was said; without paths neither request nor answer."""
    paths = unknown or ("$.request", "$.response")
    return replace(of, records=tuple(replace(each, unknown=paths) for each in of.models))


def talk(of: Trace) -> Trace:
    """The exchanges of a run alone."""
    return replace(of, records=of.models)


def fault(kind: FaultKind, *hides: str, detail: str = "x") -> FaultRecord:
    return FaultRecord(id="f1", kind=kind, detail=detail, hides=hides)


def hurt(of: Trace, kind: FaultKind) -> Trace:
    return replace(of, records=(*of.records, fault(kind, "tool")))


EFFECT = SideEffectRecord(id="e1", side_effect=SideEffect(kind="fs_write", target="/etc/x"))
SILENT = dict.fromkeys(EFFECT_KINDS, "not_observed")

# --- verdicts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "strict", "word", "exit"),
    [
        (run(2), run(2), False, "SAME", 0),
        (run(2), run(3), False, "MISMATCH", 1),
        (replace(run(2), complete=False), run(2), False, "UNVERIFIED", 2),
        (run(2), replace(run(2), complete=False), False, "UNVERIFIED", 2),
        (replace(run(2), complete=False), run(3), False, "UNVERIFIED", 2),
        (trace([]), trace([]), False, "UNVERIFIED", 2),
        (trace([]), run(2), False, "MISMATCH", 1),
        (trace([tool("t", unknown=["$.result"])]), trace([tool("t")]), False, "SAME", 0),
        (trace([tool("t", unknown=["$.result"])]), trace([tool("t")]), True, "UNVERIFIED", 2),
        (blind(run(1)), blind(everywhere(run(1), "order 7", "order 8")), False, "UNVERIFIED", 2),
        (blind(run(1)), talk(run(1)), False, "UNVERIFIED", 2),
        (run(0), blind(run(0), "$.request.messages[*].content[*].text", "$.response"), False, "UNVERIFIED", 2),
        (talk(run(1)), blind(run(1), "$.request.messages"), False, "SAME", 0),
        (talk(run(1)), blind(run(1), "$.response"), False, "SAME", 0),
        (trace([]), trace([EFFECT], observation=SILENT), False, "MISMATCH", 1),
        (trace([], observation=SILENT), trace([EFFECT]), False, "UNVERIFIED", 2),
        (trace([fault("interruption")]), trace([fault("interruption")]), False, "UNVERIFIED", 2),
        (hurt(run(1), "interruption"), hurt(run(1), "interruption"), False, "SAME", 0),
        *((hurt(run(1), kind), hurt(run(1), kind), False, "UNVERIFIED", 2) for kind in BLINDING),
        *((hurt(run(1), kind), run(1), False, "UNVERIFIED", 2) for kind in BLINDING),
        *((run(1), hurt(run(2), kind), False, "UNVERIFIED", 2) for kind in BLINDING),
        (run(2), run(2), True, "SAME", 0),
        (run(2), run(3), True, "MISMATCH", 1),
    ],
)
def test_verdict(left: Trace, right: Trace, strict: bool, word: str, exit: int) -> None:
    found = report(left, right, strict=strict)
    assert (found.word, found.exit) == (word, exit)
    assert bool(found.reasons) is (exit == 2)
    for name, form in forms(found).items():
        assert word in form, name


def test_what_a_fault_may_hide_is_named() -> None:
    side = trace([*run(1).records, fault("truncation", "model", "tool", detail="2 lines\x1b[0m\nPASS")])
    found = report(side, run(1))
    (reason,) = found.reasons
    assert reason.startswith("left.jsonl: 1 fault (truncation) may hide model, tool: 2 lines")
    assert "\n" not in reason
    assert "\x1b" not in reason
    assert "anything" in report(run(1), trace([*run(1).records, fault("observer_failed")])).reasons[0]
    many = [replace(fault("truncation", f"m{at}"), id=f"f{at}") for at in range(99)]
    (reason,) = report(trace([*run(1).records, *many]), run(1)).reasons
    assert "99 faults" in reason
    assert "and 87 more" in reason


def test_pairs_that_nobody_could_compare_are_not_the_same() -> None:
    left, right = blind(run(2)), blind(everywhere(run(2), "order 7", "order 8"))
    found = report(left, right)
    assert (found.counts.same, found.counts.not_compared) == (0, len(left.records))
    for name, form in forms(found).items():
        assert "nothing was compared" in form, name
    assert f"0 records the same; {len(left.records)} records not compared" in render_diff_text(found)


# --- what the forms say -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sides",
    [EVERY_KIND, (run(2), run(2)), pair(HOSTILE, "y"), pair(None, [1]), (trace([]), run(1))],
    ids=["every kind", "same", "hostile", "null", "empty"],
)
def test_json_is_what_the_schema_describes(sides: tuple[Trace, Trace]) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    validator.check_schema(SCHEMA)
    for left, right in (sides, sides[::-1]):
        document = json.loads(render_diff_json(report(left, right)))
        validator.validate(document)
        for broken in ({**document, "more": 1}, {**document, "word": "PASS"}, {**document, "changes": [{}]}):
            assert not validator.is_valid(broken)


def test_every_object_of_the_schema_is_closed_and_every_field_described() -> None:
    def objects(node: object) -> list[dict[str, object]]:
        if isinstance(node, list):
            return [found for child in node for found in objects(child)]
        if not isinstance(node, dict):
            return []
        return [node] * ("properties" in node) + [found for child in node.values() for found in objects(child)]

    found = objects(SCHEMA)
    assert len(found) == 8
    for each in found:
        assert each["additionalProperties"] is False
        assert all("description" in field for field in each["properties"].values())  # type: ignore[attr-defined]


EFFECTS = (
    trace([tool("t1"), EFFECT, PolicyRecord(id="p1", policy="refunds", verdict="allow")]),
    trace(
        [
            tool("t1", outcome="error"),
            replace(EFFECT, side_effect=replace(EFFECT.side_effect, op="append")),
            PolicyRecord(id="p1", policy="refunds", verdict="deny"),
        ]
    ),
)


def test_effects_policies_and_outcome_have_sections_of_their_own() -> None:
    found = report(*EFFECTS)
    assert [(each.section, each.lane) for each in found.changes] == [
        ("run", "tool"), ("effects", "side_effect"), ("policies", "policy"),
    ]  # fmt: skip
    text = render_diff_text(found)
    places = [text.index(each) for each in ("~ tool t1", "\neffects:\n~ side_effect e1", "\npolicies:\n~ policy p1")]
    assert places == sorted(places)
    assert "\noutcome: unknown -> denied\n" in text
    shown = render_diff_markdown(found)
    places = [
        shown.index(each) for each in ("    ~ tool t1", "**effects**\n\n    ~ side", "**policies**\n\n    ~ policy")
    ]
    assert places == sorted(places)
    assert "* outcome: unknown -\\> denied\n" in shown
    assert (found.outcome.before, found.outcome.after) == ("unknown", "denied")
    turned = report(*EFFECTS[::-1])
    assert (turned.outcome.before, turned.outcome.after) == ("denied", "unknown")
    for each in forms(report(run(2), run(2))).values():
        assert "effects:" not in each
        assert "outcome:" not in each


def test_every_kind_of_change_is_told() -> None:
    found = report(*EVERY_KIND)
    assert {change.kind for change in found.changes} == {"inserted", "deleted", "changed", "moved"}
    text = render_diff_text(found)
    assert "+ tool s0: new(null) -> ok: null\n" in text
    assert "- tool t2: gone(null) -> ok: null\n" in text
    assert "    $.arguments.a: 1 -> 2\n" in text
    assert " tool | 4 " in text
    assert "> tool" in text
    for sign in ("+ tool s0", "- tool t2", "> tool"):
        assert sign in render_diff_markdown(found)
    stat = render_diff_text(found, stat=True)
    assert "$.arguments.a" not in stat
    assert " tool | 4 " in stat


def test_colour_is_only_put_in_where_it_is_asked_for() -> None:
    found = report(*EVERY_KIND)
    assert "\x1b[32m+ tool s0: new(null) -> ok: null\x1b[0m\n" in render_diff_text(found, colour=True)
    for name, form in forms(found).items():
        assert ("\x1b" in form) is (name == "colour"), name


def test_a_side_that_lacks_a_field_is_absent_and_null_is_null() -> None:
    left, right = trace([tool("t", arguments={"a": None})]), trace([tool("t", arguments={"b": 1})])
    text = render_diff_text(report(left, right))
    assert "$.arguments.a: null -> (absent)" in text
    assert "$.arguments.b: (absent) -> 1" in text


def test_a_long_text_is_shown_around_the_place_where_it_differs() -> None:
    start = "word " * 2000
    found = report(*pair(start + "old" + start, start + "new" + start))
    field = found.changes[0].fields[0]
    assert field.cut
    assert isinstance(field.before, str)
    assert isinstance(field.after, str)
    assert (len(field.before), len(field.after)) == (142, 142)
    assert "word old" in field.before
    assert "word new" in field.after
    assert "word old" in render_diff_text(found)
    assert "word new" in render_diff_text(found)


@pytest.mark.parametrize(
    "value", [list(range(9000)), {str(at): at for at in range(9000)}, [[[[[[[[1]]]]]]]], ["x" * 9000]]
)
def test_a_large_value_that_one_side_has_is_cut(value: JSON) -> None:
    found = report(*pair(None, value))
    assert found.changes[0].fields[0].cut
    assert max(map(len, forms(found).values())) < 5000


def test_what_is_not_compared_is_told() -> None:
    found = report(trace([tool("t", unknown=["$.result"])]), trace([tool("t", result=1)]))
    assert found.counts.unknown == 1
    for name in ("text", "stat", "markdown"):
        assert "not compared, unknown on the left: tool" in forms(found)[name]


def test_a_repeated_change_says_by_how_many() -> None:
    one = run(6)
    found = report(one, everywhere(one, "order 7", "order 8"))
    assert "    repeated by 6 later exchanges\n" in render_diff_text(found)
    assert "7 records the same" not in render_diff_text(found)
    assert found.counts.carried == 6


# --- hostile content ----------------------------------------------------------------------------


def test_what_a_run_said_cannot_look_like_the_report() -> None:
    left = trace([MessageRecord(id="u1\nforged", role="user", content=(TextBlock(text=HOSTILE),))])
    right = trace([MessageRecord(id="u1", role="user", content=(TextBlock(text=HOSTILE + "!"),))])
    for found in (report(left, right), report(*pair(HOSTILE, 1, name="k\nforged: 1 -> 2")), report(left, run(1))):
        for name in ("text", "stat", "markdown"):
            form = forms(found)[name]
            assert "\x1b" not in form
            assert "\r" not in form
            assert not [
                line for line in form.splitlines() if line.strip(" *").startswith(("forged", "PASS", "~ tool t9"))
            ]


def test_markdown_lines_of_changes_are_code() -> None:
    markdown = render_diff_markdown(report(*pair(HOSTILE, "y")))
    for line in markdown.splitlines():
        if "`x`" in line:
            assert line.startswith("    ")


def test_markdown_is_bounded_and_says_what_was_cut() -> None:
    left = trace([tool(f"t{at}", arguments={"a": f"{at} " + "x" * 500}) for at in range(900)])
    right = trace([tool(f"t{at}", arguments={"a": f"{at} " + "y" * 500}) for at in range(900)])
    found = report(left, right)
    assert found.counts.changed == 900
    markdown = render_diff_markdown(found)
    assert len(markdown) < 65_536
    shown = markdown.count("\n    ~ tool")
    assert 50 < shown < 900
    assert f"{900 - shown} more changes not shown" in markdown
    assert "not shown" not in render_diff_markdown(report(*pair(1, 2)))


# --- secrets ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pair(KEY, "x"),
        pair("x" * 5000 + f" key {KEY} " + "x" * 5000, "x" * 5000 + " key none " + "x" * 5000),
        pair({"deep": [KEY]}, None),
        (trace([tool("t1", result=KEY)]), trace([])),
        (trace([]), trace([MessageRecord(id="u", role="user", content=(TextBlock(text=f"my key is {KEY}"),))])),
        (trace(conversation(prompt=f"use {KEY}")), trace(conversation(prompt="use nothing"))),
    ],
    ids=["value", "window", "nested", "deleted", "inserted", "message"],
)
def test_no_form_holds_a_secret(left: Trace, right: Trace) -> None:
    for found in (report(left, right), report(right, left)):
        assert found.exit == 1
        for name, form in forms(found).items():
            assert KEY[8:30] not in form, name
        assert "[[redacted:" in render_diff_json(found)


def test_a_secret_is_known_by_the_name_it_stands_under() -> None:
    found = report(*pair("hunter2hunter2", "correct-horse-9", name="password"))
    for form in forms(found).values():
        assert "hunter2" not in form
        assert "correct-horse" not in form


def test_a_secret_in_a_conversation_is_known_by_its_name_too() -> None:
    def logged_in(secret: str) -> Trace:
        call = ToolCallBlock(id="c", name="login", arguments={"password": secret})
        first = conversation()[0]
        assert isinstance(first, ModelRecord)
        messages = (*first.request.messages, Message(role="assistant", content=(call,)))
        return trace([replace(first, request=replace(first.request, messages=messages))])

    found = report(logged_in("hunter2hunter2"), logged_in("correct-horse-9"))
    assert [field.path for field in found.changes[0].fields] == ["$.request.messages[2].content[0].arguments.password"]
    for form in forms(found).values():
        assert "hunter2" not in form
        assert "correct-horse" not in form


def test_two_secrets_stay_two() -> None:
    field = report(*pair(KEY, KEY[:-6] + "Qq1Ww2")).changes[0].fields[0]
    assert field.before != field.after
    assert "redacted" in str(field.before)
    assert "redacted" in str(field.after)


def test_names_of_files_are_cleaned_too() -> None:
    left, right = run(1), run(1)
    found = diff_report(diff(left, right), left, right, (f"{KEY}.jsonl", "b\nforged"))
    for form in forms(found).values():
        assert KEY[8:30] not in form
    assert not [line for line in render_diff_text(found).splitlines() if line.startswith("forged")]


def test_records_of_every_lane_are_told(every: tuple[Record, ...]) -> None:
    found = report(trace(every), trace([]))
    assert found.counts.deleted == len(every)
    for record in every:
        assert f" {record.id}: " in render_diff_text(found)
