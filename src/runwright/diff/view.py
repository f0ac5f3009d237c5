"""What differs in two records as plain JSON, under the names that the records have for it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

import msgspec

from runwright.diff.compared import (
    VOLATILE_HEADERS,
    arguments_of,
    block_key,
    compared,
    encoded,
    key_of,
    settled_extra,
    values_of,
)
from runwright.diff.fields import Listed, plain
from runwright.trace.model import (
    JSON,
    Block,
    Message,
    ModelResponse,
    ToolCallBlock,
    ToolResultBlock,
    ToolSpec,
)

View: TypeAlias = dict[str, JSON]

ALWAYS = ("parameters", "details", "detail")
"""Fields that are shown though there is nothing in them, so that what they hold is told by its own name."""


def views(one: msgspec.Struct, other: msgspec.Struct, *apart: str) -> tuple[View, View]:
    """The compared fields in which two values of one type differ, but for those that are looked at apart.

    A field at its default is left out, as the format leaves it out.
    """
    view: View = {}
    right_view: View = {}
    for name, default in _defaults(type(one)):
        mine, yours = getattr(one, name), getattr(other, name)
        if name in apart or mine is yours or (name not in _LARGE and encoded(mine) == encoded(yours)):
            continue
        if isinstance(mine, msgspec.Struct) and type(mine) is type(yours):
            view[name], right_view[name] = views(mine, yours, *apart)
            continue
        for side, value, member in ((view, one, mine), (right_view, other, yours)):
            if name in ALWAYS or not _is_default(member, default):
                side[name] = _shown(value, name, member)
    return view, right_view


def message_view(message: Message) -> View:
    """The compared fields of a message."""
    return _whole(message)


_LARGE = ("request",)
"""Fields that are not worth comparing as a whole first."""


def _whole(value: msgspec.Struct) -> View:
    given = ((name, default, getattr(value, name)) for name, default in _defaults(type(value)))
    return {
        name: _shown(value, name, member)
        for name, default, member in given
        if name in ALWAYS or not _is_default(member, default)
    }


def _is_default(member: object, default: object) -> bool:
    return type(member) is type(default) and member == default


@cache
def _defaults(kind: type[msgspec.Struct]) -> tuple[tuple[str, object], ...]:
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    return tuple((name, _default(fields[name])) for name in compared(kind))


def _default(field: msgspec.structs.FieldInfo) -> object:
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()


def _shown(value: msgspec.Struct, name: str, member: object) -> JSON:
    """A field as it is shown; those that have an order or a form of their own in the normal form have it here."""
    if isinstance(member, msgspec.Struct):
        return _whole(member)
    if isinstance(member, tuple) and name == "content":
        return _blocks(member)
    if isinstance(member, tuple) and name == "tools":
        return _tools(member)
    if isinstance(member, tuple) and name == "headers":
        return _headers(member)
    if isinstance(value, ModelResponse) and name == "extra":
        return plain(settled_extra(value.extra))
    return plain(member)


def _blocks(blocks: Sequence[Block]) -> Listed:
    """Content blocks; neighbouring calls, and neighbouring results, in an order of their own."""
    order = sorted(range(len(blocks)), key=_stretches(blocks).__getitem__)
    return Listed((_block(blocks[at]) for at in order), order)


def _stretches(blocks: Sequence[Block]) -> list[tuple[int, bytes]]:
    places: list[tuple[int, bytes]] = []
    stretch, before = 0, None
    for block in blocks:
        linked = isinstance(block, ToolCallBlock | ToolResultBlock)
        if not linked or type(block) is not before:
            stretch += 1
        places.append((stretch, block_key(block) if linked else b""))
        before = type(block)
    return places


def _block(block: Block) -> View:
    view = {"type": str(type(block).__struct_config__.tag), **_whole(block)}
    if isinstance(block, ToolCallBlock):
        arguments, text = arguments_of(block)
        view["arguments"] = plain(arguments)
        view.pop("arguments_text", None)
        if text is not None:
            view["arguments_text"] = text
    return view


def _tools(tools: Sequence[ToolSpec]) -> Listed:
    order = sorted(range(len(tools)), key=lambda at: (tools[at].name, key_of(values_of(ToolSpec)(tools[at]))))
    return Listed((_whole(tools[at]) for at in order), order)


def _headers(given: Sequence[tuple[str, str]]) -> JSON:
    """Headers by their names, several of one name as a list."""
    headers: dict[str, JSON] = {}
    for spelled, value in given:
        name = spelled.lower()
        if name not in VOLATILE_HEADERS:
            earlier = headers.get(name)
            headers[name] = (
                value if earlier is None else [*(earlier if isinstance(earlier, list) else [earlier]), value]
            )
    return headers
