"""What may be said of what drifted: nothing that was not compared is a pass, and no trace is not a few."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from runwright.drift import Comparison, Difference, Verdict, set_drift
from runwright.errors import FlowError, IncompleteTrace, RunwrightError
from runwright.reports.drift import AgentDriftReport, SetDriftReport, agent_drift_report, render_drift_text
from runwright.reports.drift.model import DriftField
from runwright.reports.drift.report import EXITS, NO_TRACE, NOTHING, is_digest, set_drift_report, worst
from runwright.reports.model import Problem
from runwright.survey import AgentSurvey, SetSurvey, Surveyed, Unread
from runwright.trace import Trace, digest
from tests.drift.made import bare, drift, spec, tool, trace
from tests.drift.test_sets import blind, run, tool_only

SAME = Comparison(compared=("$.tools",))
LESS = Comparison(compared=("$.tools",), not_compared=("$.model: the agent does not say",))
DRIFTED = Comparison(differences=(Difference("$.model", "a", "b"),), compared=("$.model",))
UNKNOWN = Comparison(compared=("$.model",))
KEY = "sk-proj-" + "Zq3xV7bK9mT2" * 4
FAULT = IncompleteTrace("its seal is missing or wrong", hint="seal it")


def surveyed(*traces: Trace, unread: tuple[Unread, ...] = (), notes: tuple[str, ...] = ()) -> Surveyed:
    found = tuple((f"{at}.jsonl", each) for at, each in enumerate(traces))
    return Surveyed(traces=found, flows=(), unread=unread, notes=notes, files=len(traces))


def of_agent(*judged: Comparison, unread: tuple[Unread, ...] = (), strict: bool = False) -> AgentDriftReport:
    named = tuple((f"{at}.jsonl", each) for at, each in enumerate(judged))
    found = AgentSurvey(surveyed(unread=unread, notes=("a copy",)), named)
    return agent_drift_report(found, "desk:spec", strict=strict)


def of_sets(one: Surveyed, other: Surveyed, *, strict: bool = False, behaviours_only: bool = False) -> SetDriftReport:
    found = set_drift(one.traces, other.traces, behaviours_only=behaviours_only)
    return set_drift_report(SetSurvey(one, other, found), ("before", "after"), strict=strict)


# --- traces against an agent --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("judged", "verdict"),
    [
        ([SAME], "SAME"),
        ([SAME, LESS], "SAME"),
        ([SAME, DRIFTED], "DRIFTED"),
        ([DRIFTED, UNKNOWN], "UNVERIFIED"),
        ([UNKNOWN], "UNVERIFIED"),
        ([], "UNVERIFIED"),
    ],
)
def test_the_worst_of_all_traces(judged: list[Comparison], verdict: Verdict) -> None:
    found = of_agent(*judged)
    assert (found.verdict, found.exit) == (verdict, {"SAME": 0, "DRIFTED": 1, "UNVERIFIED": 2}[verdict])
    assert found.exit == EXITS[verdict]
    assert found.notes == ("a copy",)
    assert [each.message for each in found.problems] == ([] if judged else [NO_TRACE])


def test_what_could_not_be_read_is_not_passed_over() -> None:
    found = of_agent(SAME, unread=(Unread("cut.jsonl", FAULT),))
    assert (found.verdict, found.exit) == ("UNVERIFIED", 2)
    assert found.problems == (Problem(message=FAULT.message, place="cut.jsonl", hint="seal it"),)
    (problem,) = of_agent(unread=(Unread("cut.jsonl", FAULT),)).problems
    assert problem.message != NO_TRACE


@pytest.mark.parametrize(
    ("verdicts", "problems", "expected"),
    [
        ([], (), "SAME"),
        (["SAME"], (Problem(message="x"),), "UNVERIFIED"),
        (["DRIFTED"], (Problem(message="x"),), "UNVERIFIED"),
        (["SAME", "UNVERIFIED"], (), "UNVERIFIED"),
        (["DRIFTED", "UNVERIFIED"], (), "UNVERIFIED"),
        (["SAME", "DRIFTED"], (), "DRIFTED"),
    ],
)
def test_which_is_the_worst(verdicts: list[Verdict], problems: tuple[Problem, ...], expected: Verdict) -> None:
    assert worst(verdicts, problems) == expected


@pytest.mark.parametrize(
    ("judged", "loosely", "strictly"),
    [
        (SAME, ("SAME", ""), ("SAME", "")),
        (LESS, ("SAME", ""), ("UNVERIFIED", "1 facts were not compared")),
        (UNKNOWN, ("UNVERIFIED", NOTHING), ("UNVERIFIED", NOTHING)),
        (DRIFTED, ("DRIFTED", ""), ("DRIFTED", "")),
    ],
    ids=["all compared", "a fact not compared", "nothing that tells", "drifted"],
)
def test_with_strict_everything_must_be_compared(
    judged: Comparison, loosely: tuple[str, str], strictly: tuple[str, str]
) -> None:
    for strict, expected in ((False, loosely), (True, strictly)):
        (found,) = of_agent(judged, strict=strict).traces
        assert (found.verdict, found.reason) == expected


@pytest.mark.parametrize(
    ("error", "place"),
    [
        (FlowError("no"), "a.yaml"),
        (FlowError("no", place="a.yaml:3"), "a.yaml:3"),
        (FlowError("no", place="c.jsonl"), "a.yaml: c.jsonl"),
    ],
)
def test_a_problem_has_the_place_of_its_file(error: RunwrightError, place: str) -> None:
    (problem,) = of_agent(SAME, unread=(Unread("a.yaml", error),)).problems
    assert problem.place == place


def test_a_digest_is_shown_and_other_texts_are_cleaned() -> None:
    assert is_digest(digest("x"))
    assert not is_digest(digest("x") + "0")
    assert not is_digest(7)


def shown(difference: Difference) -> DriftField:
    """The one difference as the report shows it."""
    (found,) = of_agent(Comparison(differences=(difference,))).traces[0].differences
    return found


def test_a_difference_as_it_is_shown() -> None:
    assert shown(Difference("$.model", "a", "b")) == DriftField(path="$.model", recorded="a", current="b")
    gone = Difference("$.tools.refund", {"description": "d"}, msgspec.UNSET, "refund")
    assert shown(gone) == DriftField(path="$.tools.refund", recorded={"description": "d"}, tool="refund")
    came = Difference("$.parameters.seed", msgspec.UNSET, 7)
    assert shown(came) == DriftField(path="$.parameters.seed", current=7)
    kept = Difference("$.model", digest("a"), "b", digest_only=True)
    assert shown(kept) == DriftField(path="$.model", recorded=digest("a"), current="b", digest_only=True)
    assert shown(Difference("$.model", "x" * 500, "x" * 500 + "y")).cut


@pytest.mark.parametrize("path", ["$.policies.password", "$.policies.password[0]", "$.parameters.api_key"])
def test_a_value_is_cleaned_under_the_name_of_its_field_unless_it_is_a_digest(path: str) -> None:
    secret = "Tr0ub4dor-and-3"
    for difference in (
        Difference(path, secret, secret + "x"),
        Difference(path, secret, digest(secret), digest_only=True),
        Difference(path, msgspec.UNSET, secret),
    ):
        assert secret not in msgspec.json.encode(shown(difference)).decode()
    both = shown(Difference(path, digest("a"), digest("b"), digest_only=True))
    assert (both.recorded, both.current) == (digest("a"), digest("b"))
    said = shown(Difference(path, digest("a"), digest("b")))  # a value that looks like a digest of ours is a value
    assert digest("a") not in msgspec.json.encode(said).decode()


def test_the_name_of_a_tool_is_cleaned() -> None:
    found = shown(Difference(f"$.tools.{KEY}", msgspec.UNSET, {"description": ""}, KEY))
    assert isinstance(found.tool, str)
    assert KEY not in found.path + found.tool
    assert "redacted" in found.tool


# --- two sets -----------------------------------------------------------------------------------


def test_sets_that_are_the_same() -> None:
    found = of_sets(surveyed(run("refund")), surveyed(run("refund"), run("refund", "refund"), run("refund")))
    assert (found.verdict, found.exit) == ("DRIFTED", 1)
    found = of_sets(surveyed(run("refund"), notes=("a",)), surveyed(run("refund"), run("refund"), notes=("b",)))
    assert (found.verdict, found.exit, found.problems, found.notes) == ("SAME", 0, (), ("a", "b"))
    assert (found.baseline_traces, found.current_traces) == (1, 2)


@pytest.mark.parametrize("empty", ["before", "after"])
def test_a_set_without_a_trace_is_told(empty: str) -> None:
    sides = {name: surveyed(*([] if name == empty else [run("refund")])) for name in ("before", "after")}
    found = of_sets(sides["before"], sides["after"])
    assert (found.verdict, found.exit) == ("UNVERIFIED", 2)
    assert found.problems == (Problem(message=NO_TRACE, place=empty),)


@pytest.mark.parametrize("side", [0, 1])
def test_what_of_a_set_could_not_be_read_is_not_passed_over(side: int) -> None:
    broken = surveyed(run("refund"), unread=(Unread("cut.jsonl", FAULT),))
    sides = [surveyed(run("refund")), broken]
    found = of_sets(*(sides if side else reversed(sides)))
    assert (found.verdict, [each.place for each in found.problems]) == ("UNVERIFIED", ["cut.jsonl"])


def test_specifications_that_nobody_knows() -> None:
    found = of_sets(surveyed(tool_only()), surveyed(tool_only()))
    assert (found.verdict, found.exit) == ("UNVERIFIED", 2)
    assert [each.not_compared for each in found.specifications] == [(NOTHING,)] * 2
    assert of_sets(surveyed(tool_only()), surveyed(tool_only()), behaviours_only=True).exit == 0
    text = render_drift_text(found)
    assert text.count("UNVERIFIED  specification comparable with nothing: 0.jsonl") == 2
    assert f"  not compared: {NOTHING}\n" in text


def test_members_of_sets_in_the_report() -> None:
    found = of_sets(surveyed(run("refund")), surveyed(run("look", prompt="You pay."), tool_only()))
    first = found.behaviours[0]
    assert (first.state, first.baseline, first.current, first.nearest) == ("new", (), ("0.jsonl",), ("0.jsonl",))
    differences = {each.path: (each.recorded, each.current) for each in first.differences}
    assert differences["$.tools"] == ("refund(order: string)", "look(order: string)")
    assert [(each.path, each.recorded, each.current) for each in found.specifications[0].differences] == [
        ("$.system_prompt", "You refund.", "You pay.")
    ]
    new, silent, gone = found.specifications
    assert (new.state, silent.state, gone.state) == ("new", "not_judged", "gone")
    assert new.not_compared == gone.not_compared == ()
    assert silent.not_compared[0] == "$.system_prompt: the current set does not say"
    (same,) = of_sets(surveyed(run("refund")), surveyed(run("refund"))).specifications
    assert (same.state, same.not_compared, same.differences) == ("same", (), ())


def test_with_strict_every_fact_of_a_specification_must_be_compared() -> None:
    known, less = surveyed(run("refund")), surveyed(blind("$.request.tools"))
    found = of_sets(less, known)
    assert (found.verdict, found.specifications[0].not_compared) == ("SAME", ("$.tools: the baseline does not say",))
    less = surveyed(blind("$.request.tools"), notes=("a copy",))
    found = of_sets(less, known, strict=True)
    assert (found.verdict, found.exit, found.notes) == ("UNVERIFIED", 2, ("a copy", "1 facts were not compared"))
    assert of_sets(known, known, strict=True).verdict == "SAME"


def test_reasons_beyond_a_few_are_counted_in_the_text() -> None:
    found = of_sets(surveyed(bare(None)), surveyed(run("refund")), behaviours_only=True)
    line = next(line for line in render_drift_text(found).splitlines() if line.startswith("  not compared:"))
    assert line.count("; ") == 4
    assert line.endswith(f" and {len(found.behaviours[0].not_compared) - 5} more")


# --- as text ------------------------------------------------------------------------------------


def lines(found: AgentDriftReport | SetDriftReport) -> list[str]:
    return render_drift_text(found).splitlines()


def test_text_of_traces_against_an_agent() -> None:
    assert lines(of_agent(SAME, LESS, DRIFTED, UNKNOWN, unread=(Unread("cut.jsonl", FAULT),))) == [
        "SAME        0.jsonl",
        "  compared: tools",
        "SAME        1.jsonl",
        "  compared: tools",
        "  not compared: $.model: the agent does not say",
        "DRIFTED     2.jsonl",
        '  $.model: "a" -> "b"',
        "  compared: model",
        f"UNVERIFIED  3.jsonl: {NOTHING}",
        "  compared: model",
        "could not be judged: cut.jsonl: its seal is missing or wrong",
        "    hint: seal it",
        "note: a copy",
        "UNVERIFIED: desk:spec against 4 traces: 2 same, 1 drifted, 2 could not be judged",
    ]


def test_text_of_facts_and_of_digests() -> None:
    kept = trace(tools=[])
    found = drift(kept, spec(tools=tuple(tool(name=f"t{at}") for at in range(9)), system_prompt="New."))
    text = "\n".join(lines(of_agent(found)))
    assert "compared: system_prompt, model, parameters, tools (10 facts)" in text
    digests = Comparison(differences=(Difference("$.model", digest("a"), "b", digest_only=True),))
    assert lines(of_agent(digests))[1:3] == [
        f'  $.model: "{digest("a")}" -> "b"  (a side keeps a digest only, not the value)',
        "  compared: nothing",
    ]


def test_text_of_sets() -> None:
    before = surveyed(*[run("refund")] * 2, run("look"), *[run("close")] * 7)
    after = surveyed(*[run("refund")] * 3, run("look", "look"), *[run("close")] * 7)
    assert [each for each in lines(of_sets(before, after)) if not each.startswith(("  not", "  $"))] == [
        "SAME        behaviour in both: 2 traces and 3, such as 0.jsonl",
        "SAME        behaviour in both: 7 traces and 7, such as 4.jsonl",
        "DRIFTED     behaviour only in the current set: 3.jsonl",
        "  nearest: 2.jsonl",
        "DRIFTED     behaviour only in the baseline: 2.jsonl",
        "  nearest: 3.jsonl",
        "SAME        specification in both: 10 traces and 11, such as 0.jsonl",
        "DRIFTED: before (10 traces) -> after (11)",
    ]


def test_what_stands_at_a_new_one_is_not_said_again_at_the_gone_one() -> None:
    before, after = surveyed(run("refund")), surveyed(run("refund", prompt="You pay."))
    text = lines(of_sets(before, after))
    assert text.count('  $.system_prompt: "You refund." -> "You pay."') == 1
    less = surveyed(run("refund", prompt="You pay."), run("refund", prompt="You pay.", tools=()))
    text = lines(of_sets(less, before))
    assert text.count('  $.system_prompt: "You pay." -> "You refund."') == 2  # of another pair it is said


def test_many_traces_are_counted() -> None:
    found = of_sets(surveyed(run("look")), surveyed(*[run("refund")] * 7))
    assert "DRIFTED     behaviour only in the current set: 0.jsonl, 1.jsonl, 2.jsonl, 3.jsonl, 4.jsonl and 2 more" in (
        lines(found)
    )


def test_colours_are_for_terminals() -> None:
    found = of_agent(SAME)
    assert "\x1b" not in render_drift_text(found)
    assert render_drift_text(found, colour=True).startswith("\x1b[32mSAME      \x1b[0m  0.jsonl\n")
    assert render_drift_text(of_agent(DRIFTED), colour=True).splitlines()[-1].startswith("\x1b[31mDRIFTED")
    assert render_drift_text(of_agent(UNKNOWN), colour=True).splitlines()[-1].startswith("\x1b[33mUNVERIFIED")


def test_names_places_and_notes_are_cleaned() -> None:
    unread = (Unread(str(Path(KEY)), FlowError(f"bad {KEY}", hint=KEY)),)
    lacking = Comparison(compared=(f"$.tools.{KEY}",), not_compared=(f"$.policies.{KEY}: x",), notes=(KEY,))
    side = Surveyed(traces=((f"{KEY}.jsonl", run("refund")),), flows=(), unread=unread, notes=(KEY,), files=1)
    agent = agent_drift_report(AgentSurvey(side, ((f"{KEY}.jsonl", lacking),)), f"{KEY}:spec")
    for one, other in ((side, side), (surveyed(), surveyed()), (side, surveyed(run("look", prompt=KEY)))):
        found = set_drift_report(SetSurvey(one, other, set_drift(one.traces, other.traces)), (KEY, KEY))
        for report in (agent, found):
            assert KEY not in msgspec.json.encode(report).decode()
            assert KEY not in render_drift_text(report)
