"""The verdict table: each word, each exit, and which beats which."""

import dataclasses
from pathlib import Path

import pytest

from runwright.errors import (
    CapabilityError,
    FlowError,
    IncompleteTrace,
    ReviewError,
    RunwrightError,
    SecretsFound,
    TraceError,
    UnsetVariable,
    UsageError,
)
from runwright.flow import (
    AgentEnd,
    AgentSpec,
    FieldDifference,
    IgnoreSpec,
    MissReport,
    Replay,
    ToolStub,
    Word,
    decide,
    refused,
    skipped,
)
from runwright.flow.spec import McpSpec
from tests.flow.made import FIXED, GOOD, M1, STORY, facts, flow, trace

CALLED = {"assert_tool_call": "issue_refund where amount equals 40"}
ONCE = {"assert_tool_call": {"tool": "issue_refund", "times": 1}}
NEVER = {"assert_tool_call": "delete_customer"}
SAYS = {"assert": "reply contains refunded"}
NO_DELETE = {"assert_no_tool_call": "delete_customer"}
MISS = MissReport(
    reason="no recorded request agrees; the nearest is m1",
    nearest="m1",
    differences=(FieldDifference(path="$.request.model", recorded="a", live="b"),),
)
LATER = MissReport(reason="nothing agrees", later=True)
STALE = (IgnoreSpec(lane="model", path="$.request.parameters.seed"),)
UNTIL = Replay(until="m2")
CUT = trace(M1)
CRASHED = AgentEnd(ended="exited", exit_code=3)
TIMEOUT = AgentEnd(ended="timeout")
NO_EGRESS = "assert_no_egress"


def test_everything_in_order_is_a_plain_pass() -> None:
    done = decide(flow(CALLED, SAYS, NO_DELETE), facts())
    assert (done.word, done.exit, done.summary) == (Word.PASS, 0, "PASS")
    assert [each.state for each in done.judgements] == ["held"] * 3
    assert done.real_tools == ("lookup_order", "issue_refund")
    assert (done.agent_exit, done.reply.source) == (0, "own")


GREEN = [
    (flow(), facts(), "PASS, on matching alone"),
    (flow(CALLED), facts(never_compared=("$.a", "$.b", "$.c")), "PASS, 3 fields never compared"),
    (flow(CALLED), facts(never_compared=("$.a",)), "PASS, 1 field never compared"),
    (flow(ONCE, replay=UNTIL), facts(FIXED, cassette=STORY, miss=LATER), "PASS, not judged after m2"),
    (
        flow(ONCE, replay=UNTIL),
        facts(FIXED, cassette=STORY, miss=LATER, left_over=("m3", "m4"), agent=CRASHED, stale_ignores=STALE),
        "PASS, not judged after m2",
    ),
    (
        flow(replay=UNTIL),
        facts(FIXED, miss=LATER, never_compared=("$.a", "$.b")),
        "PASS, on matching alone, not judged after m2, 2 fields never compared",
    ),
    (flow(CALLED, SAYS), facts(output=None), "PASS, 1 assertion on the recorded reply alone"),
    (
        flow(NEVER, expect="fail"),
        facts(),
        "PASS, fails as expected: assert_tool_call: delete_customer: delete_customer was never called; "
        "called: issue_refund, lookup_order",
    ),
    (
        flow(CALLED, ignore=(IgnoreSpec(lane="model", path="$.request.messages[0]"),)),
        facts(),
        "PASS, $.request.messages[0] ignored",
    ),
    (
        flow(CALLED),
        facts(faults=("interruption: the recorder was killed",)),
        "PASS, the recording is not whole (interruption: the recorder was killed)",
    ),
]


@pytest.mark.parametrize(("spec", "found", "summary"), GREEN)
def test_a_pass_says_what_it_does_not_prove(spec, found, summary) -> None:
    done = decide(spec, found)
    assert (done.summary, done.word, done.exit) == (summary, Word.PASS, 0)


RED = [
    (flow(NEVER), facts(), "delete_customer was never called"),
    (flow(ONCE), facts(STORY), "issue_refund was called twice (m2, m3), exactly 1 wanted"),
    (flow(ONCE, replay=UNTIL), facts(STORY), "called twice"),
    (flow(CALLED), facts(agent=CRASHED), "the agent exited with 3"),
    (flow(CALLED), facts(agent=AgentEnd(ended="exited", exit_code=-9)), "the agent exited with -9"),
    (flow(CALLED), facts(agent=TIMEOUT), "did not end within its time"),
    (flow(ONCE, replay=UNTIL), facts(FIXED, cassette=STORY, miss=LATER, agent=TIMEOUT), "did not end within its time"),
    (flow(CALLED), facts(left_over=("m4",)), "never asked for: m4"),
    (flow(CALLED, replay=UNTIL), facts(left_over=("m4",)), "never asked for: m4"),
    (flow(CALLED), facts(miss=MISS), "no recorded request agrees; the nearest is m1"),
    (flow(), facts(trace(), matched=(), miss=MISS), "no recorded request agrees"),
    (flow(CALLED), facts(miss=dataclasses.replace(MISS, reason="nothing", nearest="m7")), "nothing (nearest m7)"),
    (flow(ONCE, expect="fail"), facts(), "expects it to fail"),
    (flow(expect="fail"), facts(), "expects it to fail"),
    (flow(NEVER, expect="fail"), facts(left_over=("m4",)), "never asked for: m4"),
    (flow(NEVER, expect="fail"), facts(agent=CRASHED), "the agent exited with 3"),
    (flow(NEVER, expect="fail"), facts(miss=MISS), "no recorded request agrees"),
    (flow(NO_DELETE, ONCE, expect="fail", replay=UNTIL), facts(FIXED, miss=LATER), "expects it to fail"),
    (
        flow({"assert_no_tool_call": "issue_refund"}, expect="fail", replay=UNTIL),
        facts(FIXED, miss=LATER),
        "issue_refund",
    ),
    (flow({"assert": "reply contains nonsense"}), facts(output=None), "the recorded reply is"),
    (flow({"assert_tool_call": "lookup_order"}, strict=True), facts(), "nothing claims issue_refund"),
]


@pytest.mark.parametrize(("spec", "found", "why"), RED)
def test_what_does_not_hold_is_red(spec, found, why) -> None:
    done = decide(spec, found)
    assert (done.word, done.exit) == (Word.FAIL, 1)
    assert done.summary.startswith("FAIL, ")
    assert why in done.summary


OPEN = [
    (flow(CALLED), facts(trace(), matched=()), Word.UNVERIFIED, "no exchange was matched"),
    (flow(), facts(trace(), matched=()), Word.UNVERIFIED, "no exchange was matched"),
    (flow(), facts(trace(), matched=(), left_over=("m1",)), Word.UNVERIFIED, "no exchange was matched"),
    (flow(), facts(trace(), matched=(), agent=CRASHED), Word.UNVERIFIED, "also: the agent exited with 3"),
    (flow(SAYS), facts(output=None), Word.UNVERIFIED, "rests on the recorded reply alone"),
    (flow(CALLED, SAYS), facts(output=None, strict=True), Word.UNVERIFIED, "rests on the recorded reply alone"),
    (
        flow({"assert": "reply contains nonsense"}, expect="fail"),
        facts(output=None),
        Word.UNVERIFIED,
        "fails on the recorded reply alone",
    ),
    (flow(CALLED), facts(never_compared=("$.a",), strict=True), Word.UNVERIFIED, "1 field never compared"),
    (flow(CALLED), facts(stale_ignores=STALE), Word.STALE, "$.request.parameters.seed (model) matched nothing"),
    (flow(NO_EGRESS), facts(), Word.CAPABILITY, "network was not held"),
    (flow({"assert_side_effect": "fs_write out.csv"}), facts(), Word.CAPABILITY, "fs_write is not observed here"),
    (flow({"assert_no_side_effect": "db_change"}), facts(), Word.CAPABILITY, "db_change"),
    (flow(CALLED), facts(lacking=("tools cannot be served",)), Word.CAPABILITY, "tools cannot be served"),
    (flow({"assert_no_secret_leak": "ORDER_TOKEN"}), facts(), Word.UNVERIFIED, "ORDER_TOKEN is not set"),
    (flow(SAYS, replay=UNTIL), facts(), Word.INVALID, "the reply comes after m2"),
    (flow({"assert_outcome": "success"}, replay=UNTIL), facts(), Word.INVALID, "decided after m2"),
    (
        flow({"assert_tool_call": {"tool": "issue_refund", "times": 2}}, replay=UNTIL),
        facts(STORY),
        Word.INVALID,
        "asks for issue_refund once, and 2 are needed",
    ),
    (flow(CALLED), facts(agent=AgentEnd(ended="not_started", error="No such file")), Word.INVALID, "No such file"),
    (flow(CALLED), facts(agent=AgentEnd(ended="interrupted")), Word.UNVERIFIED, "interrupted"),
    # two beat one
    (flow(NEVER, NO_EGRESS), facts(), Word.CAPABILITY, "also: assert_tool_call: delete_customer"),
    (flow(NEVER), facts(stale_ignores=STALE), Word.STALE, "also: assert_tool_call: delete_customer"),
    (flow(NO_EGRESS), facts(miss=MISS), Word.CAPABILITY, "also: no recorded request agrees"),
    (flow(NEVER, NO_EGRESS, expect="fail"), facts(), Word.CAPABILITY, "network"),
    # and among twos
    (flow(SAYS, NO_EGRESS, replay=UNTIL), facts(stale_ignores=STALE), Word.INVALID, "matched nothing"),
    (flow(NO_EGRESS), facts(stale_ignores=STALE), Word.CAPABILITY, "matched nothing"),
    (flow(NO_EGRESS), facts(agent=AgentEnd(ended="not_started", error="gone")), Word.INVALID, "gone"),
    (flow(), facts(trace(), matched=(), stale_ignores=STALE), Word.STALE, "no exchange was matched"),
]


@pytest.mark.parametrize(("spec", "found", "word", "why"), OPEN)
def test_what_could_not_be_judged_is_two(spec, found, word, why) -> None:
    done = decide(spec, found)
    assert (done.word, done.exit) == (word, 2)
    assert done.summary.startswith(f"{word.value}, ")
    assert why in done.summary


def test_after_a_miss_what_was_not_reached_is_not_judged_and_the_exit_stays_one() -> None:
    spec = flow({"assert_tool_call": "lookup_order"}, CALLED, SAYS, NO_DELETE)
    done = decide(spec, facts(CUT, output="", miss=MISS, left_over=("m2", "m3"), stale_ignores=STALE, agent=CRASHED))
    assert (done.word, done.exit) == (Word.FAIL, 1)
    assert [each.state for each in done.judgements] == ["not_judged"] * 4
    assert done.not_judged == (
        "assert_tool_call: lookup_order",
        "assert_tool_call: issue_refund where amount equals 40",
        'assert: reply contains "refunded"',
        "assert_no_tool_call: delete_customer",
        "ignore $.request.parameters.seed (model)",
    )
    assert done.miss is MISS
    assert done.left_over == ("m2", "m3")


def test_after_a_miss_what_was_found_stays_found() -> None:
    spec = flow({"assert_tool_call": "lookup_order"}, {"assert_no_tool_call": "issue_refund"}, ONCE, NEVER)
    done = decide(spec, facts(STORY, miss=MISS))
    assert [each.state for each in done.judgements] == ["held", "failed", "failed", "not_judged"]
    assert "issue_refund" in done.summary


def test_an_ignore_is_not_stale_where_the_recording_was_not_reached() -> None:
    done = decide(flow(CALLED), facts(left_over=("m4",), stale_ignores=STALE))
    assert (done.word, done.exit) == (Word.FAIL, 1)
    assert done.not_judged == ("ignore $.request.parameters.seed (model)",)


def test_after_a_later_miss_the_left_over_are_listed_as_not_judged() -> None:
    done = decide(flow(ONCE, replay=UNTIL), facts(FIXED, cassette=STORY, miss=LATER, left_over=("m3", "m4")))
    assert (done.left_over, done.not_judged) == ((), ("m3", "m4"))
    assert done.judgements[0].state == "held"


def test_tools_run_for_real_only_where_the_flow_lets_them() -> None:
    served = AgentSpec(command=("a",), tools="served")
    assert decide(flow(CALLED, agent=served), facts()).real_tools == ()
    stand_in = (McpSpec(name="shop", command=("a",), tools=(ToolStub(name="lookup_order"),)),)
    assert decide(flow(CALLED, mcp=stand_in), facts(real_tools=("other",))).real_tools == ("issue_refund", "other")


def test_an_ignored_prompt_is_in_the_notes() -> None:
    done = decide(flow(CALLED, ignore=(IgnoreSpec(lane="model", path="$.request.messages[0]"),), notes=("n",)), facts())
    assert done.notes[0] == "n"
    assert "the recorded decisions were served" in done.notes[1]


# --- without an agent ------------------------------------------------------------------------------


def alone(*steps: object, **fields: object):
    return dataclasses.replace(flow(*steps, **fields), agent=None)


def recording(live=GOOD, **fields: object):
    return facts(live, output=None, agent=None, matched=(), **fields)


def test_a_flow_without_an_agent_is_open_unless_told() -> None:
    done = decide(alone(CALLED, SAYS), recording())
    assert (done.word, done.exit) == (Word.UNVERIFIED, 2)
    assert "--recording-only" in done.summary
    told = decide(alone(CALLED, SAYS), recording(recording_only=True))
    assert (told.word, told.exit, told.summary) == (Word.PASS, 0, "PASS, of its own recording only")


def test_a_recording_can_fail_its_own_flow() -> None:
    done = decide(alone(NEVER), recording(recording_only=True))
    assert (done.word, done.exit) == (Word.FAIL, 1)
    assert decide(alone(NEVER), recording()).exit == 2
    assert decide(alone(NEVER, expect="fail"), recording(recording_only=True)).exit == 0


def test_nothing_to_check_and_no_agent_is_no_pass() -> None:
    done = decide(alone(), recording(recording_only=True))
    assert (done.word, done.exit) == (Word.UNVERIFIED, 2)


# --- flows that never ran ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "word", "exit"),
    [
        (FlowError("unknown key 'nme'"), Word.INVALID, 2),
        (UnsetVariable("${X} is not set"), Word.INVALID, 2),
        (UsageError("no exchange m9"), Word.INVALID, 2),
        (CapabilityError("app: http"), Word.CAPABILITY, 2),
        (TraceError("not JSON"), Word.UNVERIFIED, 2),
        (IncompleteTrace("no seal"), Word.UNVERIFIED, 2),
        (ReviewError("pending"), Word.STALE, 2),
        (SecretsFound("a key"), Word.FAIL, 1),
        (RunwrightError("?"), Word.UNVERIFIED, 2),
    ],
)
def test_what_keeps_a_flow_from_running_is_a_verdict(error, word, exit) -> None:
    error.place, error.hint = "a.flow.yaml:3", "mend it"
    done = refused(Path("flows/a.flow.yaml"), error)
    assert (done.word, done.exit, done.name) == (word, exit, "a.flow.yaml")
    assert done.summary == f"{word.value}, a.flow.yaml:3: {error.message}"
    assert done.notes == ("hint: mend it",)


def test_a_skipped_flow_is_no_pass() -> None:
    done = skipped(flow(CALLED), ("STAGING",))
    assert (done.word, done.exit) == (Word.UNVERIFIED, 2)
    assert "STAGING" in done.summary
