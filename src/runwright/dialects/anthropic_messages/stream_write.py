"""Writing a message as a stream, along recorded boundaries where they fit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from runwright.dialects.anthropic_messages.blocks import CITATIONS, encode_block
from runwright.dialects.anthropic_messages.calls import encode_use
from runwright.dialects.anthropic_messages.response import (
    STOP_REASON,
    STOP_SEQUENCE,
    encode_error,
    encode_stop,
    encode_usage,
    head_of,
)
from runwright.dialects.anthropic_messages.stream import BREAKS, ENDS
from runwright.dialects.arguments import text_of_arguments
from runwright.dialects.dialect import Body, Chunks
from runwright.dialects.exact import compact
from runwright.dialects.fields import list_at, rest
from runwright.dialects.sse import write_event
from runwright.trace.model import Block, ModelError, ModelResponse, OtherBlock, TextBlock, ThinkingBlock, ToolCallBlock

INPUT_PIECE = 12
COMPACTION = "compaction"
_WORD = re.compile(r"\s*\S+|\s+", re.UNICODE)
_LATE = (STOP_SEQUENCE, "stop_details", "container")
"""Fields of the message that the stream tells with the stop reason."""

_BESIDE = ("context_management",)
"""Those that it tells beside it."""

_TOTALS = ("cache_creation_input_tokens", "cache_read_input_tokens", "server_tool_use", "output_tokens_details")
"""The counts that are told again at the end."""


def encode_stream(response: ModelResponse, live_body: Body, chunks: Chunks | None = None) -> Iterator[bytes]:
    """The events of a reply, each block's pieces between its start and stop.

    `chunks` that do not add up to the response's text are set aside; then text comes by the word and input twelve
    characters at a time.
    """
    openings = [_opening(block, f"$.content[{index}]") for index, block in enumerate(response.content)]
    pieces = _pieces(response.content, chunks)
    ending = {"stop_reason": encode_stop(response), STOP_SEQUENCE: None, **_some(response.extra, _LATE)}
    return _events(response, live_body, openings, pieces, ending)


def encode_break(
    response: ModelResponse | None, error: ModelError, live_body: Body, chunks: Chunks | None = None
) -> Iterator[bytes]:
    """The events of a reply that broke off: those before its last block would have stopped, then the error's."""
    events = [] if response is None else list(encode_stream(response, live_body, chunks))
    yield from events[: -3 if response is not None and response.content else -2]
    yield write_event(compact(encode_error(error)[1]), event=BREAKS)


def _events(
    response: ModelResponse, live_body: Body, openings: Sequence[Body], pieces: Chunks, ending: Body
) -> Iterator[bytes]:
    usage = encode_usage(response.usage)
    start: Body = {
        **head_of(response, live_body.get("model")),
        "content": [],
        "stop_reason": None,
        STOP_SEQUENCE: None,
        "usage": {**usage, "output_tokens": 0},
        **rest(response.extra, (STOP_REASON, *_LATE, *_BESIDE)),
    }
    yield _event("message_start", {"message": start})
    for index, (block, opening) in enumerate(zip(response.content, openings, strict=True)):
        yield _event("content_block_start", {"index": index, "content_block": opening})
        sizes = [size for at, size in pieces if at == index]
        for delta in _deltas(block, sizes):
            yield _event("content_block_delta", {"index": index, "delta": delta})
        yield _event("content_block_stop", {"index": index})
    totals = {name: usage[name] for name in ("input_tokens", "output_tokens")} | _some(usage, _TOTALS)
    yield _event("message_delta", {"delta": ending, "usage": totals, **_some(response.extra, _BESIDE)})
    yield _event(ENDS, {})


def _event(kind: str, fields: Body) -> bytes:
    return write_event(compact({"type": kind, **fields}), event=kind)


def _some(fields: Body, names: Sequence[str]) -> Body:
    return {name: fields[name] for name in names if name in fields}


def _opening(block: Block, path: str) -> Body:
    """The block as its start announces it: without what its deltas bring."""
    if isinstance(block, ToolCallBlock):
        return encode_use(msgspec.structs.replace(block, arguments={}, arguments_text=None), path)
    wire = encode_block(block, path)
    if isinstance(block, OtherBlock):
        emptied: Body = {"input": {}} if block.kind != COMPACTION else dict.fromkeys(block.extra)
        return {name: emptied.get(name, value) for name, value in wire.items()}
    emptied = {"text": "", "thinking": "", "signature": "", CITATIONS: []}
    if isinstance(block, TextBlock) or (isinstance(block, ThinkingBlock) and not block.redacted):
        return {name: emptied.get(name, value) for name, value in wire.items()}
    return wire


def _deltas(block: Block, sizes: Sequence[int]) -> Iterator[Body]:
    if isinstance(block, OtherBlock):
        yield from _other_deltas(block)
    if isinstance(block, TextBlock):
        for citation in list_at(block.extra.get(CITATIONS), CITATIONS):
            yield {"type": "citations_delta", "citation": citation}
    kind, name = ("thinking_delta", "thinking") if isinstance(block, ThinkingBlock) else ("text_delta", "text")
    if isinstance(block, ToolCallBlock):
        kind, name = "input_json_delta", "partial_json"
    text, at = _text(block), 0
    for size in sizes:
        yield {"type": kind, name: text[at : at + size]}
        at += size
    if isinstance(block, ThinkingBlock) and block.signature and not block.redacted:
        yield {"type": "signature_delta", "signature": block.signature}


def _other_deltas(block: OtherBlock) -> Iterator[Body]:
    if block.kind == COMPACTION:
        yield {"type": "compaction_delta", **block.extra}
    elif block.extra.get("input"):
        yield {"type": "input_json_delta", "partial_json": compact(block.extra["input"]).decode()}


def _pieces(blocks: Sequence[Block], chunks: Chunks | None) -> Chunks:
    if chunks is not None and _fit(blocks, chunks):
        return chunks
    return tuple((index, len(piece)) for index, block in enumerate(blocks) for piece in _cut(block))


def _fit(blocks: Sequence[Block], chunks: Chunks) -> bool:
    """Whether the recorded pieces cover every block's text exactly; the input `{}` may be told without a piece."""
    if any(not 0 <= index < len(blocks) or size < 0 for index, size in chunks):
        return False
    totals = dict.fromkeys(range(len(blocks)), 0)
    for index, size in chunks:
        totals[index] += size
    return all(total in _sizes(blocks[index]) for index, total in totals.items())


def _sizes(block: Block) -> tuple[int, ...]:
    whole = len(_text(block))
    return (0, whole) if isinstance(block, ToolCallBlock) and _text(block) == "{}" else (whole,)


def _cut(block: Block) -> list[str]:
    text = _text(block)
    if not isinstance(block, ToolCallBlock):
        return _WORD.findall(text)
    pieces = [] if text == "{}" else [text[at : at + INPUT_PIECE] for at in range(0, len(text), INPUT_PIECE)]
    return ["", *pieces]


def _text(block: Block) -> str:
    """What of a block comes in pieces."""
    if isinstance(block, ToolCallBlock):
        return text_of_arguments(block.arguments, block.arguments_text)
    if isinstance(block, TextBlock) or (isinstance(block, ThinkingBlock) and not block.redacted):
        return block.text
    return ""
