"""Edges: by data where a request holds an answer, by time otherwise, and none that follow from others."""

import gc
import random
from collections import Counter

import pytest
from msgspec.structs import replace

from runwright.trace import (
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    TextBlock,
    ToolCallBlock,
    ToolRecord,
    ToolResultBlock,
    with_edges,
)
from runwright.trace.model import McpRecord, calls_of, results_of


def model(
    id: str,
    *messages: Message,
    says: str = "",
    asks: tuple[str, ...] = (),
    t: float | None = None,
    agent: str | None = None,
) -> ModelRecord:
    content = ((TextBlock(text=says),) if says else ()) + tuple(ToolCallBlock(id=each, name="tool") for each in asks)
    return ModelRecord(
        id=id, request=ModelRequest(api="a", model="m", messages=messages), response=ModelResponse(content=content),
        fidelity="raw", t=t, duration=None if t is None else 1.0, agent=agent,
    )  # fmt: skip


def tool(id: str, call: str | None = None, t: float | None = None, duration: float = 1.0) -> ToolRecord:
    return ToolRecord(
        id=id,
        name="tool",
        call_id=call,
        outcome="ok",
        fidelity="raw",
        t=t,
        duration=duration if t is not None else None,
    )


def said(text: str) -> Message:
    return Message(role="assistant", content=(TextBlock(text=text),))


def asked(*calls: str) -> Message:
    return Message(role="assistant", content=tuple(ToolCallBlock(id=each, name="tool") for each in calls))


def answers(*calls: str) -> Message:
    return Message(role="tool", content=tuple(ToolResultBlock(call_id=each) for each in calls))


def edges(*records: ModelRecord | ToolRecord) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    return {record.id: (record.after, record.after_inferred) for record in with_edges(records)}


def test_unrelated_exchanges_without_times_have_no_edges() -> None:
    assert edges(model("m1", says="a"), model("m2", said("b"))) == {"m1": ((), ()), "m2": ((), ())}


def test_a_request_that_holds_an_answer_comes_after_it() -> None:
    assert edges(model("m1", says="hello"), model("m2", said("hello")))["m2"] == (("m1",), ())


def test_of_equal_replies_the_one_inside_the_same_record_was_answered() -> None:
    inside = [replace(model(f"m{n}", says="hello"), parent=f"t{n}") for n in (1, 2)]
    later = replace(model("m3", said("hello")), parent="t2")
    assert edges(*inside, later)["m3"] == (("m2",), ())
    assert edges(*inside, replace(later, parent="t1"))["m3"] == (("m1",), ())
    assert edges(*inside, replace(later, parent=None))["m3"] == (("m1",), ())


def test_a_call_comes_after_the_reply_that_asked_and_before_the_request_that_tells_its_result() -> None:
    found = edges(
        model("m1", asks=("c1", "c2")),
        tool("t1", "c1"),
        tool("t2", "c2"),
        model("m2", asked("c1", "c2"), answers("c1", "c2")),
    )
    assert found["t1"] == (("m1",), ())
    assert found["t2"] == (("m1",), ())
    assert found["m2"] == (("t1", "t2"), ())


def test_edges_that_follow_from_others_are_left_out() -> None:
    one, two = model("m1", asks=("c1",)), model("m2", asked("c1"), answers("c1"), asks=("c2",))
    three = model("m3", asked("c1"), answers("c1"), asked("c2"), answers("c2"))
    assert edges(one, two, three)["m3"] == (("m2",), ())


def test_two_equal_answers_that_a_request_holds_twice_are_two_edges() -> None:
    found = edges(
        model("m1", says="ok"), model("m2", says="ok"), model("m3", said("ok")), model("m4", said("ok"), said("ok"))
    )
    assert found["m3"][0] == ("m1",)
    assert found["m4"][0] == ("m1", "m2")


def test_times_that_do_not_overlap_give_an_inferred_edge_within_one_agent() -> None:
    found = edges(
        model("m1", t=0), model("m2", t=1), model("m3", t=1.5), model("m4", t=1.2, agent="other"), model("m5", t=9)
    )
    assert found["m2"] == ((), ("m1",))
    assert found["m3"] == ((), ("m1",))
    assert found["m4"] == ((), ())
    assert found["m5"] == ((), ("m2", "m3"))


def test_of_two_that_took_no_time_neither_comes_first() -> None:
    assert edges(tool("t1", t=0.0, duration=0.0), tool("t2", t=0.0, duration=0.0))["t2"] == ((), ())
    assert edges(tool("t1", t=0.0, duration=0.0), tool("t2", t=0.5, duration=0.0))["t2"] == ((), ("t1",))


def test_no_inferred_edge_joins_calls_of_the_same_reply() -> None:
    found = edges(model("m1", asks=("c1", "c2"), t=0), tool("t1", "c1", t=1), tool("t2", "c2", t=3), tool("t3", t=5))
    assert found["t2"] == (("m1",), ())
    assert found["t3"] == ((), ("t1", "t2"))


def test_a_long_conversation_has_one_edge_a_turn() -> None:
    history: list[Message] = []
    records = []
    for turn in range(200):
        records.append(model(f"m{turn}", *history, asks=(f"c{turn}",), t=turn * 2.0))
        history += [asked(f"c{turn}"), answers(f"c{turn}")]
    assert sum(len(record.after) for record in with_edges(records)) == 199
    assert all(record.after_inferred == () for record in with_edges(records))


def plainly(records: list[ModelRecord | ToolRecord | McpRecord]) -> dict[str, set[str]]:
    """What each record came after by data, every request read whole."""
    replies: dict[str, dict[str | None, list[str]]] = {}
    asked_by: dict[str | None, str] = {}
    ran: dict[str | None, str] = {}
    found: dict[str, set[str]] = {}
    for record in records:
        mine = found[record.id] = set()
        if not isinstance(record, ModelRecord):
            mine |= {asked_by[record.call_id]} if record.call_id in asked_by else set()
            ran[record.call_id] = record.id
            continue
        said = Counter(
            repr(each.content) for each in record.request.messages if each.role == "assistant" and each.content
        )
        for content, times in said.items():
            alike = replies.get(content, {})
            mine.update((alike.get(record.parent) or [each for ids in alike.values() for each in ids])[:times])
        for block in results_of(record.request):
            mine |= {held[block.call_id] for held in (asked_by, ran) if block.call_id in held}
        if record.response is not None and record.response.content:
            replies.setdefault(repr(record.response.content), {}).setdefault(record.parent, []).append(record.id)
            asked_by |= {call.id: record.id for call in calls_of(record.response.content)}
    return found


def reached(after: dict[str, set[str]], record: str) -> set[str]:
    """Everything that a record comes after."""
    found, waiting = set[str](), [record]
    while waiting:
        new = after[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def run(luck: random.Random) -> list[ModelRecord | ToolRecord | McpRecord]:
    """Conversations beside one another that grow, are tried again, branch, go back, and say and call the same again."""
    told: list[list[Message]] = [[said("start")] for _ in range(3)]
    records: list[ModelRecord | ToolRecord | McpRecord] = []
    for number in range(luck.randrange(4, 40)):
        here = luck.choice(told)
        reply = model(
            f"m{number}", *here, says=luck.choice(["", "a", "b"]), asks=tuple(luck.choices("xyz", k=luck.randrange(3)))
        )
        records.append(replace(reply, parent=luck.choice([None, None, "t1"])))
        content = reply.response.content if reply.response else ()
        calls = [call.id for call in calls_of(content)]
        for call in calls if luck.random() < 0.8 else ():
            records.append(tool(f"t{number}{call}{len(records)}", call))
            if luck.random() < 0.2:
                at = f"c{number}{call}{len(records)}"
                records.append(McpRecord(id=at, server="s", method="tools/call", call_id=call, fidelity="raw"))
        if luck.random() < 0.9:
            here.append(Message(role="assistant", content=content))
            here += [answers(call) for call in calls]
        if luck.random() < 0.1:
            del here[luck.randrange(1, len(here) + 1) :]
        if luck.random() < 0.1:
            here.insert(luck.randrange(len(here) + 1), luck.choice([said("a"), answers("x")]))
        if luck.random() < 0.1:
            told.append(list(here))
    return records


@pytest.mark.parametrize("seed", range(200))
def test_conversations_that_grow_have_the_edges_of_requests_read_whole(seed: int) -> None:
    records = run(random.Random(seed))
    whole = plainly(records)
    for record in with_edges(records):
        follows = {each for one in whole[record.id] for each in reached(whole, one)}
        assert set(record.after) == whole[record.id] - follows


def test_what_was_read_is_let_go_at_once() -> None:
    """A circle would hold every message of a run until the next look for cycles, and none is looked for in a read."""
    records = (model("m1", said("hi"), asks=("c1",), t=0.0), tool("t1", "c1", 1.0), model("m2", asked("c1"), t=3.0))
    with_edges(records)
    gc.collect()
    with_edges(records)
    assert gc.collect() == 0
