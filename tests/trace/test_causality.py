"""Edges: by data where a request holds an answer, by time otherwise, and none that follow from others."""

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
