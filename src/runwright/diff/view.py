"""What is compared of a record, as plain JSON under the names that the record has for it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgspec

from runwright.diff.compared import (
    VOLATILE_HEADERS,
    arguments_of,
    block_key,
    compared,
    key_of,
    settled_extra,
    values_of,
)
from runwright.diff.fields import Listed, plain
from runwright.trace.model import (
    JSON,
    Block,
    HttpRecord,
    HttpRequest,
    HttpResponse,
    Message,
    MessageRecord,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    Record,
    SideEffectRecord,
    ToolCallBlock,
    ToolResultBlock,
    ToolSpec,
)


def record_view(record: Record) -> dict[str, JSON]:
    """The compared fields of a record; of a model exchange all but the messages of its request."""
    view = _members(record)
    match record:
        case ModelRecord():
            view["request"] = _request(record.request)
            view["response"] = None if record.response is None else _response(record.response)
        case MessageRecord():
            view["content"] = blocks_view(record.content)
        case SideEffectRecord():
            view["side_effect"] = _members(record.side_effect)
        case HttpRecord():
            view["request"], view["response"] = _http(record.request), _http(record.response)
        case _:
            pass
    return view


def message_view(message: Message) -> dict[str, JSON]:
    """The compared fields of a message."""
    return {**_members(message), "content": blocks_view(message.content)}


def blocks_view(blocks: Sequence[Block]) -> Listed:
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


def _members(value: msgspec.Struct) -> dict[str, JSON]:
    """The compared members that the value has; one at its default is left out, as the format leaves it out.

    Parameters and details stay, though there are none, so that each of them is told by its own name.
    """
    found: dict[str, JSON] = {}
    for name, default in _defaults(type(value)):
        member = getattr(value, name)
        if type(member) is not type(default) or member != default or name in ("parameters", "details", "detail"):
            found[name] = plain(member)
    return found


@cache
def _defaults(kind: type[msgspec.Struct]) -> tuple[tuple[str, object], ...]:
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    return tuple((name, _default(fields[name])) for name in compared(kind))


def _default(field: msgspec.structs.FieldInfo) -> object:
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()


def _request(request: ModelRequest) -> dict[str, JSON]:
    view = _members(msgspec.structs.replace(request, messages=(), tools=()))
    order = sorted(range(len(request.tools)), key=lambda at: (request.tools[at].name, _tool_key(request.tools[at])))
    return {**view, "tools": Listed((_members(request.tools[at]) for at in order), order)}


def _tool_key(tool: ToolSpec) -> bytes:
    return key_of(values_of(ToolSpec)(tool))


def _response(response: ModelResponse) -> dict[str, JSON]:
    kept = msgspec.structs.replace(response, extra=settled_extra(response.extra))
    return {**_members(kept), "content": blocks_view(response.content)}


def _block(block: Block) -> dict[str, JSON]:
    view = {"type": str(type(block).__struct_config__.tag), **_members(block)}
    if isinstance(block, ToolCallBlock):
        arguments, text = arguments_of(block)
        view |= {"arguments": arguments}
        view.pop("arguments_text", None)
        if text is not None:
            view["arguments_text"] = text
    if isinstance(block, ToolResultBlock):
        view["content"] = blocks_view(block.content)
    return view


def _http(side: HttpRequest | HttpResponse | None) -> JSON:
    if side is None:
        return None
    headers: dict[str, JSON] = {}
    for given, value in side.headers:
        name = given.lower()
        if name not in VOLATILE_HEADERS:
            earlier = headers.get(name)
            headers[name] = (
                value if earlier is None else [*(earlier if isinstance(earlier, list) else [earlier]), value]
            )
    return {**_members(side), "headers": headers}
