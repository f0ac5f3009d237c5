"""Evidence: requested, answered and executed calls, replies, and what left the agent."""

import msgspec
import pytest

from runwright.flow import Evidence, Surroundings, evidence_of
from runwright.flow.matchers import ABSENT
from runwright.flow.threads import primary_thread, turns_of
from runwright.trace.model import (
    FaultRecord,
    McpRecord,
    Record,
    SideEffect,
    SideEffectRecord,
    TextBlock,
    ToolError,
    ToolRecord,
    ToolResultBlock,
    Trace,
)
from tests.flow.made import (
    AGAIN,
    FIXED,
    GOOD,
    LOOKED,
    LOOKUP,
    M1,
    M2,
    MISSED,
    REFUND,
    REFUNDED,
    STORY,
    TWICE,
    USER,
    call,
    result,
    said,
    trace,
    turn,
)


def evidence(live: Trace, **fields: object) -> Evidence:
    return evidence_of(live, Surroundings(**fields))


def seen(live: Trace) -> list[tuple[str, str | None, str | None, str | None]]:
    return [(each.tool, each.requested, each.answered, each.executed) for each in evidence(live).calls]


def test_a_call_is_requested_by_a_reply_and_answered_by_a_later_request() -> None:
    assert seen(STORY) == [
        ("lookup_order", "m1", "m2", None),
        ("issue_refund", "m2", "m3", None),
        ("issue_refund", "m3", "m4", None),
    ]
    assert seen(trace(M1)) == [("lookup_order", "m1", None, None)]


def test_a_missed_request_answers_too() -> None:
    assert seen(FIXED)[1] == ("issue_refund", "m2", "live m3", None)
    served = msgspec.structs.replace(M2, id="m7", ext={"recorded": "m2"})
    assert seen(trace(M1, served, MISSED))[1] == ("issue_refund", "m2", "live m3", None)


def test_a_result_in_the_same_request_that_precedes_the_reply_is_no_answer() -> None:
    seeded = [*USER, said("assistant", LOOKUP), result("c1", "{}")]
    assert seen(trace(turn("m1", seeded, LOOKUP))) == [("lookup_order", "m1", None, None)]


def test_another_id_answers_nothing() -> None:
    other = [*USER, said("assistant", LOOKUP), result("c9", "{}")]
    assert seen(trace(M1, turn("m2", other, "x")))[0] == ("lookup_order", "m1", None, None)


def test_results_are_values_where_they_are_json() -> None:
    assert evidence(GOOD).calls[1].result == {"status": "refunded"}
    text = [*USER, said("assistant", LOOKUP), result("c1", "not {json")]
    assert evidence(trace(M1, turn("m2", text, "x"))).calls[0].result == "not {json"
    nan = [*USER, said("assistant", LOOKUP), result("c1", "NaN")]
    assert evidence(trace(M1, turn("m2", nan, "x"))).calls[0].result == "NaN"
    assert evidence(trace(M1)).calls[0].result is ABSENT


def test_anthropic_results_in_user_messages_count() -> None:
    answer = said("user", ToolResultBlock(call_id="c1", content=()))
    assert seen(trace(M1, turn("m2", [*USER, said("assistant", LOOKUP), answer], "x")))[0][2] == "m2"


def test_an_id_that_is_given_out_twice_answers_each_call_once() -> None:
    one, two = call("c1", "t", n=1), call("c1", "t", n=2)
    first = [*USER, said("assistant", one), result("c1", "1")]
    second = [*first, said("assistant", two), result("c1", "2")]
    live = trace(turn("m1", USER, one), turn("m2", first, two), turn("m3", second, "x"))
    assert [(each.answered, each.result) for each in evidence(live).calls] == [("m2", 1), ("m3", 2)]
    short = trace(turn("m1", USER, one), turn("m2", first, two), turn("m3", first, "x"))
    assert [each.answered for each in evidence(short).calls] == ["m2", None]


def test_equal_calls_with_one_id_need_as_many_results() -> None:
    same = call("c1", "t", n=1)
    first = [*USER, said("assistant", same), result("c1", "1")]
    both = [*first, said("assistant", same), result("c1", "2")]
    requests = (turn("m1", USER, same), turn("m2", first, same))
    assert [each.answered for each in evidence(trace(*requests, turn("m3", first, "x"))).calls] == ["m2", None]
    assert [each.answered for each in evidence(trace(*requests, turn("m3", both, "x"))).calls] == ["m2", "m3"]


# --- executed ----------------------------------------------------------------------------------------


def tool(name: str, outcome: str = "ok", **fields: object) -> ToolRecord:
    return ToolRecord(id=fields.pop("id", "t1"), name=name, outcome=outcome, fidelity="raw", **fields)


@pytest.mark.parametrize("ids", [{"call_id": "c2"}, {"arguments": {"order_id": "A-1", "amount": 40}}])
def test_a_tool_record_executes_the_call_it_belongs_to(ids) -> None:
    assert seen(trace(M1, M2, tool("issue_refund", **ids)))[1] == ("issue_refund", "m2", None, "t1")


def test_a_tool_that_no_reply_asked_for_is_a_call_of_its_own() -> None:
    calls = evidence(trace(M1, tool("rm", arguments={"path": "/"}, result={"ok": True}))).calls
    assert (calls[1].tool, calls[1].requested, calls[1].executed, calls[1].result) == ("rm", None, "t1", {"ok": True})
    assert calls[1].turn is None


@pytest.mark.parametrize(("outcome", "ran"), [("ok", True), ("error", True), ("denied", False), ("throttled", False)])
def test_what_was_denied_did_not_run(outcome: str, ran: bool) -> None:
    error = None if outcome == "ok" else ToolError(message="no")
    live = trace(M1, M2, tool("issue_refund", outcome, call_id="c2", error=error))
    assert (evidence(live).calls[1].executed == "t1") is ran


def test_an_mcp_call_is_executed_under_both_names() -> None:
    params = {"name": "list", "arguments": {"n": 1}}
    record = McpRecord(id="c1", server="files", method="tools/call", params=params, result=[1], fidelity="raw")
    (made,) = evidence(trace(record)).calls
    assert (made.tool, made.server, made.executed, made.result) == ("list", "files", "c1", [1])
    assert evidence(trace(msgspec.structs.replace(record, method="tools/list"))).calls == ()


def test_an_effect_executes_the_call_that_caused_it() -> None:
    effect = SideEffectRecord(id="e1", side_effect=SideEffect(kind="db_change", target="orders", caused_by="c2"))
    assert seen(trace(M1, M2, effect))[1] == ("issue_refund", "m2", None, "e1")
    assert evidence(trace(M1, effect)).effects[0].effect.target == "orders"


# --- replies -----------------------------------------------------------------------------------------


def test_the_agents_own_words_come_first() -> None:
    own = evidence(GOOD, output="Done.\n").reply
    assert (own.text, own.source) == ("Done.\n", "own")
    recorded = evidence(GOOD, output=" \n").reply
    assert (recorded.text, recorded.source) == ("Your 40 are refunded.", "recorded")
    assert evidence(trace(M1)).reply is None


def test_the_primary_thread_has_the_most_turns_then_the_most_text() -> None:
    helper = [turn("m1", USER, "sub one", system="helper"), turn("m3", USER, "sub two", system="helper")]
    live = [helper[0], turn("m2", USER, "main", system="main"), helper[1]]
    assert primary_thread(live) == (0, 2)
    assert evidence(trace(*live)).reply.text == "sub two"
    tie = [
        turn("m1", USER, "short", system="s"),
        turn("m2", [*USER, said("user", "much more text")], "long", system="l"),
    ]
    assert primary_thread(tie) == (1,)
    long = turn("m2", [*USER, said("user", "long " * 99)], "main", system="main")
    assert primary_thread([helper[0], long, helper[1]]) == (0, 2)
    assert primary_thread([]) == ()


def test_what_runs_inside_a_call_is_not_the_primary_thread() -> None:
    inner = [msgspec.structs.replace(turn(f"m{n}", USER, "inner", system=""), parent="t1") for n in (2, 3)]
    outer = turn("m1", USER, "outer", system="")
    assert primary_thread([outer, *inner]) == (0,)
    assert primary_thread(inner) == (0, 1)


def test_words_beside_tool_results_are_no_delivery() -> None:
    reminded = said("user", ToolResultBlock(call_id="c1", content=()), TextBlock(text="a reminder"))
    first = turn("m1", USER, "One.", system="")
    second = turn("m2", [*USER, said("assistant", "One."), reminded], "Two.", system="")
    assert turns_of([first, second]).of == (0, 0)
    third = turn("m3", [*USER, said("assistant", "One."), reminded, said("user", "more")], "Three.", system="")
    assert turns_of([first, second, third]).of == (0, 0, 1)


def test_each_delivery_has_its_reply_and_its_calls() -> None:
    talk = [*USER, said("assistant", "One."), said("user", "And now?")]
    live = [
        turn("m1", USER, "One."),
        turn("m2", talk, call("c1", "t")),
        turn("m3", [*talk, said("assistant", call("c1", "t")), result("c1", "1")], "Two."),
    ]
    turns = turns_of(live)
    assert (turns.of, turns.replies, turns.last) == ((0, 1, 1), ("One.", "Two."), "Two.")
    assert evidence(trace(*live)).calls[0].turn == 1


# --- texts and faults --------------------------------------------------------------------------------


def test_everything_the_agent_sent_is_there_and_nothing_it_was_served() -> None:
    live = trace(M1, tool("t", arguments={"deep": [{"key": "argued"}]}, result="answered"))
    texts = [each.text for each in evidence(live, output="printed").sent]
    for text in ("Refund order A-1.", "key", "argued", "printed"):
        assert text in texts
    assert not {"lookup_order", "answered"} & set(texts)


@pytest.mark.parametrize(
    ("fault", "hidden"),
    [
        (FaultRecord(id="f1", kind="truncation", detail="d", hides=("message",)), ("message",)),
        (FaultRecord(id="f1", kind="interruption", detail="d"), ()),
    ],
)
def test_faults_hide_what_they_say(fault: Record, hidden: tuple[str, ...]) -> None:
    assert evidence(trace(M1, fault)).hidden == hidden


def test_an_observer_that_failed_hides_every_effect_and_call() -> None:
    hidden = evidence(trace(M1, FaultRecord(id="f1", kind="observer_failed", detail="d"))).hidden
    assert {"side_effect", "fs_write", "tool"} <= set(hidden)


def test_the_environment_is_not_in_the_repr() -> None:
    assert "hunter22" not in repr(evidence(GOOD, environment={"TOKEN": "hunter22"}))
    assert [AGAIN.id, len(LOOKED), len(REFUNDED), len(TWICE), REFUND.id] == ["c3", 3, 5, 7, "c2"]


def test_a_growing_conversation_gives_each_text_once_at_its_first_place() -> None:
    sent = evidence(STORY).sent
    assert len({each.text for each in sent}) == len(sent)
    assert {each.place for each in sent if each.text == '{"status": "refunded"}'} == {"m3"}
    changed = trace(M1, turn("m2", [said("user", "Another start."), *LOOKED[1:]], "x"))
    assert "Another start." in [each.text for each in evidence(changed).sent]
