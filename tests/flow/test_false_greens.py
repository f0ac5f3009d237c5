"""Greens that other tools show for agents that misbehave: each is a scenario here, and each is red."""

from pathlib import Path

import pytest

from runwright.errors import Exit, FlowError
from runwright.flow import AgentEnd, Surroundings, Word, decide, evidence_of, judge, parse_flow, skipped
from runwright.flow.judge import judge_flow
from runwright.flow.structured import assertion_of
from runwright.trace.model import SideEffect, SideEffectRecord, TextBlock, ToolCallBlock, Trace
from tests.flow.made import DONE, GOOD, M1, M2, STORY, USER, call, facts, flow, result, said, trace, turn

HEAD = "name: n\napp: agent\nagent: {command: python agent.py}\nsteps:\n  - prompt: Refund it.\n"


def state(step: str, live: Trace, *, environment: dict[str, str] | None = None, output: str | None = None) -> str:
    """What becomes of one step of a flowproof flow on a live side."""
    spec = parse_flow(f"{HEAD}  - {step}\n".encode(), Path("a.flow.yaml"), environment or {})
    surroundings = Surroundings(output=output, environment=environment or {})
    (found,) = judge_flow(spec, evidence_of(live, surroundings), live, whole=True)
    return found.state


def verdict(**more: object) -> tuple[Word, int]:
    found = decide(flow({"assert_tool_call": "issue_refund"}), facts(**more))
    return found.word, found.exit


# --- flows that did not run, or ran badly ----------------------------------------------------------


def test_a_skipped_flow_is_no_pass() -> None:
    found = skipped(flow(skip_unless_env=("A",)), ("A",))
    assert (found.word, found.exit) == (Word.UNVERIFIED, 2)


@pytest.mark.parametrize("code", [1, 3, 127, -9])
def test_the_exit_code_counts_even_where_every_exchange_matched(code: int) -> None:
    assert verdict() == (Word.PASS, 0)
    assert verdict(agent=AgentEnd(ended="exited", exit_code=code)) == (Word.FAIL, 1)


def test_an_agent_that_never_called_a_model_is_no_pass() -> None:
    assert verdict(live=trace(), matched=()) == (Word.UNVERIFIED, 2)


def test_exchanges_that_were_never_asked_for_are_no_pass() -> None:
    assert verdict(left_over=("m4",)) == (Word.FAIL, 1)


def test_a_flow_that_asserts_nothing_says_so() -> None:
    found = decide(flow(), facts())
    assert found.summary == "PASS, on matching alone"
    assert decide(flow(), facts(live=trace(), matched=())).exit == 2


@pytest.mark.parametrize(
    "step",
    [
        "assert_tool_call: t where",
        "assert_tool_call: t where a matches [",
        "assert: reply says x",
        "assert_no_tool_call: a b",
    ],
)
def test_a_clause_that_cannot_be_read_is_a_wrong_flow_not_a_failed_test(step: str) -> None:
    with pytest.raises(FlowError) as caught:
        parse_flow(f"{HEAD}  - {step}\n".encode(), Path("a.flow.yaml"), {})
    assert caught.value.exit_code is Exit.NOT_JUDGED


# --- tool calls ------------------------------------------------------------------------------------


def test_a_call_that_a_served_reply_asks_for_and_the_agent_never_makes_is_not_called() -> None:
    assert state("assert_tool_call: issue_refund", trace(M1, M2)) == "failed"
    assert state("assert_tool_call: issue_refund", GOOD) == "held"


def test_an_attempt_is_enough_for_a_forbidden_call() -> None:
    assert state("assert_no_tool_call: issue_refund", trace(M1, M2)) == "failed"
    assert state("assert_no_tool_call: delete_customer", trace(M1, M2)) == "held"


@pytest.mark.parametrize(
    ("where", "held"),
    [
        ("amount equals 40", False),
        ("amount equals 40.0", False),
        ("amount is 41", True),
        ("order_id contains A-", False),
        ("order_id matches ^A-[0-9]$", False),
        ("order_id matches A-2", True),
        ("note exists", True),
        ("note is absent", False),
    ],
)
def test_a_forbidden_call_is_told_by_its_arguments(where: str, held: bool) -> None:
    assert state(f"assert_no_tool_call: issue_refund where {where}", GOOD) == ("held" if held else "failed")


TAGGED = turn("m1", USER, call("c1", "tag", tags=["vip", "eu"], extra={"b": 1}))


@pytest.mark.parametrize(
    "where", ['tags equals ["vip","eu"]', 'tags contains "vip","eu"', 'extra contains "b"', 'extra is {"b":1}']
)
def test_lists_and_objects_are_compared_as_their_text_so_that_a_ban_on_one_bites(where: str) -> None:
    assert state(f"assert_no_tool_call: 'tag where {where}'", trace(TAGGED)) == "failed"


def test_a_pattern_that_would_match_less_here_than_there_is_refused() -> None:
    spec = f"{HEAD}  - assert_no_tool_call: t where a matches [[:digit:]]\n"
    with pytest.raises(FlowError, match="within"):
        parse_flow(spec.encode(), Path("a.flow.yaml"), {})


def test_an_end_of_line_in_a_pattern_is_the_end() -> None:
    sent = trace(
        turn("m1", USER, call("c1", "t", a="x\n")),
        turn("m2", [*USER, said("assistant", call("c1", "t", a="x\n")), result("c1", "ok")], "Done."),
    )
    assert state("assert_tool_call: t where a matches ^x$", sent) == "failed"


def test_order_is_the_order_of_the_steps() -> None:
    spec = flow({"assert_tool_call": "issue_refund"}, {"assert_tool_call": "lookup_order"})
    found = judge_flow(spec, evidence_of(GOOD, Surroundings()), GOOD, whole=True)
    assert [each.state for each in found] == ["held", "failed"]


BROKEN = ToolCallBlock(id="c9", name="issue_refund", arguments_text='{"amount": 40')
BROKEN_RUN = trace(
    turn("m1", USER, BROKEN), turn("m2", [*USER, said("assistant", BROKEN), result("c9", "no JSON")], "Sorry.")
)


def test_arguments_that_are_no_json_have_nothing_that_could_be_absent() -> None:
    assert state("assert_tool_call: issue_refund", BROKEN_RUN) == "held"
    assert state("assert_tool_call: issue_refund where note is absent", BROKEN_RUN) == "failed"
    assert state("assert_tool_call: issue_refund where amount equals 40", BROKEN_RUN) == "failed"
    assert judge(assertion_of("assert_tool_call", "issue_refund where $ contains amount", "f"),
                 evidence_of(BROKEN_RUN, Surroundings())).state == "held"  # fmt: skip


# --- strict ----------------------------------------------------------------------------------------


LOOKUP, REFUND = {"assert_tool_call": "lookup_order"}, {"assert_tool_call": "issue_refund"}


def strict(live: Trace, *steps: object) -> str:
    spec = flow(*steps, strict=True)
    return judge_flow(spec, evidence_of(live, Surroundings()), live, whole=True)[-1].state


def refund(**bounds: int) -> dict[str, object]:
    return {"assert_tool_call": {"tool": "issue_refund", **bounds}}


@pytest.mark.parametrize(
    ("live", "steps", "expected"),
    [
        (GOOD, [LOOKUP, REFUND], "held"),
        (GOOD, [LOOKUP], "failed"),
        (STORY, [LOOKUP, REFUND], "failed"),  # the second refund is nobody's
        (STORY, [LOOKUP, REFUND, REFUND], "held"),
        (STORY, [LOOKUP, refund(times=2)], "held"),
        (STORY, [LOOKUP, refund(at_least=2)], "held"),
        (STORY, [LOOKUP, refund(at_most=2)], "held"),
        (STORY, [LOOKUP, refund(at_most=1)], "failed"),
        (GOOD, [LOOKUP, {"assert_no_tool_call": "issue_refund"}], "failed"),
    ],
)
def test_an_assertion_claims_the_calls_that_it_counts_and_no_more(
    live: Trace, steps: list[object], expected: str
) -> None:
    assert strict(live, *steps) == expected


def test_a_call_that_is_asked_for_and_never_made_is_unclaimed_too() -> None:
    assert strict(trace(M1, M2), LOOKUP) == "failed"


# --- the reply -------------------------------------------------------------------------------------


def test_a_served_reply_proves_nothing_about_the_agent() -> None:
    assert state("assert: reply contains refunded", GOOD, output=None) == "unverified"
    assert state("assert: reply contains refunded", GOOD, output="Your 40 are refunded.") == "held"
    assert state("assert: reply contains refunded", GOOD, output="An error occurred.") == "failed"
    assert decide(flow({"assert": "reply contains refunded"}), facts(output=None)).exit == 2


def test_the_whole_text_counts_also_where_it_has_an_and() -> None:
    assert state("assert: reply is refunded and sent", GOOD, output="It is refunded.") == "failed"


# --- secrets ---------------------------------------------------------------------------------------

SECRET = 'blue"horse\n7'


def leaking(text: str) -> Trace:
    return trace(turn("m1", [said("user", TextBlock(text=text))], "Done."))


@pytest.mark.parametrize(
    "text",
    [
        SECRET,
        f"the key is {SECRET}!",
        'blue\\"horse\\n7',
        SECRET.encode().hex(),
        "Ymx1ZSJob3JzZQo3",
        "blue%22horse%0A7",
    ],
)
def test_a_secret_is_found_in_the_live_run_however_it_is_written(text: str) -> None:
    step = "assert_no_secret_leak: ${TOKEN}"
    assert state(step, leaking(text), environment={"TOKEN": SECRET}) == "failed"
    assert state(step, leaking("harmless"), environment={"TOKEN": SECRET}) == "held"


def test_a_secret_in_the_agents_own_output_is_found() -> None:
    found = state("assert_no_secret_leak: ${TOKEN}", GOOD, environment={"TOKEN": "blue-horse"}, output="blue-horse")
    assert found == "failed"


@pytest.mark.parametrize("value", ["", "a", "abc"])
def test_a_secret_too_short_to_be_told_from_other_text_is_not_judged(value: str) -> None:
    assert state("assert_no_secret_leak: ${TOKEN}", GOOD, environment={"TOKEN": value}) == "not_judged"
    assert state("assert_no_secret_leak: ${TOKEN}", GOOD) == "not_judged"


def test_one_secret_that_cannot_be_judged_keeps_the_step_from_holding() -> None:
    step = "assert_no_secret_leak: ['${TOKEN}', '${GONE}']"
    assert state(step, GOOD, environment={"TOKEN": "blue-horse"}) == "not_judged"
    assert state(step, leaking("blue-horse"), environment={"TOKEN": "blue-horse"}) == "failed"


# --- effects ---------------------------------------------------------------------------------------


def test_what_nobody_watched_is_no_absence() -> None:
    for step in ("assert_no_side_effect: fs_write", "assert_no_side_effect: http_request", "assert_no_egress"):
        assert state(step, GOOD) == "capability"


def test_an_effect_that_was_seen_fails_and_a_reserved_kind_is_no_pass() -> None:
    effect = SideEffectRecord(id="e1", side_effect=SideEffect(kind="fs_write", target="/etc/hosts"))
    live = trace(M1, M2, DONE, effect, fs_write="observed")
    assert state("assert_no_side_effect: fs_write", live) == "failed"
    assert state("assert_no_side_effect: fs_write", trace(M1, M2, DONE, fs_write="observed")) == "held"
    assert state("assert_no_side_effect: sap_transaction", live) == "capability"
