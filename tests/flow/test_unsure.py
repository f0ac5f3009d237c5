"""What an assertion cannot be told to hold is not judged, and never a pass."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from runwright.flow import Surroundings, evidence_of, judge, parse_flow
from runwright.flow.judge import judge_flow
from runwright.flow.structured import assertion_of
from runwright.trace.model import JSON, FaultRecord, Message, ModelRecord, OtherBlock, ToolCallBlock, Trace
from tests.flow.made import GOOD, M1, PROMPT, USER, call, result, said, trace, turn

TALK = [
    {"user": PROMPT},
    {"user": "And now?", "assert_no_tool_call": "delete_customer", "assert": "reply contains Two"},
]
LATER = [*USER, said("assistant", "One."), said("user", "And now?")]


def states(live: Trace, *, steps: list[JSON], output: str | None = None, **more: JSON) -> list[str]:
    agent: JSON = {"command": "python agent.py", "tools": "real"}
    form = {"flow": 1, "name": "t", "app": "agent", "agent": agent, "steps": steps, **more}
    spec = parse_flow(json.dumps(form).encode(), Path("t.flow.yaml"), {})
    return [each.state for each in judge_flow(spec, evidence_of(live, Surroundings(output=output)), live, whole=True)]


def dated(exchange: ModelRecord, clock: str) -> ModelRecord:
    """The same request with a system prompt that tells the time: a thread of its own."""
    _, *rest = exchange.request.messages
    return replace(exchange, request=replace(exchange.request, messages=(said("system", clock), *rest)))


FORGETS = turn("m2", [said("user", "And now?")], call("c9", "delete_customer"))
"""An agent that keeps its conversation elsewhere: its second request shows one message of the user's."""


@pytest.mark.parametrize(
    "live",
    [
        trace(turn("m1", USER, "One."), FORGETS),
        trace(dated(turn("m1", USER, "One."), "09:00"), dated(turn("m2", LATER, "Two."), "09:01")),
        trace(turn("m1", USER, "One.")),
        trace(turn("m1", USER, "One."), turn("m2", [*LATER, said("user", "(go on)")], "Two.")),
    ],
    ids=["requests without their history", "a system prompt with a clock", "never asked", "a nudge in the user's name"],
)
def test_deliveries_that_the_requests_do_not_show_are_not_judged(live: Trace) -> None:
    assert states(live, steps=[{"conversation": TALK}], output="One. Two.") == ["not_judged", "not_judged"]


def test_deliveries_that_they_show_are() -> None:
    live = trace(turn("m1", USER, "One."), turn("m2", LATER, "Two."))
    assert states(live, steps=[{"conversation": TALK}], output="One. Two.") == ["held", "held"]
    live = trace(turn("m1", USER, "One."), turn("m2", LATER, call("c9", "delete_customer")))
    assert states(live, steps=[{"conversation": TALK}], output="One. Two.")[0] == "failed"


def asked_for(*blocks: OtherBlock | ToolCallBlock, then: tuple[Message, ...] = ()) -> Trace:
    return trace(turn("m1", USER, *blocks), turn("m2", [*USER, said("assistant", *blocks), *then], "Done."))


SHELL = OtherBlock(kind="local_shell_call", extra={"call_id": "s1", "action": {"command": ["rm", "-rf", "/"]}})
SHELL_DONE = OtherBlock(kind="local_shell_call_output", extra={"call_id": "s1", "output": "gone"})
SERVED = OtherBlock(kind="mcp_tool_use", extra={"id": "x1", "name": "delete_repo", "input": {"repo": "shop"}})
SEARCH = OtherBlock(kind="web_search_call", extra={"id": "w1", "status": "completed"})


def found(key: str, value: JSON, live: Trace) -> str:
    return judge(assertion_of(key, value, "f"), evidence_of(live, Surroundings())).state


def test_calls_of_a_provider_s_own_kinds_are_calls() -> None:
    shell = asked_for(SHELL, then=(said("user", SHELL_DONE),))
    assert found("assert_no_tool_call", "local_shell", shell) == "failed"
    assert found("assert_tool_call", "local_shell", shell) == "held"
    assert found("assert_tool_call", {"tool": "local_shell", "result": {"$": {"contains": "gone"}}}, shell) == "held"
    assert found("assert_tool_call", "local_shell", asked_for(SHELL)) == "failed"
    deleted = {"tool": "delete_repo", "where": {"repo": {"equals": "shop"}}}
    assert found("assert_no_tool_call", deleted, asked_for(SERVED)) == "failed"
    assert found("assert_no_tool_call", "web_search", asked_for(SEARCH)) == "failed"
    assert found("assert_no_tool_call", "delete_customer", asked_for(SEARCH, SHELL)) == "held"


def test_strict_claims_what_the_agent_ran_and_leaves_the_provider_its_own() -> None:
    assert states(asked_for(SEARCH), steps=[{"prompt": PROMPT}], strict=True)[-1] == "held"
    shell = asked_for(SHELL, then=(said("user", SHELL_DONE),))
    assert states(shell, steps=[{"prompt": PROMPT}], strict=True)[-1] == "failed"


UNREADABLE = ToolCallBlock(id="c2", name="issue_refund", arguments_text='{"amount": 40,}')


@pytest.mark.parametrize(
    ("block", "value"),
    [
        (UNREADABLE, {"tool": "issue_refund", "where": {"amount": {"equals": 40}}}),
        (
            call("c2", "issue_refund", amount="$150"),
            {"tool": "issue_refund", "where": {"amount": {"greater_than": 100}}},
        ),
        (call("c2", "issue_refund", amount="1,500"), {"tool": "issue_refund", "where": {"amount": {"at_least": 100}}}),
    ],
)
def test_a_forbidden_call_that_cannot_be_read_is_not_absent(block: ToolCallBlock, value: JSON) -> None:
    live = asked_for(block, then=(result("c2", "ok"),))
    assert found("assert_no_tool_call", value, live) == "not_judged"


def test_what_a_call_gave_that_nobody_answered_is_not_known() -> None:
    value = {"tool": "issue_refund", "result": {"status": {"equals": "ok"}}}
    assert found("assert_no_tool_call", value, trace(turn("m1", USER, call("c2", "issue_refund")))) == "not_judged"
    assert found("assert_no_tool_call", {**value, "tool": "other"}, GOOD) == "held"


def test_a_count_and_strict_see_that_calls_may_be_hidden() -> None:
    hidden = FaultRecord(id="f1", kind="observer_failed", detail="d", hides=("tool",))
    live = trace(*GOOD.records, hidden)
    assert found("assert_tool_call", {"tool": "issue_refund", "times": 1}, live) == "not_judged"
    assert found("assert_tool_call", "issue_refund", live) == "held"
    steps: list[JSON] = [{"prompt": PROMPT}, {"assert_tool_call": "lookup_order"}, {"assert_tool_call": "issue_refund"}]
    assert states(GOOD, steps=steps, strict=True)[-1] == "held"
    assert states(live, steps=steps, strict=True)[-1] == "not_judged"


def test_a_claim_of_one_delivery_does_not_reach_into_another() -> None:
    one, two = call("c1", "pay"), call("c2", "pay")
    later = [*USER, said("assistant", one), result("c1", "ok"), said("assistant", "One."), said("user", "And now?")]
    live = trace(
        turn("m1", USER, one),
        turn("m2", later[:-2], "One."),
        turn("m3", later, two),
        turn("m4", [*later, said("assistant", two), result("c2", "ok")], "Two."),
    )
    talk: list[JSON] = [{"user": PROMPT, "assert_tool_call": "pay"}, {"user": "And now?"}]
    claimed: list[JSON] = [{"user": PROMPT, "assert_tool_call": {"tool": "pay", "at_least": 1, "at_most": 2}}, talk[1]]
    assert states(live, steps=[{"conversation": talk}], strict=True)[-1] == "failed"
    assert states(live, steps=[{"conversation": claimed}], strict=True)[-1] == "failed"
    both: list[JSON] = [talk[0], {"user": "And now?", "assert_tool_call": "pay"}]
    assert states(live, steps=[{"conversation": both}], strict=True)[-1] == "held"


def test_m1_alone_is_one_delivery() -> None:
    assert evidence_of(trace(M1), Surroundings()).deliveries == 1
