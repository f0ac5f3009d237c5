"""A turn of the cassette as a model exchange: what it stores is known, what it never stores is unknown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from runwright.dialects import DIALECTS, Body, Dialect
from runwright.dialects.fields import count_at, list_at, object_at, optional_text_at, refuse, text_at, wrong_kind
from runwright.errors import DialectError
from runwright.readers.flowproof.anthropic_wire import anthropic_request, anthropic_response
from runwright.readers.flowproof.keys import left_out
from runwright.readers.flowproof.message import Message, message_of, messages_of
from runwright.readers.flowproof.openai_wire import openai_request, openai_response
from runwright.readers.flowproof.wire import Wire
from runwright.readers.reading import Reading
from runwright.trace.model import JSON, ModelRecord, ModelRequest, ModelResponse, StopReason, Usage, calls_of

CONTENT = "$.response.content"
DELIVERY = "delivery"
"""The key in a record's `ext` that says which of the user's deliveries an exchange belongs to."""

NEVER_STORED = ("$.request.parameters.*", "$.streamed")
JOINED = frozenset({"anthropic.messages"})
"""The APIs whose text blocks the recording joins."""

OF_A_TOOL = ("kind", "description", "parameters", "extra")
OF_A_RESPONSE = ("$.response.id", "$.response.model")


class Protocol(NamedTuple):
    """A wire protocol of these traces: our dialect for it, and how stored messages become its bodies again."""

    api: str
    request: Callable[[str, Sequence[Message], Sequence[str]], Wire]
    response: Callable[[Message, str | None], Body]


T = TypeVar("T")

PROTOCOLS = {
    "openai": Protocol("openai.chat_completions", openai_request, openai_response),
    "anthropic": Protocol("anthropic.messages", anthropic_request, anthropic_response),
}


class Turns:
    """Reads the turns of one cassette in order. Each request repeats the history: what is the same is read once."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._stored: list[JSON] = []
        self._messages: tuple[Message, ...] = ()
        self._wire: dict[str, JSON] = {}
        self._decoded: ModelRequest | None = None

    def exchange_of(self, value: JSON, place: str) -> ModelRecord:
        """The exchange, without its id; DialectError names the place of what cannot be one."""
        turn = object_at(value, place)
        left_out(turn, ("protocol", "request", "response", "delivery_index"), place, self._reading)
        protocol, dialect = _protocol(turn.get("protocol", "openai"), f"{place}.protocol")
        wire = self._request(turn.get("request"), f"{place}.request", protocol)
        request = self._decode(wire.body, f"{place}.request", dialect)
        hidden = [f"$.request.tools[{at}].{field}" for at in range(len(request.tools)) for field in OF_A_TOOL]
        delivery = count_at(turn.get("delivery_index"), f"{place}.delivery_index")
        asked = ModelRecord(
            id="",
            request=request,
            fidelity="partial" if wire.partial else "reconstructed",
            unknown=(*NEVER_STORED, *wire.unknown, *hidden),
            ext={DELIVERY: delivery} if delivery else {},
        )
        return _answered(asked, turn.get("response"), f"{place}.response", protocol, dialect, self._reading)

    def _request(self, value: JSON, place: str, protocol: Protocol) -> Wire:
        request = object_at(value, place)
        left_out(request, ("model", "messages", "tools"), place, self._reading)
        stored = request.get("messages")
        if not isinstance(stored, list):
            raise wrong_kind(f"{place}.messages", "a list", stored)
        tools = [text_at(each, f"{place}.tools[{at}]") for at, each in enumerate(list_at(request.get("tools"), place))]
        same = _shared(stored, self._stored)
        rest = messages_of(stored, f"{place}.messages", self._reading, start=same)
        self._stored, self._messages = stored, (*self._messages[:same], *rest)
        return protocol.request(text_at(request.get("model"), f"{place}.model"), self._messages, tools)

    def _decode(self, body: Body, place: str, dialect: Dialect) -> ModelRequest:
        """The request of a body; messages that the last request had in the same places are not decoded again."""
        messages = list_at(body["messages"], place)
        before, known = self._decoded, list_at(self._wire.get("messages"), place)
        alike = before is not None and before.api == dialect.api and body.get("system") == self._wire.get("system")
        same = _shared(messages, known) if alike else 0
        rest = messages[same:]
        try:
            request, _ = dialect.decode_request({**body, "messages": rest})
        except DialectError:
            return _decoded(lambda: dialect.decode_request(body)[0], place)  # for the place of what it refuses
        if before is not None and same:
            kept = before.messages[: len(before.messages) - len(known) + same]
            new = request.messages[len(request.messages) - len(rest) :]
            request = msgspec.structs.replace(request, messages=(*kept, *new))
        self._wire, self._decoded = body, request
        return request


def _shared(one: Sequence[JSON], other: Sequence[JSON]) -> int:
    """How many items both begin with."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _protocol(value: JSON, place: str) -> tuple[Protocol, Dialect]:
    name = text_at(value, place)
    if name not in PROTOCOLS:
        raise refuse(place, f"unknown protocol {name!r}", hint=f"known: {', '.join(PROTOCOLS)}")
    return PROTOCOLS[name], DIALECTS[PROTOCOLS[name].api]


def _answered(
    asked: ModelRecord, value: JSON, place: str, protocol: Protocol, dialect: Dialect, reading: Reading
) -> ModelRecord:
    """The exchange with its reply. A reply that says nothing and asks for nothing was not stored whole."""
    if value is None:
        reading.lose("not_captured", "a turn without a response", place)
        return msgspec.structs.replace(asked, fidelity="partial", unknown=(*asked.unknown, CONTENT))
    response = object_at(value, place)
    left_out(response, ("message", "stop_reason"), place, reading)
    message = message_of(response.get("message"), f"{place}.message", reading)
    stop = optional_text_at(response.get("stop_reason"), f"{place}.stop_reason")
    decoded = _decoded(lambda: dialect.decode_response(protocol.response(message, stop)), f"{place}.message")
    if message.hides_content:
        reading.lose("not_captured", "a reply without text or tool calls: what it said was not stored", place)
    return msgspec.structs.replace(
        asked,
        response=_completed(decoded, follows=stop is None),
        fidelity="partial" if message.hides_content else asked.fidelity,
        unknown=(*asked.unknown, *OF_A_RESPONSE, *((CONTENT,) if message.hides_content else ())),
        reconstructed=(("$.response.stop_reason",) if stop is None else ()) + ("$.response.usage",),
    )


def _completed(response: ModelResponse, *, follows: bool) -> ModelResponse:
    """The reply with no tokens counted, and where no stop reason was stored, the one that its content leads to."""
    if not follows:
        return msgspec.structs.replace(response, usage=Usage())
    stop: StopReason = "tool_calls" if calls_of(response.content) else "end_turn"
    return msgspec.structs.replace(response, usage=Usage(), stop_reason=stop)


def _decoded(decode: Callable[[], T], place: str) -> T:
    """What the dialect makes of a body; its refusal names the turn, whose own place the rebuilt body lost."""
    try:
        return decode()
    except DialectError as error:
        raise refuse(place, f"{error.place}: {error.message}", hint=error.hint) from error
