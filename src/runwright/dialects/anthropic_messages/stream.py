"""Reading a streamed message: deltas are merged into their blocks, their boundaries kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import msgspec

from runwright.dialects.anthropic_messages.blocks import CITATIONS, decode_block
from runwright.dialects.anthropic_messages.calls import decode_use
from runwright.dialects.anthropic_messages.response import (
    STOP_REASON,
    check_head,
    decode_stop,
    decode_usage,
    further,
)
from runwright.dialects.arguments import arguments_of, text_of_arguments
from runwright.dialects.dialect import Body, Chunks
from runwright.dialects.fields import count_at, list_at, object_at, only, optional_text_at, refuse, rest, text_at
from runwright.trace.model import JSON, Block, ModelResponse, ToolCallBlock

ENDS = "message_stop"
BREAKS = "error"


@dataclass
class _Open:
    """A block as its start gave it and its deltas changed it; `text` joins the pieces of its input."""

    wire: Body
    text: str = ""
    stopped: bool = False


@dataclass
class _Merged:
    """What the events so far add up to."""

    head: Body | None = None
    blocks: list[_Open] = field(default_factory=list)
    pieces: list[tuple[int, int]] = field(default_factory=list)
    usage: Body | None = None
    stop: JSON = None
    extra: Body = field(default_factory=dict)


def is_end(event: Body) -> bool:
    """Whether a stream ends with this event."""
    return event.get("type") == ENDS


def is_break(event: Body) -> bool:
    """Whether a stream breaks off with this event."""
    return event.get("type") == BREAKS


def decode_stream(events: Sequence[Body]) -> tuple[ModelResponse, Chunks]:
    """The response and its (block index, characters) pieces; a stream that was cut has no stop reason.

    A piece of no characters is kept only where it is a tool call's first. Pings say nothing.
    """
    merged = _Merged()
    for number, event in enumerate(events):
        _add(merged, event, f"event {number}: $")
    head = merged.head or {}
    reason, word = decode_stop(merged.stop, "$")
    response = ModelResponse(
        content=tuple(_block(each, f"$.content[{index}]") for index, each in enumerate(merged.blocks)),
        stop_reason=reason,
        usage=decode_usage(merged.usage, "$.usage"),
        id=optional_text_at(head.get("id"), "$.id"),
        model=optional_text_at(head.get("model"), "$.model"),
        extra=further(head) | merged.extra | word,
    )
    return response, (*merged.pieces, *_whole(response.content, merged.blocks))


def _block(opened: _Open, path: str) -> Block:
    """The block; its input is what its pieces are the JSON of, and without any what the start said."""
    if not opened.text:
        return decode_block(opened.wire, path)
    value, text = arguments_of(opened.text)
    if opened.wire.get("type") != "tool_use":
        if value is None:
            raise refuse(f"{path}.input", f"the input of a {opened.wire.get('type')!r} is no JSON: {opened.text!r}")
        return decode_block({**opened.wire, "input": value}, path)
    call = decode_use({**opened.wire, "input": {}}, path)
    return msgspec.structs.replace(call, arguments=value, arguments_text=text)


def _whole(content: Sequence[Block], blocks: Sequence[_Open]) -> Iterator[tuple[int, int]]:
    """The pieces of inputs that came with the start of their block."""
    for index, (block, opened) in enumerate(zip(content, blocks, strict=True)):
        if isinstance(block, ToolCallBlock) and block.arguments and not opened.text:
            yield index, len(text_of_arguments(block.arguments, None))


def _add(merged: _Merged, event: Body, path: str) -> None:
    kind = text_at(event.get("type"), f"{path}.type")
    if kind in ("ping", ENDS):
        return
    if kind == BREAKS:
        raise refuse(f"{path}.error", "the stream broke off with an error event")
    if kind not in _EVENTS:
        raise refuse(f"{path}.type", f"unknown event type {kind!r}")
    if (merged.head is None) != (kind == "message_start"):
        what = "a second message starts" if merged.head is not None else f"{kind} before the message starts"
        raise refuse(f"{path}.type", what)
    _EVENTS[kind](merged, event, path)


def _start(merged: _Merged, event: Body, path: str) -> None:
    only(event, ("type", "message"), path)
    head = object_at(event.get("message"), f"{path}.message")
    check_head(head, f"{path}.message")
    for index, block in enumerate(list_at(head.get("content"), f"{path}.message.content")):
        _open(merged, object_at(block, f"{path}.message.content[{index}]"), f"{path}.message.content[{index}]")
        merged.blocks[-1].stopped = True
    merged.head = head
    merged.stop = head.get(STOP_REASON)
    _count(merged, head.get("usage"), f"{path}.message.usage")


def _start_block(merged: _Merged, event: Body, path: str) -> None:
    only(event, ("type", "index", "content_block"), path)
    index = count_at(event.get("index"), f"{path}.index")
    if index != len(merged.blocks):
        raise refuse(f"{path}.index", f"expected {len(merged.blocks)}, found {index}")
    _open(merged, object_at(event.get("content_block"), f"{path}.content_block"), f"{path}.content_block")


def _open(merged: _Merged, block: Body, path: str) -> None:
    index, kind = len(merged.blocks), block.get("type")
    merged.blocks.append(_Open(dict(block)))
    if kind == "tool_use":
        merged.pieces.append((index, 0))
    if kind in ("text", "thinking") and (text := text_at(block.get(str(kind)), f"{path}.{kind}")):
        merged.pieces.append((index, len(text)))


def _delta_block(merged: _Merged, event: Body, path: str) -> None:
    only(event, ("type", "index", "delta"), path)
    index, opened = _opened(merged, event, path)
    delta = object_at(event.get("delta"), f"{path}.delta")
    kind = text_at(delta.get("type"), f"{path}.delta.type")
    if kind not in _DELTAS:
        raise refuse(f"{path}.delta.type", f"unknown delta type {kind!r}")
    needed, fields = _DELTAS[kind]
    block = opened.wire.get("type")
    if block != needed if needed else "input" not in opened.wire:
        raise refuse(f"{path}.delta.type", f"{kind!r} for a block of type {block!r}")
    only(delta, ("type", *fields), f"{path}.delta")
    size = _grow(opened, kind, delta, f"{path}.delta")
    if size and block in ("text", "thinking", "tool_use"):
        merged.pieces.append((index, size))


_DELTAS: dict[str, tuple[str | None, tuple[str, ...]]] = {
    "text_delta": ("text", ("text",)),
    "thinking_delta": ("thinking", ("thinking",)),
    "signature_delta": ("thinking", ("signature",)),
    "citations_delta": ("text", ("citation",)),
    "input_json_delta": (None, ("partial_json",)),
    "compaction_delta": ("compaction", ("content", "encrypted_content")),
}
"""For each delta the type of block it grows, or none for any that has an input, and the fields that it may have."""


def _grow(opened: _Open, kind: str, delta: Body, path: str) -> int:
    """Add what a delta brings; the number of characters if it is a piece of text."""
    if kind == "compaction_delta":
        opened.wire |= rest(delta, ("type",))
        return 0
    if kind == "citations_delta":
        earlier = list_at(opened.wire.get(CITATIONS), f"{path}.{CITATIONS}")
        opened.wire[CITATIONS] = [*earlier, object_at(delta.get("citation"), f"{path}.citation")]
        return 0
    [name] = _DELTAS[kind][1]
    text = text_at(delta.get(name), f"{path}.{name}")
    if kind == "input_json_delta":
        opened.text += text
    elif kind == "signature_delta":
        opened.wire[name] = text
        return 0
    else:
        opened.wire[name] = text_at(opened.wire.get(name), f"{path}.{name}") + text
    return len(text)


def _stop_block(merged: _Merged, event: Body, path: str) -> None:
    only(event, ("type", "index"), path)
    _opened(merged, event, path)[1].stopped = True


def _opened(merged: _Merged, event: Body, path: str) -> tuple[int, _Open]:
    index = count_at(event.get("index"), f"{path}.index")
    if not 0 <= index < len(merged.blocks) or merged.blocks[index].stopped:
        raise refuse(f"{path}.index", f"block {index} is not open")
    return index, merged.blocks[index]


def _delta(merged: _Merged, event: Body, path: str) -> None:
    delta = object_at(event.get("delta"), f"{path}.delta")
    merged.stop = delta.get(STOP_REASON) or merged.stop
    for name, value in {**rest(event, ("type", "delta", "usage")), **rest(delta, (STOP_REASON,))}.items():
        if value is not None:
            merged.extra[name] = value
    _count(merged, event.get("usage"), f"{path}.usage")


def _count(merged: _Merged, value: JSON, path: str) -> None:
    """Counts are running totals: later ones replace earlier ones, null ones never do."""
    if value is not None:
        counts = {name: each for name, each in object_at(value, path).items() if each is not None}
        merged.usage = {**object_at(value, path), **(merged.usage or {}), **counts}


_EVENTS: dict[str, Callable[[_Merged, Body, str], None]] = {
    "message_start": _start,
    "content_block_start": _start_block,
    "content_block_delta": _delta_block,
    "content_block_stop": _stop_block,
    "message_delta": _delta,
}
