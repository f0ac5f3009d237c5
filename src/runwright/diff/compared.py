"""Which fields of a record are compared, and the keys that are equal where records say the same.

Every field of the model is compared but the ones named here: a new field is compared until someone says why not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

import msgspec
from blake3 import blake3

from runwright.trace.content import Value
from runwright.trace.model import (
    JSON,
    Block,
    FaultRecord,
    HttpRecord,
    HttpRequest,
    HttpResponse,
    McpRecord,
    Message,
    MessageRecord,
    ModelResponse,
    PolicyRecord,
    Record,
    RecordBase,
    SideEffect,
    SideEffectRecord,
    ToolCallBlock,
    ToolRecord,
    ToolResultBlock,
    ToolSpec,
    lane_of,
)

LINKS: dict[type, frozenset[str]] = {
    RecordBase: frozenset({"parent", "after"}),
    ToolRecord: frozenset({"call_id"}),
    McpRecord: frozenset({"call_id"}),
    SideEffect: frozenset({"caused_by"}),
    PolicyRecord: frozenset({"on"}),
    FaultRecord: frozenset({"hides"}),
    ToolResultBlock: frozenset({"call_id"}),
}
"""Fields that name other records or calls: compared by what they lead to, never by the name."""

NOT_COMPARED: dict[type, frozenset[str]] = {
    RecordBase: frozenset(
        {
            "id",
            "t",
            "duration",
            "after_inferred",  # drawn from times
            "ext",  # the source's own: span ids and such
            "fidelity",
            "unknown",
            "reconstructed",
            "adopted",
            "chunks",  # how the network cut a streamed answer
        }
    ),
    ModelResponse: frozenset({"id"}),
    ToolCallBlock: frozenset({"id"}),
    Value: frozenset({"cache"}),  # marks that say what is billed, and move from turn to turn
}
"""Fields that say which run it was or how it was recorded, not what happened."""

VOLATILE_HEADERS = frozenset(
    {"date", "age", "traceparent", "tracestate", "x-request-id", "request-id", "x-amzn-requestid", "cf-ray"}
)
"""HTTP headers that hold the time or an id of the request."""

VOLATILE_EXTRA = frozenset({"created", "created_at"})
"""What else a model's answer says of its own time."""

_encode = msgspec.msgpack.Encoder(order="deterministic").encode


_FLOAT = b"\xcb"
"""What a number with a fraction begins with, and a letter of a text may hold."""


def encoded(value: object) -> bytes:
    """Bytes that are equal where two values are, whatever the order of keys; 1 and 1.0 are."""
    try:
        raw = _encode(value)
        return raw if _FLOAT not in raw else _encode(_with_integers(msgspec.to_builtins(value)))
    except (ValueError, OverflowError):  # a lone surrogate, or an integer beyond 64 bits
        return repr(_with_integers(msgspec.to_builtins(value))).encode("utf-8", "surrogatepass")


def _with_integers(value: Any) -> Any:
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, dict):
        return {key: _with_integers(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_with_integers(each) for each in value]
    return value


def key_of(value: object) -> bytes:
    """128 bits that are equal where two values are; in memory only."""
    try:
        raw = _encode(value)
    except (ValueError, OverflowError):
        raw = encoded(value)
    return blake3(raw).digest(16)


@cache
def compared(kind: type) -> tuple[str, ...]:
    """The fields of a model value that are compared as they are."""
    left_out: set[str] = set()
    for parent in kind.__mro__:
        left_out |= LINKS.get(parent, frozenset()) | NOT_COMPARED.get(parent, frozenset())
    return tuple(name for name in kind.__struct_fields__ if name not in left_out)  # type: ignore[attr-defined] # a Struct


@cache
def values_of(kind: type, *apart: str) -> Callable[[Any], object]:
    """Takes the compared fields of such a value, but for those that are looked at apart."""
    return attrgetter(*(name for name in compared(kind) if name not in apart))


# --- records ------------------------------------------------------------------------------------


def record_key(record: Record) -> bytes:
    """The key of a record of any lane but `model`."""
    kind = type(record)
    if isinstance(record, MessageRecord):
        return key_of(("message", values_of(kind, "content")(record), block_keys(record.content)))
    if isinstance(record, SideEffectRecord):
        effect = values_of(SideEffect)(record.side_effect)
        return key_of(("side_effect", values_of(kind, "side_effect")(record), effect))
    if isinstance(record, HttpRecord):
        sides = settled(record.request), record.response and settled(record.response)
        return key_of(("http", values_of(kind, "request", "response")(record), sides))
    return key_of((lane_of(record), values_of(kind)(record)))


Side = TypeVar("Side", HttpRequest, HttpResponse)


def settled(side: Side) -> Side:
    """A request or answer whose headers have neither case nor order, and lack the volatile ones."""
    if not side.headers:
        return side
    lowered = ((name.lower(), value) for name, value in side.headers)
    kept = sorted((each for each in lowered if each[0] not in VOLATILE_HEADERS), key=lambda each: each[0])
    return msgspec.structs.replace(side, headers=tuple(kept))


# --- content ------------------------------------------------------------------------------------

_LINKED = (ToolCallBlock, ToolResultBlock)
_OF_CALL = values_of(ToolCallBlock, "arguments", "arguments_text")
_OF_RESULT = values_of(ToolResultBlock, "content")
_OF_MESSAGE = values_of(Message, "content")


def message_key(message: Message) -> bytes:
    """The key of a message, whatever its calls are called and in which order neighbouring calls or results stand."""
    return key_of((_OF_MESSAGE(message), block_keys(message.content)))


def block_keys(blocks: Sequence[Block]) -> list[object]:
    """What is compared of each block; neighbouring calls, and neighbouring results, in an order of their own."""
    keys: list[object] = []
    stretch: list[bytes] = []
    before: type | None = None
    for block in blocks:
        kind = type(block)
        if stretch and kind is not before:
            keys += sorted(stretch)
            stretch = []
        if kind in _LINKED:
            stretch.append(block_key(block))
        else:
            keys.append((kind.__struct_config__.tag, values_of(kind)(block)))
        before = kind
    return keys + sorted(stretch) if stretch else keys


def block_key(block: Block) -> bytes:
    """The key of a call or of a result, without the id that links them."""
    if isinstance(block, ToolCallBlock):
        return key_of((_OF_CALL(block), *arguments_of(block)))
    if isinstance(block, ToolResultBlock):
        return key_of((_OF_RESULT(block), block_keys(block.content)))
    return key_of((type(block).__name__, values_of(type(block))(block)))


def arguments_of(block: ToolCallBlock) -> tuple[JSON, str | None]:
    """Arguments count as a value wherever they are JSON, and as text only where they are not."""
    text = block.arguments_text
    if block.arguments is not None or (text is not None and text.strip() == "null"):
        text = None
    return block.arguments, text


def tools_key(tools: Sequence[ToolSpec]) -> bytes:
    """The key of the declared tools, whatever their order."""
    return key_of(sorted(key_of(values_of(ToolSpec)(tool)) for tool in tools))


def response_key(response: ModelResponse | None, said: bytes) -> object:
    """What is compared of a model's answer, beside its content, whose key is `said`."""
    if response is None:
        return None
    return said, values_of(ModelResponse, "content", "extra")(response), settled_extra(response.extra)


def settled_extra(extra: dict[str, JSON]) -> dict[str, JSON]:
    """What a model's answer holds beside its fields, but the time."""
    if extra and not VOLATILE_EXTRA.isdisjoint(extra):
        return {name: value for name, value in extra.items() if name not in VOLATILE_EXTRA}
    return extra
