"""A growing conversation is stored once: at most 1.2 times its distinct content."""

from collections.abc import Callable

import msgspec
import orjson
import pytest

from runwright.trace import (
    Header,
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    TextBlock,
    ToolCallBlock,
    ToolResultBlock,
    ToolSpec,
    Trace,
    Usage,
    dumps_trace,
    loads_trace,
    plain,
    with_edges,
)

TURNS = 300
SYSTEM = "You are a careful agent. " + "Answer every question in full sentences. " * 80
TOOL = ToolSpec(name="search", description="Search the archive. " * 20, parameters={"type": "object"})

Change = Callable[[int, list[Message]], list[Message]]


def unchanged(_: int, messages: list[Message]) -> list[Message]:
    return messages


def dated(turn: int, messages: list[Message]) -> list[Message]:
    text = f"{SYSTEM[:900]}It is 2026-11-{turn % 28 + 1:02d} {turn % 24:02d}:07. {SYSTEM[900:]}"
    return [Message(role="system", content=(TextBlock(text=text),)), *messages[1:]]


def marked(_: int, messages: list[Message]) -> list[Message]:
    last = messages[-1]
    block = msgspec.structs.replace(last.content[0], cache={"type": "ephemeral"})
    return [*messages[:-1], msgspec.structs.replace(last, content=(block,))]


def compacted(turn: int, messages: list[Message]) -> list[Message]:
    if turn < 100:
        return messages
    summary = Message(role="user", content=(TextBlock(text="Until now: " + "much was found. " * 30),))
    return [messages[0], summary, *messages[101:]]


def conversation(change: Change) -> Trace:
    messages = [
        Message(role="system", content=(TextBlock(text=SYSTEM),)),
        Message(role="user", content=(TextBlock(text="Find it."),)),
    ]
    records = []
    for turn in range(1, TURNS + 1):
        call = ToolCallBlock(id=f"call_{turn}", name="search", arguments={"query": f"part {turn} " * 40})
        reply = ModelResponse(
            content=(call,), stop_reason="tool_calls", usage=Usage(input_tokens=turn, output_tokens=9)
        )
        request = ModelRequest(
            api="openai.chat_completions", model="m", parameters={"temperature": 0}, tools=(TOOL,),
            messages=tuple(change(turn, messages)),
        )  # fmt: skip
        records.append(ModelRecord(id=f"m{turn}", request=request, response=reply, streamed=False, fidelity="raw"))
        found = TextBlock(text=f"page {turn}: " + f"{turn} is what it says. " * 60)
        messages = [
            *messages,
            Message(role="assistant", content=reply.content),
            Message(role="tool", content=(ToolResultBlock(call_id=call.id, content=(found,)),)),
        ]
    return Trace(header=Header(kind="run", trace_id="growing"), records=with_edges(records))


def distinct_content(trace: Trace) -> int:
    """Bytes of every distinct message (cache marks and the date aside), tool, and answer, each written once."""
    parts: set[bytes] = set()
    for record in trace.models:
        for message in record.request.messages:
            if message.role != "assistant" and not (message.role == "system" and "It is 2026" in str(message)):
                blocks = [msgspec.structs.replace(block, cache=None) for block in message.content]
                parts.add(orjson.dumps(plain(msgspec.structs.replace(message, content=tuple(blocks)))))
        parts.add(orjson.dumps(plain(record.response)))
        parts |= {orjson.dumps(plain(tool)) for tool in record.request.tools}
    return sum(map(len, parts)) + len(SYSTEM)


@pytest.mark.parametrize("change", [unchanged, dated, marked, compacted], ids=lambda change: change.__name__)
def test_300_turns_are_stored_in_at_most_1_2_times_their_distinct_content(change: Change) -> None:
    trace = conversation(change)
    data = dumps_trace(trace)
    assert len(data) <= 1.2 * distinct_content(trace)
    assert loads_trace(data) == trace


def test_the_measure_sees_a_format_that_repeats_itself() -> None:
    trace = conversation(unchanged)
    written_out = sum(len(orjson.dumps(plain(record))) for record in trace.records)
    assert written_out > 50 * distinct_content(trace)
