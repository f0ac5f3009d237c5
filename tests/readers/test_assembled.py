"""What every reader does with the records that it found."""

from __future__ import annotations

from runwright.readers.assembled import Found, Source, assembled, moment_of, seconds_of
from runwright.readers.conversation import Told, Turn, exchanges
from runwright.readers.input import Input
from runwright.readers.reading import Reading
from runwright.trace import dumps_trace, loads_trace
from runwright.trace.model import (
    EffectState,
    FaultRecord,
    Message,
    ModelRecord,
    SideEffect,
    SideEffectRecord,
    TextBlock,
    ToolCallBlock,
    ToolRecord,
    ToolResultBlock,
    Trace,
)

INPUTS = (Input("run.json", b"{}"),)
NOON = 1_764_500_000.0


def said(role: str, text: str) -> Message:
    return Message(role=role, content=(TextBlock(text=text),))


CALLED = Message(role="assistant", content=(ToolCallBlock(id="c1", name="look_up", arguments={"order": 1}),))
RESULT = Message(role="tool", content=(ToolResultBlock(call_id="c1", content=(TextBlock(text="shipped"),)),))
TURNS = (
    Turn(message=said("user", "where is it?")),
    Turn(message=CALLED, key="a", began=NOON + 1, ended=NOON + 2),
    Turn(message=RESULT),
    Turn(message=said("assistant", "on its way"), key="b", began=NOON + 5),
)
CHAT = Told(api="openai.chat_completions", model="m")


def run(found: list[Found], **more: object) -> Trace:
    trace = assembled(found, Source(format="test", inputs=INPUTS), Reading(), **more)  # type: ignore[arg-type]
    assert loads_trace(dumps_trace(trace)) == trace
    return trace


def tool(**more: object) -> ToolRecord:
    given = {"id": "", "name": "look_up", "arguments": {"order": 1}, "result": "shipped", "outcome": "ok"}
    return ToolRecord(**{**given, "fidelity": "reconstructed", **more})  # type: ignore[arg-type]


def test_a_conversation_is_an_exchange_a_reply() -> None:
    first, second = (each.record for each in exchanges(TURNS, CHAT))
    assert isinstance(first, ModelRecord)
    assert isinstance(second, ModelRecord)
    assert [len(first.request.messages), len(second.request.messages)] == [1, 3]
    assert first.response is not None
    assert first.response.stop_reason == "tool_calls"
    assert "$.request.tools" in first.unknown
    assert "$.request.parameters.*" in first.unknown
    assert "$.streamed" in first.unknown


def test_a_system_prompt_that_was_not_recorded_is_a_message_of_unknown_content() -> None:
    told = Told(api="anthropic.messages", model="m", no_system=True)
    *_, last = (each.record for each in exchanges(TURNS, told))
    assert isinstance(last, ModelRecord)
    assert [each.role for each in last.request.messages] == ["system", "user", "assistant", "user"]
    assert "$.request.messages[0].content" in last.unknown


def test_records_are_put_in_order_and_numbered() -> None:
    found = [*exchanges(TURNS, CHAT), Found(record=tool(), key="t", parent="chain", began=NOON + 3, ended=NOON + 4)]
    trace = run(found, enclosing={"chain": "a"})
    assert [record.id for record in trace.records] == ["u1", "m1", "t1", "m2", "u2"]
    ran = trace.tools[0]
    assert (ran.parent, ran.call_id, ran.t, ran.duration, ran.after) == ("m1", "c1", 2.0, 1.0, ("m1",))
    assert trace.header.started_at == "2025-11-30T10:53:21.000000Z"
    assert trace.header.duration == 4.0


def test_what_has_no_time_stays_behind_what_it_follows() -> None:
    found = [
        Found(record=tool(name="b"), began=NOON + 2),
        Found(record=tool(name="c")),
        Found(record=tool(name="a"), began=NOON),
    ]
    assert [each.name for each in run(found).tools] == ["a", "b", "c"]


def test_circles_of_what_encloses_what_end() -> None:
    trace = run([Found(record=tool(), key="t", parent="x")], enclosing={"x": "y", "y": "x"})
    assert trace.tools[0].parent is None


def test_an_effect_names_the_record_that_caused_it() -> None:
    effect = SideEffect(kind="fs_write", target="a.txt", after=EffectState(size=1))
    found = [Found(record=tool(), key="call"), Found(record=SideEffectRecord(id="", side_effect=effect), cause="call")]
    assert run(found, in_order=True).effects[0].side_effect.caused_by == "t1"


def test_faults_are_kept() -> None:
    trace = run([Found(record=tool())], faults=[FaultRecord(id="", kind="truncation", detail="cut", hides=("tool",))])
    assert [record.id for record in trace.records] == ["t1", "f1"]


def test_times_are_read_and_written() -> None:
    assert seconds_of("2025-11-30T10:53:20Z") == NOON
    assert seconds_of("2025-11-30T11:53:20+01:00") == NOON
    assert seconds_of("2025-11-30T10:53:20") == NOON
    assert moment_of(NOON) == "2025-11-30T10:53:20.000000Z"
    for bad in (True, None, "noon", -3, 10**18, [], ""):
        assert seconds_of(bad) is None
    assert moment_of(0) is None


def test_times_have_no_more_digits_than_their_source() -> None:
    late = 1782311984.732  # as a float it is 0.000000043 of a second more than the source says
    turns = [
        *TURNS[:1],
        *(Turn(message=said("assistant", "yes"), began=late + n * 11.459, ended=late + 12.5) for n in (0, 1)),
    ]
    trace = run(list(exchanges(turns, CHAT)))
    assert [(each.t, each.duration) for each in trace.models] == [(0.0, 12.5), (11.459, 1.041)]
    assert trace.header.duration == 12.5
