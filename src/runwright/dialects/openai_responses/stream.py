"""Reading a streamed response: its items as their events build them, and where the pieces of their text were cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from runwright.dialects.dialect import Body, Chunks
from runwright.dialects.fields import count_at, list_at, object_at, refuse, text_at
from runwright.dialects.openai_responses.items import decode_output
from runwright.dialects.openai_responses.response import decode_response, with_streamed
from runwright.trace.model import JSON, ModelResponse

ENDS = ("response.completed", "response.incomplete")
BREAKS = ("error", "response.failed")
_HEADS = ("response.created", "response.queued", "response.in_progress", *ENDS)
_ITEM = ("response.output_item.added", "response.output_item.done")
_PART = {
    "response.content_part.added": ("content", "content_index"),
    "response.content_part.done": ("content", "content_index"),
    "response.reasoning_summary_part.added": ("summary", "summary_index"),
    "response.reasoning_summary_part.done": ("summary", "summary_index"),
}
_GROW = {
    "response.output_text.delta": ("content", "content_index", "output_text", "text"),
    "response.refusal.delta": ("content", "content_index", "refusal", "refusal"),
    "response.reasoning_text.delta": ("content", "content_index", "reasoning_text", "text"),
    "response.reasoning_summary_text.delta": ("summary", "summary_index", "summary_text", "text"),
}
"""For each event that brings a piece of a part: the item's list, the part's index in it, its type and its text."""

_FIELD = {
    "response.function_call_arguments.delta": "arguments",
    "response.custom_tool_call_input.delta": "input",
    "response.mcp_call_arguments.delta": "arguments",
    "response.code_interpreter_call_code.delta": "code",
}
"""For each event that brings a piece of an item's own text: the item's field."""

_ANNOTATION = "response.output_text.annotation.added"
_SAYS_AGAIN = frozenset(
    {
        "keepalive",
        "response.output_text.done",
        "response.refusal.done",
        "response.reasoning_text.done",
        "response.reasoning_summary_text.done",
        "response.function_call_arguments.done",
        "response.custom_tool_call_input.done",
        "response.mcp_call_arguments.done",
        "response.code_interpreter_call_code.done",
    }
)
_PROGRESS = (".in_progress", ".searching", ".interpreting", ".generating", ".completed", ".failed")


@dataclass
class _Merged:
    """What the events so far add up to; `pieces` are (item, list and index of the part, characters)."""

    head: Body = field(default_factory=dict)
    items: dict[int, Body] = field(default_factory=dict)
    pieces: list[tuple[int, tuple[str, int], int]] = field(default_factory=list)
    done: dict[int, Body] = field(default_factory=dict)
    ended: bool = False
    unknown: dict[JSON, tuple[str, str]] = field(default_factory=dict)


def is_end(event: Body) -> bool:
    """Whether a stream ends with this event."""
    return event.get("type") in ENDS


def is_break(event: Body) -> bool:
    """Whether a stream breaks off with this event."""
    return event.get("type") in BREAKS


def decode_stream(events: Sequence[Body]) -> tuple[ModelResponse, Chunks]:
    """The response and its (block index, characters) pieces; a stream that was cut has no stop reason.

    The last event tells the whole response again, and the end of an item the whole item: an unknown event before them
    is passed over. What has no end is what its events add up to; there an unknown one is refused. Random padding is
    dropped.
    """
    merged = _Merged()
    for number, event in enumerate(events):
        _add(merged, event, f"event {number}: $")
    for path, kind in merged.unknown.values():
        if not merged.ended:
            raise refuse(path, f"unknown event type {kind!r} in a stream without its end")
    output = list_at(merged.head.get("output"), "$.output")
    if not (merged.ended and output):
        output = [merged.items[index] for index in sorted(merged.items)]
    response = decode_response({**merged.head, "output": output} if events else {})
    return with_streamed(response, _otherwise(merged, output)), _chunks(merged, output)


def _otherwise(merged: _Merged, output: Sequence[JSON]) -> Body:
    """What the end of an item told and the end of the response tells otherwise, by the item's index.

    What is encrypted is so anew each time, and a client may send back the one or the other.
    """
    differing: Body = {}
    for index, told in merged.done.items():
        last = object_at(output[index] if index < len(output) else {}, "$.output")
        fields = {name: value for name, value in told.items() if value != last.get(name)}
        if fields and told.get("type") == last.get("type"):
            differing[str(index)] = fields
    return differing


def _chunks(merged: _Merged, output: Sequence[JSON]) -> Chunks:
    """The pieces by the index of the block they belong to; those of blocks that are not text are not kept."""
    starts, blocks = [0], []
    for index, item in enumerate(output):
        blocks.append(decode_output(item, f"$.output[{index}]"))
        starts.append(starts[-1] + len(blocks[-1]))
    found: list[tuple[int, int]] = []
    for at, part, size in merged.pieces:
        place = _place(object_at(output[at], "$"), part) if at < len(output) else None
        if size and place is not None and place < len(blocks[at]):
            found.append((starts[at] + place, size))
    return tuple(found)


def _place(item: Body, part: tuple[str, int]) -> int | None:
    """The block of an item that a part of it is."""
    name, index = part
    if item.get("type") == "reasoning":
        return index + (len(list_at(item.get("summary"), "$.summary")) if name == "content" else 0)
    if item.get("type") in ("function_call", "custom_tool_call"):
        return 0
    return index if item.get("type") == "message" else None


def _add(merged: _Merged, event: Body, path: str) -> None:
    kind = text_at(event.get("type"), f"{path}.type")
    if kind in BREAKS:
        raise refuse(f"{path}.error", "the stream broke off with an error event")
    if kind in _HEADS:
        merged.head = object_at(event.get("response"), f"{path}.response")
        merged.ended = merged.ended or kind in ENDS
    elif kind in _ITEM:
        item = object_at(event.get("item"), f"{path}.item")
        at = _index(event, "output_index", path)
        merged.items[at] = dict(item)
        if kind == _ITEM[1]:
            merged.done[at] = item
            merged.unknown.pop(at, None)
    elif kind in _PART:
        name, index = _PART[kind]
        at = _index(event, index, path)
        _parts(merged, event, name, at, path)[at] = object_at(event.get("part"), f"{path}.part")
    elif kind in _GROW:
        _grow_part(merged, event, path)
    elif kind in _FIELD:
        _grow_item(merged, event, _FIELD[kind], path)
    elif kind == _ANNOTATION:
        _annotate(merged, event, path)
    elif kind not in _SAYS_AGAIN and not kind.endswith(_PROGRESS):
        merged.unknown[event["output_index"] if isinstance(event.get("output_index"), int) else None] = (
            f"{path}.type",
            kind,
        )


def _grow_part(merged: _Merged, event: Body, path: str) -> None:
    name, index, kind, text = _GROW[text_at(event.get("type"), f"{path}.type")]
    at, piece = _index(event, index, path), text_at(event.get("delta"), f"{path}.delta")
    parts = _parts(merged, event, name, at, path)
    part = {"type": kind, text: "", **object_at(parts[at], path)}
    parts[at] = {**part, text: text_at(part[text], f"{path}.delta") + piece}
    merged.pieces.append((_index(event, "output_index", path), (name, at), len(piece)))


def _grow_item(merged: _Merged, event: Body, name: str, path: str) -> None:
    item, piece = _item(merged, event, path), text_at(event.get("delta"), f"{path}.delta")
    earlier = item.get(name)
    item[name] = ("" if earlier is None else text_at(earlier, f"{path}.delta")) + piece
    merged.pieces.append((_index(event, "output_index", path), (name, 0), len(piece)))


def _annotate(merged: _Merged, event: Body, path: str) -> None:
    at = _index(event, "content_index", path)
    parts = _parts(merged, event, "content", at, path)
    part = object_at(parts[at], path)
    earlier = list_at(part.get("annotations"), f"{path}.annotations")
    parts[at] = {**part, "annotations": [*earlier, event.get("annotation")]}


def _parts(merged: _Merged, event: Body, name: str, at: int, path: str) -> list[JSON]:
    """The parts of the event's item, of which there is one at this index or is now."""
    item = _item(merged, event, path)
    parts = item[name] = list(list_at(item.get(name), f"{path}.{name}"))
    if at > len(parts):
        raise refuse(path, f"part {at} comes before part {len(parts)}")
    return parts if at < len(parts) else _with_room(parts)


def _with_room(parts: list[JSON]) -> list[JSON]:
    parts.append({})
    return parts


def _item(merged: _Merged, event: Body, path: str) -> Body:
    at = _index(event, "output_index", path)
    if at not in merged.items:
        raise refuse(f"{path}.output_index", f"item {at} was not added")
    return merged.items[at]


def _index(event: Body, name: str, path: str) -> int:
    if event.get(name) is None:
        raise refuse(f"{path}.{name}", "expected an integer, found null")
    at = count_at(event[name], f"{path}.{name}")
    if at < 0:
        raise refuse(f"{path}.{name}", f"expected an index, found {at}")
    return at
