"""The normal form of a model request: plain JSON in which what means the same is the same."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias, cast

import msgspec

from runwright.trace.model import (
    JSON,
    Block,
    Message,
    ModelRequest,
    TextBlock,
    ToolCallBlock,
    ToolResultBlock,
    ToolSpec,
    text_of,
)

Order: TypeAlias = tuple[int, ...]

CACHE_MARK = "cache_control"
NOT_CONDITIONING = frozenset({"stream", "stream_options", CACHE_MARK})
"""Wire fields that say how the answer travels or what is cached; whether it is streamed is compared by itself."""


UNSAID: Mapping[str, JSON] = {"caller": {"type": "direct"}, "citations": [], "transformations": {}}
"""Further fields of a block whose value says what their absence says."""


class Placed(list[JSON]):
    """A list whose items remember the index they have in the record."""

    at: Order

    def __init__(self, items: Iterable[JSON], at: Iterable[int]) -> None:
        super().__init__(items)
        self.at = tuple(at)


def normal_message(message: Message, at: Order) -> JSON:
    """One message: role, name and content; `at` gives the record's index of each block."""
    plain: dict[str, JSON] = {"role": message.role, "content": _content(message.content, at)}
    if message.name is not None:
        plain["name"] = message.name
    return plain


def normal_tool(tool: ToolSpec) -> JSON:
    """One tool declaration; fields that are null are absent."""
    plain = cast("dict[str, JSON]", as_json(msgspec.to_builtins(tool)))
    extra = plain.get("extra")
    if isinstance(extra, dict):
        plain["extra"] = _unmarked(extra)
    return _without_nulls(plain)


def _unmarked(extra: dict[str, JSON]) -> JSON:
    """The further fields of a tool without its cache mark, wherever the wire has it."""
    outer = extra.get("outer")
    kept = {name: value for name, value in extra.items() if name != CACHE_MARK}
    if isinstance(outer, dict) and CACHE_MARK in outer:
        kept["outer"] = {name: value for name, value in outer.items() if name != CACHE_MARK} or None
    return kept


def normal_parameters(parameters: Mapping[str, JSON]) -> dict[str, JSON]:
    """Every parameter by its wire name; one that is null is absent."""
    kept = {name: value for name, value in parameters.items() if name not in NOT_CONDITIONING}
    return {name: as_json(value) for name, value in kept.items() if value is not None}


def _content(blocks: Sequence[Block], at: Order) -> Placed:
    kept = [(block, place) for block, place in zip(blocks, at, strict=True) if not _is_empty(block)]
    return Placed((_block(block) for block, _ in kept), (place for _, place in kept))


def _is_empty(block: Block) -> bool:
    return isinstance(block, TextBlock) and not block.text and not block.extra


def _block(block: Block) -> JSON:
    plain = cast("dict[str, JSON]", as_json(msgspec.to_builtins(block)))
    plain.pop("cache", None)
    if isinstance(block, ToolCallBlock):
        _settle_arguments(plain)
    if isinstance(block, ToolResultBlock):
        plain["content"] = _content(block.content, tuple(range(len(block.content))))
        if not block.is_error:
            plain.pop("is_error", None)
    return _without_nulls(plain)


def _settle_arguments(plain: dict[str, JSON]) -> None:
    """Arguments count as a value wherever they are JSON, and as text only where they are not."""
    text = plain.get("arguments_text")
    if plain.get("arguments") is not None or (isinstance(text, str) and text.strip() == "null"):
        plain.pop("arguments_text", None)


def _without_nulls(plain: dict[str, JSON]) -> dict[str, JSON]:
    """A wire null is absence, at the top of a declaration or block and in its `extra`; so is what goes unsaid there."""
    kept: dict[str, JSON] = {key: value for key, value in plain.items() if value is not None}
    extra = kept.get("extra")
    if isinstance(extra, dict):
        kept["extra"] = {key: value for key, value in extra.items() if value not in (None, UNSAID.get(key))}
        if not kept["extra"]:
            del kept["extra"]
    return kept


def as_json(value: object) -> JSON:
    """A JSON value with lists for tuples and one spelling for each number: 1.0 is 1."""
    if isinstance(value, dict):
        return {key: as_json(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(each) for each in value]
    if isinstance(value, float):
        if not math.isfinite(value):
            return {"not a number": str(value)}
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    return cast("JSON", value)


# --- the order of results -----------------------------------------------------------------------


def result_order(messages: Sequence[Message]) -> tuple[Order, dict[int, Order]]:
    """The messages, and the blocks within some, in an order that does not depend on when results arrived.

    Adjacent results that answer one assistant turn are ordered as that turn asked for them. Returns the order of
    the messages, and for each message whose blocks move, the order of its blocks.
    """
    order = list(range(len(messages)))
    moved: dict[int, Order] = {}
    asked: dict[str, int] = {}
    at = 0
    while at < len(messages):
        end = at + 1
        if messages[at].role == "assistant":
            while end < len(messages) and messages[end].role == "assistant":
                end += 1
            asked = _asked(messages[at:end])
        elif asked and _results(messages[at]):
            while end < len(messages) and _only_results(messages[end]) and messages[end].role == messages[at].role:
                end += 1
            moved |= _moved_blocks(messages, range(at, end), asked)
            order[at:end] = _sorted_messages(messages, range(at, end), asked, moved)
        at = end
    return tuple(order), moved


def _asked(turn: Sequence[Message]) -> dict[str, int]:
    calls = [block.id for message in turn for block in message.content if isinstance(block, ToolCallBlock)]
    return {call: place for place, call in reversed(list(enumerate(calls)))}


def _results(message: Message) -> bool:
    return any(isinstance(block, ToolResultBlock) for block in message.content)


def _only_results(message: Message) -> bool:
    return bool(message.content) and all(isinstance(block, ToolResultBlock) for block in message.content)


def _moved_blocks(messages: Sequence[Message], run: range, asked: Mapping[str, int]) -> dict[int, Order]:
    moved = {}
    for index in run:
        order = _sorted_blocks(messages[index].content, asked)
        if order != tuple(range(len(order))):
            moved[index] = order
    return moved


def _sorted_blocks(blocks: Sequence[Block], asked: Mapping[str, int]) -> Order:
    """Each stretch of adjacent results ordered as asked; other blocks stay where they are."""
    order: list[int] = []
    stretch: list[tuple[int, int]] = []
    for place, block in enumerate(blocks):
        if isinstance(block, ToolResultBlock):
            stretch.append((asked.get(block.call_id, len(asked)), place))
            continue
        order += [where for _, where in sorted(stretch)]
        stretch = []
        order.append(place)
    return (*order, *(where for _, where in sorted(stretch)))


def _sorted_messages(
    messages: Sequence[Message], run: range, asked: Mapping[str, int], moved: Mapping[int, Order]
) -> list[int]:
    if not all(_only_results(messages[index]) for index in run):
        return list(run)

    def first(index: int) -> int:
        block = messages[index].content[moved.get(index, (0,))[0]]
        return asked.get(block.call_id, len(asked)) if isinstance(block, ToolResultBlock) else len(asked)

    return sorted(run, key=first)


# --- results that the flow gives ----------------------------------------------------------------


def with_results(request: ModelRequest, results: Mapping[str, JSON], *, live: bool) -> ModelRequest:
    """The request with the flow's result in place of each result of a tool the flow answers for.

    On the recorded side only where the recording says the same as a JSON value, so that spelling does not count.
    """
    if not results:
        return request
    names: dict[str, str] = {}
    messages = []
    for message in request.messages:
        names |= {block.id: block.name for block in message.content if isinstance(block, ToolCallBlock)}
        content = tuple(_answered(block, names, results, live=live) for block in message.content)
        messages.append(msgspec.structs.replace(message, content=content))
    return msgspec.structs.replace(request, messages=tuple(messages))


def _answered(block: Block, names: Mapping[str, str], results: Mapping[str, JSON], *, live: bool) -> Block:
    if not isinstance(block, ToolResultBlock) or names.get(block.call_id) not in results:
        return block
    result = results[names[block.call_id]]
    if not live and not _says(text_of(block.content), result):
        return block
    text = result if isinstance(result, str) else json.dumps(result, sort_keys=True, separators=(",", ":"))
    return ToolResultBlock(call_id=block.call_id, content=(TextBlock(text=text),))


def _says(text: str, result: JSON) -> bool:
    if text == result:
        return True
    try:
        return same_value(as_json(json.loads(text)), as_json(result))
    except (ValueError, RecursionError):
        return False


def same_value(one: JSON, other: JSON) -> bool:
    """Whether two JSON values are equal; true is not 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same_value(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_value, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and one == other
