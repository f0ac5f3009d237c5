"""A recorded side with every kind of block, for the tests of mutants."""

from __future__ import annotations

from collections.abc import Sequence

from runwright.perturb import Sent, Side
from runwright.trace import with_edges
from runwright.trace.model import (
    AudioBlock,
    Block,
    FileBlock,
    Header,
    ImageBlock,
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    OtherBlock,
    Record,
    RefusalBlock,
    Source,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    ToolSpec,
    Trace,
)

UUID = "3f2b8c1e-5d7a-4b9c-8e1f-0a2b3c4d5e6f"
CACHE = {"type": "ephemeral"}
PICTURE = Source(kind="base64", data="aGk=", media_type="image/png")


def said(role: str, *content: Block | str) -> Message:
    return Message(role=role, content=tuple(TextBlock(text=x) if isinstance(x, str) else x for x in content))


def call(call_id: str, name: str = "look", **arguments: object) -> ToolCallBlock:
    return ToolCallBlock(id=call_id, name=name, arguments=arguments)  # type: ignore[arg-type]


def result(id: str, text: str) -> Message:
    return said("tool", ToolResultBlock(call_id=id, content=(TextBlock(text=text),)))


def exchange(id: str, messages: Sequence[Message], *answer: Block | str, **fields: object) -> ModelRecord:
    content = said("assistant", *answer).content
    request = {"api": "openai.chat_completions", "model": "gpt-5", "messages": tuple(messages), "tools": TOOLS}
    given: dict[str, object] = {"streamed": False, "fidelity": "raw"}
    for name, value in fields.items():
        (request if name in ("parameters", "tools", "model") else given)[name] = value
    stop = "tool_calls" if any(isinstance(each, ToolCallBlock) for each in content) else "end_turn"
    response = ModelResponse(content=content, stop_reason=stop)
    return ModelRecord(id=id, request=ModelRequest(**request), response=response, **given)  # type: ignore[arg-type]


def cassette(*records: Record, **header: object) -> Trace:
    return Trace(header=Header(kind="cassette", trace_id="t", **header), records=with_edges(records))  # type: ignore[arg-type]


def side_of(trace: Trace, *said: str) -> Side:
    sent = tuple(Sent(each.id, each.request, bool(each.streamed)) for each in trace.models)
    return Side(sent=sent, said=said or ("Done.",), effects=tuple(each.side_effect for each in trace.effects))


SCHEMA = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
TOOLS = (
    ToolSpec(name="look", description="Looks up.", parameters=SCHEMA),
    ToolSpec(name="pay", description="Pays.", parameters={"type": "object"}),
)
EVERY_BLOCK: tuple[Block, ...] = (
    TextBlock(text="See these.", cache=CACHE),
    ImageBlock(source=PICTURE, detail="low", cache=CACHE),
    AudioBlock(source=PICTURE, format="wav", cache=CACHE),
    FileBlock(source=PICTURE, name="a.txt", cache=CACHE),
    ThinkingBlock(text="Hm.", signature="c2ln"),
    RefusalBlock(text="No."),
    OtherBlock(kind="web_search", extra={"query": "A-1"}),
    call("c1", id="A-1", limit=3),
    ToolResultBlock(call_id="c1", content=(TextBlock(text="found"), ImageBlock(source=PICTURE)), cache=CACHE),
)
START = [said("system", "You look things up."), said("user", "Look up A-1.")]
LOOKED = [*START, said("assistant", call("c1", id="A-1")), result("c1", '{"stock": 3}')]
TWO = cassette(exchange("m1", START, call("c1", id="A-1")), exchange("m2", LOOKED, "There are 3."))
