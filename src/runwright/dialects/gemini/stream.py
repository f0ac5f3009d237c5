"""Reading a streamed content: the parts of its events joined, their boundaries kept; and writing one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import msgspec

from runwright.dialects.arguments import text_of_arguments
from runwright.dialects.dialect import Body, Chunks
from runwright.dialects.exact import compact
from runwright.dialects.fields import list_at, object_at, only, refuse, rest
from runwright.dialects.gemini.names import spelled
from runwright.dialects.gemini.partial import with_pieces
from runwright.dialects.gemini.parts import CALL, Numbering, decode_part, encode_parts
from runwright.dialects.gemini.response import (
    beside,
    candidate_of,
    encode_error,
    ending_of,
    head_of,
    is_blocked,
    made_of,
)
from runwright.dialects.sse import write_event
from runwright.trace.model import JSON, Block, ModelError, ModelResponse, TextBlock, ThinkingBlock, ToolCallBlock

_WORD = re.compile(r"\s*\S+|\s+", re.UNICODE)


def is_end(event: Body) -> bool:
    """Whether a stream ends with this event: the one that says why the model stopped, or that it did not begin."""
    candidates, feedback = event.get("candidates"), event.get("promptFeedback")
    first = candidates[0] if isinstance(candidates, list) and candidates else None
    stopped = isinstance(first, dict) and first.get("finishReason") is not None
    return stopped or (isinstance(feedback, dict) and feedback.get("blockReason") is not None)


def is_break(event: Body) -> bool:
    """Whether a stream breaks off with this event."""
    return event.get("error") is not None


@dataclass
class _Merged:
    """What the events so far add up to."""

    top: Body = field(default_factory=dict)
    candidate: Body = field(default_factory=dict)
    content: Body = field(default_factory=dict)
    blocks: list[Block] = field(default_factory=list)
    pieces: list[tuple[int, int]] = field(default_factory=list)
    ids: Numbering = field(default_factory=Numbering)
    open: bool = False


def decode_stream(events: Sequence[Body]) -> tuple[ModelResponse, Chunks]:
    """The response and its (block index, characters) pieces; a stream that was cut has no stop reason.

    Texts that follow each other are one, until one is signed; a signature alone signs the text before it, and is a
    piece of no characters. Arguments that came in pieces are put together, and are one piece.
    """
    merged = _Merged()
    for number, event in enumerate(events):
        _add(merged, event, f"event {number}: $")
    if not events:
        return ModelResponse(), ()
    return made_of(merged.top, merged.candidate, merged.content, merged.blocks), tuple(merged.pieces)


def _add(merged: _Merged, event: Body, path: str) -> None:
    if is_break(event):
        raise refuse(f"{path}.error", "the stream broke off with an error event")
    wire = spelled(event, ("candidates", "usageMetadata", "modelVersion", "responseId", "promptFeedback"), path)
    candidate = candidate_of(wire, path)
    usage = {**_object(merged.top, "usageMetadata"), **_object(wire, "usageMetadata")}
    merged.top |= rest(wire, ("candidates",)) | ({"usageMetadata": usage} if usage else {})
    content = object_at(candidate.get("content", {}), f"{path}.candidates[0].content")
    merged.candidate |= rest(candidate, ("content",))
    merged.content |= {name: each for name, each in rest(content, ("parts",)).items() if each is not None}
    for index, part in enumerate(list_at(content.get("parts"), f"{path}.candidates[0].content.parts")):
        _add_part(merged, object_at(part, path), f"{path}.candidates[0].content.parts[{index}]")


def _object(wire: Body, name: str) -> Body:
    return object_at(wire.get(name, {}), f"$.{name}")


def _add_part(merged: _Merged, part: Body, path: str) -> None:
    part = spelled(part, (CALL,), path)
    call = part.get(CALL)
    if not isinstance(call, dict) or not (merged.open or call.get("willContinue") or call.get("partialArgs")):
        _join(merged, decode_part(part, path, merged.ids))
        return
    if not merged.open:
        begun = rest(call, ("willContinue", "partialArgs"))
        merged.blocks.append(decode_part({**part, CALL: begun}, path, merged.ids))
    else:
        only(part, (CALL,), path)
        only(call, ("willContinue", "partialArgs"), f"{path}.{CALL}")
    block = merged.blocks[-1]
    if isinstance(block, ToolCallBlock):
        arguments = with_pieces(object_at(block.arguments, path), call, f"{path}.{CALL}")
        merged.blocks[-1] = block = msgspec.structs.replace(block, arguments=arguments)
    merged.open = call.get("willContinue") is True
    if not merged.open:
        merged.pieces.append((len(merged.blocks) - 1, len(streamed_text(block))))


def _join(merged: _Merged, block: Block) -> None:
    before = merged.blocks[-1] if merged.blocks else None
    if isinstance(block, TextBlock) and isinstance(before, TextBlock) and not before.extra:
        merged.blocks[-1] = msgspec.structs.replace(before, text=before.text + block.text, extra=block.extra)
    elif (
        isinstance(block, ThinkingBlock)
        and isinstance(before, ThinkingBlock)
        and before.signature is None
        and not before.extra
    ):
        joined = msgspec.structs.replace(block, text=before.text + block.text)
        merged.blocks[-1] = joined
    else:
        merged.blocks.append(block)
    merged.pieces.append((len(merged.blocks) - 1, len(streamed_text(block))))


def streamed_text(block: Block) -> str:
    """What of a block comes in pieces; a call comes whole."""
    if isinstance(block, ToolCallBlock):
        return text_of_arguments(block.arguments, block.arguments_text)
    return block.text if isinstance(block, TextBlock | ThinkingBlock) else ""


# --- writing ------------------------------------------------------------------------------------


def encode_stream(response: ModelResponse, live_body: Body, chunks: Chunks | None = None) -> Iterator[bytes]:
    """The events of a reply, one for each piece; the last one tells why the model stopped.

    `chunks` that do not add up to the response's text are set aside; then text comes by the word.
    """
    return iter([write_event(compact(each)) for each in _events(response, live_body, chunks)])


def encode_break(
    response: ModelResponse | None, error: ModelError, live_body: Body, chunks: Chunks | None = None
) -> Iterator[bytes]:
    """The events of a reply that broke off, none of which says why the model stopped, then the error's."""
    events = [] if response is None else _events(response, live_body, chunks)
    if events and response is not None:
        last = {name: each for name, each in events[-1].items() if name not in beside(response)}
        parts = object_at(list_at(last.get("candidates"), "$")[0], "$").get("content") if response.content else None
        events[-1:] = [] if parts is None else [{**last, "candidates": [{"content": parts, "index": 0}]}]
    return iter([write_event(compact(each)) for each in (*events, encode_error(error)[1])])


def _events(response: ModelResponse, live_body: Body, chunks: Chunks | None) -> list[Body]:
    head = head_of(response, live_body.get("model"))
    if is_blocked(response):
        return [{**beside(response), **head}]
    ending = ending_of(response)
    wire = encode_parts(response.content, "$.candidates[0].content.parts", Numbering())
    sizes = _sizes(response.content, chunks)
    parts = [
        part
        for index, (block, whole) in enumerate(zip(response.content, wire, strict=True))
        for part in _cut(block, object_at(whole, "$"), sizes[index])
    ]
    contents: list[JSON] = [{"parts": [part], "role": "model"} for part in parts] or [{"role": "model"}]
    candidates: list[Body] = [{"content": each, "index": 0} for each in contents]
    candidates[-1] |= ending
    events: list[Body] = [{"candidates": [each], **head} for each in candidates]
    events[-1] |= beside(response)
    return events


def _cut(block: Block, whole: Body, sizes: Sequence[int]) -> Iterator[Body]:
    """The parts that a block comes in; its signature and what else is beside the text comes with the last."""
    if not isinstance(block, TextBlock | ThinkingBlock):
        yield whole
        return
    at = 0
    plain: Body = {"thought": True} if isinstance(block, ThinkingBlock) else {}
    for size in sizes[:-1]:
        yield {"text": block.text[at : at + size], **plain}
        at += size
    yield {**whole, "text": block.text[at:]}


def _sizes(blocks: Sequence[Block], chunks: Chunks | None) -> list[list[int]]:
    """The pieces of each block: the recorded ones where they add up to its text, at least one."""
    found: list[list[int]] = []
    for index, block in enumerate(blocks):
        text = streamed_text(block)
        sizes = [size for at, size in chunks or () if at == index]
        fit = bool(sizes) and min(sizes) >= 0 and sum(sizes) == len(text)
        words = [len(word) for word in _WORD.findall(text)] or [0]
        found.append(sizes if fit else words)
    return found
