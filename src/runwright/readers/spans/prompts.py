"""Indexed attributes: `gen_ai.prompt.N`, `gen_ai.completion.N` and `llm.request.functions.N`."""

from __future__ import annotations

import msgspec

from runwright.readers.again import once_each
from runwright.readers.known import CONTENT, MESSAGES
from runwright.readers.lenient import an_object
from runwright.readers.reading import Reading
from runwright.readers.spans.captured import Captured
from runwright.readers.spans.classify import api_of
from runwright.readers.spans.declared import declared
from runwright.readers.spans.limits import cut_messages
from runwright.readers.spans.nested import flattened, objects
from runwright.readers.spans.span import Span
from runwright.readers.spans.wire_messages import WireMessage, answered, asked, wire_message
from runwright.trace.model import JSON


def from_prompts(span: Span, reading: Reading) -> list[Captured]:
    """What a span with indexed attributes shows."""
    where, found = f"span {span.span_id}", []
    prompts = objects(flattened(span, "gen_ai.prompt"))
    if prompts:
        items = [_message(each, "user", reading, where) for each in prompts]
        cut = cut_messages(span, "gen_ai.prompt", MESSAGES, each=True)
        found.append(msgspec.structs.replace(asked(items, api_of(span), reading, where), cut=cut))
    completions = objects(flattened(span, "gen_ai.completion"))
    if completions:
        stop = completions[0].get("finish_reason")
        choices = [_message(each, "assistant", reading, where) for each in completions]
        reply = answered(choices, stop if isinstance(stop, str) else None, reading, where)
        found.append(msgspec.structs.replace(reply, cut=cut_messages(span, "gen_ai.completion", CONTENT, each=False)))
    functions = objects(flattened(span, "llm.request.functions"))
    if functions:
        found.append(declared([_function(each, reading, where) for each in functions], described=True))
    return found


def _message(item: dict[str, JSON], role: str, reading: Reading, where: str) -> WireMessage:
    """One message: calls are flat, and content that was a list is its JSON text."""
    calls: list[JSON] = [_call(each) for each in objects(item.get("tool_calls")) if each]
    content = item.get("content")
    if isinstance(content, str) and content.startswith("[{"):
        pieces = reading.json_or_text(content, where)
        if isinstance(pieces, list) and all(isinstance(each, dict) and "type" in each for each in pieces):
            content = pieces
    return _wire_message({**item, "content": content, "tool_calls": calls or None}, role)


@once_each
def _wire_message(item: JSON, role: str) -> WireMessage:
    return wire_message(an_object(item), role)


def _call(item: dict[str, JSON]) -> JSON:
    function = {"name": item.get("name"), "arguments": item.get("arguments", "")}
    return {"id": item.get("id"), "type": "function", "function": function}


def _function(item: dict[str, JSON], reading: Reading, where: str) -> JSON:
    schema = item.get("parameters", item.get("input_schema"))
    return {**item, "parameters": reading.json_or_text(schema, where) if isinstance(schema, str) else schema}
