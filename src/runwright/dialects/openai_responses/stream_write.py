"""Writing a response as a stream, along recorded boundaries where they fit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from runwright.dialects.dialect import Body, Chunks
from runwright.dialects.exact import compact
from runwright.dialects.fields import list_at, object_at, rest
from runwright.dialects.openai_responses.calls import text_of_call
from runwright.dialects.openai_responses.items import encode_output, grouped
from runwright.dialects.openai_responses.response import (
    DETAILS,
    STATUS,
    as_streamed,
    encode_error,
    encode_response,
    head_of,
)
from runwright.dialects.openai_responses.stream import BREAKS, ENDS
from runwright.dialects.sse import write_event
from runwright.trace.model import (
    JSON,
    Block,
    ModelError,
    ModelRequest,
    ModelResponse,
    RefusalBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
)

ARGUMENT_PIECE = 12
_WORD = re.compile(r"\s*\S+|\s+", re.UNICODE)
Events: TypeAlias = Iterator[tuple[str, Body]]

_OWN = {
    "function_call": ("arguments", "function_call_arguments"),
    "custom_tool_call": ("input", "custom_tool_call_input"),
    "mcp_call": ("arguments", "mcp_call_arguments"),
    "code_interpreter_call": ("code", "code_interpreter_call_code"),
}
"""For each item whose text comes in pieces: the field, and the events' name."""

_STEPS: Mapping[str, tuple[str, ...]] = {
    "web_search_call": ("in_progress", "searching", "completed"),
    "file_search_call": ("in_progress", "searching", "completed"),
    "code_interpreter_call": ("in_progress", "interpreting", "completed"),
    "image_generation_call": ("in_progress", "generating", "completed"),
    "mcp_call": ("in_progress", "completed"),
    "mcp_list_tools": ("in_progress", "completed"),
}
"""What the stream says of a call that the provider ran itself, between its start and its end."""


def encode_stream(response: ModelResponse, live_body: Body, chunks: Chunks | None = None) -> Iterator[bytes]:
    """The events of a reply, each item's between its start and its end, and last the whole response.

    `chunks` that do not add up to the response's text are set aside; then text comes by the word and what a tool is
    given twelve characters at a time.
    """
    return iter(_written(list(_events(response, live_body, chunks))))


def encode_break(
    response: ModelResponse | None, error: ModelError, live_body: Body, chunks: Chunks | None = None
) -> Iterator[bytes]:
    """The events of a reply that broke off: those before its last item would have ended, then the error's."""
    events = [] if response is None else list(_events(response, live_body, chunks))[:-1]
    while events and events[-1][0].endswith((".done", ".completed")):
        events.pop()
    return iter(_written([*events, _breaking(error)]))


def _breaking(error: ModelError) -> tuple[str, Body]:
    body = error.body
    if isinstance(body, dict) and body.get("type") in BREAKS:
        return str(body["type"]), body
    inner = encode_error(error)[1].get("error")
    told = inner if isinstance(inner, dict) else {}
    return BREAKS[0], {"code": told.get("code"), "message": error.message, "param": told.get("param")}


def _written(events: Sequence[tuple[str, Body]]) -> list[bytes]:
    return [
        write_event(compact({**fields, "type": kind, "sequence_number": number}), event=kind)
        for number, (kind, fields) in enumerate(events)
    ]


def _events(response: ModelResponse, live_body: Body, chunks: Chunks | None) -> Events:
    model = live_body.get("model")
    whole = encode_response(response, ModelRequest(api="", model=model if isinstance(model, str) else ""))
    begun: Body = {**head_of(response, model), STATUS: "in_progress", DETAILS: None, "output": [], "usage": None}
    begun = rest(begun, ("completed_at",))
    pieces = _pieces(response.content, chunks)
    yield "response.created", {"response": begun}
    yield "response.in_progress", {"response": begun}
    for at, (start, blocks) in enumerate(grouped(response.content)):
        sizes = [[size for index, size in pieces if index == start + n] for n in range(len(blocks))]
        item = encode_output(blocks, f"$.output[{at}]")
        yield from _item(at, item, sizes)
        yield "response.output_item.done", {"output_index": at, "item": as_streamed(response, at, item)}
    yield ENDS[1] if whole[STATUS] == "incomplete" else ENDS[0], {"response": whole}


def _item(at: int, item: Body, sizes: Sequence[Sequence[int]]) -> Events:
    where: Body = {"output_index": at, **({"item_id": item["id"]} if "id" in item else {})}
    yield "response.output_item.added", {"output_index": at, "item": _opening(item)}
    if item["type"] == "message":
        for index, (part, cut) in enumerate(zip(list_at(item["content"], "$"), sizes, strict=False)):
            yield from _part(object_at(part, "$"), {**where, "content_index": index}, cut)
    elif item["type"] == "reasoning":
        yield from _thoughts(item, where, sizes)
    else:
        yield from _own(item, where, sizes[0])


def _opening(item: Body) -> Body:
    """The item as its start announces it: without what its events bring."""
    emptied: Body = {"content": []} if item["type"] == "message" else {}
    if item["type"] == "reasoning":
        item, emptied = rest(item, ("content",)), {"summary": []}
    if item["type"] in _OWN and isinstance(item.get(_OWN[str(item["type"])][0]), str):
        emptied = {_OWN[str(item["type"])][0]: ""}
    begun: Body = {STATUS: "in_progress"} if STATUS in item else {}
    return {**item, **emptied, **begun}


def _part(part: Body, where: Body, sizes: Sequence[int]) -> Events:
    name = {"output_text": "text", "refusal": "refusal"}.get(str(part["type"]))
    opened: Body = part if name is None else {**part, name: ""}
    notes = list_at(part.get("annotations"), "$") if name == "text" else []
    yield "response.content_part.added", {**where, "part": {**opened, "annotations": []} if notes else opened}
    if name is not None:
        event = "response.output_text" if name == "text" else "response.refusal"
        odds: Body = {"logprobs": []} if name == "text" else {}
        for delta in _deltas(str(part[name]), sizes):
            yield f"{event}.delta", {**where, "delta": delta, **odds}
        for index, note in enumerate(notes):
            yield "response.output_text.annotation.added", {**where, "annotation_index": index, "annotation": note}
        yield f"{event}.done", {**where, name: part[name], **odds}
    yield "response.content_part.done", {**where, "part": part}


def _thoughts(item: Body, where: Body, sizes: Sequence[Sequence[int]]) -> Events:
    summary = list_at(item["summary"], "$")
    for index, part in enumerate(summary):
        text, place = object_at(part, "$")["text"], {**where, "summary_index": index}
        yield "response.reasoning_summary_part.added", {**place, "part": {"type": "summary_text", "text": ""}}
        for delta in _deltas(str(text), sizes[index]):
            yield "response.reasoning_summary_text.delta", {**place, "delta": delta}
        yield "response.reasoning_summary_text.done", {**place, "text": text}
        yield "response.reasoning_summary_part.done", {**place, "part": part}
    for index, part in enumerate(list_at(item.get("content"), "$")):
        text, place = object_at(part, "$")["text"], {**where, "content_index": index}
        opened: JSON = {"type": "reasoning_text", "text": ""}
        yield "response.content_part.added", {**place, "part": opened}
        for delta in _deltas(str(text), sizes[len(summary) + index]):
            yield "response.reasoning_text.delta", {**place, "delta": delta}
        yield "response.reasoning_text.done", {**place, "text": text}
        yield "response.content_part.done", {**place, "part": part}


def _own(item: Body, where: Body, sizes: Sequence[int]) -> Events:
    kind = str(item["type"])
    name, event = _OWN.get(kind, ("", ""))
    text = item.get(name)
    steps = _STEPS.get(kind, ())
    for step in steps[:-1]:
        yield f"response.{kind}.{step}", where
    if isinstance(text, str):
        for delta in _deltas(text, sizes or ([len(text)] if text else [])):
            yield f"response.{event}.delta", {**where, "delta": delta}
        yield f"response.{event}.done", {**where, name: text, **({"name": item["name"]} if "name" in item else {})}
    for step in steps[-1:]:
        yield f"response.{kind}.{step}", where


def _deltas(text: str, sizes: Sequence[int]) -> Iterator[str]:
    at = 0
    for size in sizes:
        yield text[at : at + size]
        at += size


def _pieces(blocks: Sequence[Block], chunks: Chunks | None) -> Chunks:
    if chunks is not None and _fit(blocks, chunks):
        return chunks
    return tuple((index, len(piece)) for index, block in enumerate(blocks) for piece in _cut(block))


def _fit(blocks: Sequence[Block], chunks: Chunks) -> bool:
    """Whether the recorded pieces cover every block's text exactly."""
    if any(not 0 <= index < len(blocks) or size <= 0 for index, size in chunks):
        return False
    totals = dict.fromkeys(range(len(blocks)), 0)
    for index, size in chunks:
        totals[index] += size
    return all(total == len(_text(blocks[index])) for index, total in totals.items())


def _cut(block: Block) -> list[str]:
    text = _text(block)
    if not isinstance(block, ToolCallBlock):
        return _WORD.findall(text)
    return [text[at : at + ARGUMENT_PIECE] for at in range(0, len(text), ARGUMENT_PIECE)]


def _text(block: Block) -> str:
    """What of a block comes in pieces."""
    if isinstance(block, ToolCallBlock):
        return text_of_call(block)
    return block.text if isinstance(block, TextBlock | RefusalBlock | ThinkingBlock) else ""
