"""Content blocks with one thing changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, get_args, get_type_hints

import msgspec

from runwright.perturb.mutant import Kind
from runwright.perturb.unsaid import says_nothing, unmarked
from runwright.perturb.values import ADDED, MARK, Steps, changes, put, swaps
from runwright.trace.model import JSON, Block, Source, TextBlock, ToolCallBlock, ToolResultBlock

_NOT_COMPARED = frozenset({"cache"})
"""Marks for the provider's cache: where they stand says nothing to the model."""

_TAGS = frozenset({"type"})
_SOURCES: tuple[str, ...] = get_args(get_type_hints(Source)["kind"])
_ADDED: tuple[JSON, ...] = (MARK, True, {ADDED: True})
"""Values to try for a field that a block does not have."""


class Other(NamedTuple):
    """A block in place of a recorded one: what changed, where in the block, and the value that was swapped."""

    kind: Kind
    where: Steps
    what: str
    block: Block
    swapped: str = ""


def other_blocks(block: Block) -> Iterator[Other]:
    """Every field of the block changed, left out where it may be, and added where it may be; no block comes twice."""
    seen = {msgspec.json.encode(block)}
    for each in _others(block):
        key = msgspec.json.encode(each.block)
        if key not in seen:
            seen.add(key)
            yield each


def _others(block: Block) -> Iterator[Other]:
    plain = _plain(block)
    for where, what, value in changes(plain):
        if not _same(plain, where, what) and (made := _block(value)) is not None:
            yield Other(_kind(block, where), where, what, made)
    for where, value in _added(block, plain):
        if (made := _block(value)) is not None:
            yield Other(_kind(block, where), where, "added", made)
    for where, what, value, old in swaps(plain):
        if (made := _block(value)) is not None:
            yield Other("value", where, what, made, old)


def is_empty(block: Block) -> bool:
    """Whether a block says nothing, so that leaving it out changes nothing."""
    return isinstance(block, TextBlock) and not block.text and not block.extra


def _plain(block: Block) -> JSON:
    """The block as JSON, less what no replay compares: cache marks, and the spelling of arguments known as a value."""
    plain: JSON = msgspec.json.decode(msgspec.json.encode(block))
    return _stripped(plain)


def _stripped(value: JSON) -> JSON:
    if not isinstance(value, dict):
        return value
    kept = {name: each for name, each in value.items() if name not in _NOT_COMPARED}
    if kept.get("arguments") is not None:
        kept.pop("arguments_text", None)
    if "extra" in kept:
        kept["extra"] = unmarked(kept["extra"])
    content = kept.get("content")
    return {**kept, "content": [_stripped(each) for each in content]} if isinstance(content, list) else kept


def _block(value: JSON) -> Block | None:
    """The block that a JSON value is, None where it is none."""
    try:
        made: Block = msgspec.convert(value, Block)
    except msgspec.ValidationError:
        return None
    return made


def _kind(block: Block, where: Steps) -> Kind:
    if isinstance(block, ToolResultBlock):
        return "result"
    spoken = isinstance(block, ToolCallBlock) and where[:1] in (("arguments",), ("arguments_text",))
    return "argument" if spoken else "block"


def _same(plain: JSON, where: Steps, what: str) -> bool:
    """Whether the change says the same as before, or is about a tag: another tag is another block."""
    if where and where[-1] in _TAGS and not _in_arguments(where):
        return True
    if what != "left out":
        return False
    value = _at(plain, where)
    if where[-1] == "is_error" and not _in_arguments(where):
        return not value
    if isinstance(where[-1], int) and where[-2] == "content" and not _in_arguments(where):
        block = _block(value)
        return block is not None and is_empty(block)
    further = where[-1] == "extra" or "extra" in where[:-1]
    return further and isinstance(where[-1], str) and says_nothing(where[-1], value)


def _in_arguments(where: Steps) -> bool:
    return where[0] in ("arguments", "extra")


def _at(value: JSON, where: Steps) -> JSON:
    for step in where:
        if isinstance(value, dict):
            value = value[str(step)]
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step]
    return value


def _added(block: Block, plain: JSON) -> Iterator[tuple[Steps, JSON]]:
    """The block with each field that it lacks; a field that takes none of the values tried stays away."""
    names = [field.encode_name for field in msgspec.structs.fields(type(block))]
    present = plain if isinstance(plain, dict) else {}
    for name in names:
        if name in present or name in _NOT_COMPARED or name == "arguments_text":
            continue
        tried = ("custom",) if name == "kind" else _ADDED
        value = next((each for each in tried if _block({**present, name: each}) is not None), None)
        if value is not None:
            yield (name,), {**present, name: value}
    source = present.get("source")
    if isinstance(source, dict):
        kind = next(each for each in _SOURCES if each != source.get("kind"))
        yield ("source", "kind"), put(plain, ("source", "kind"), kind)
