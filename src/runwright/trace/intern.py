"""The stored form of records: what an earlier line says already is referred to, not written again.

A model request is `extends` (an earlier exchange) plus splices; a message that an earlier exchange answered is
`{"response_of": id}`.
"""

from __future__ import annotations

import math
from collections import OrderedDict, deque
from typing import Any, NamedTuple, TypeAlias

import msgspec
import orjson
from blake3 import blake3

from runwright.errors import TraceError
from runwright.trace.model import JSON, Message, ModelRecord, ModelRequest, Record
from runwright.trace.resolve import REPLY_REACH, REQUEST_REACH
from runwright.trace.splice import splices_between

Plain: TypeAlias = dict[str, Any]

REMEMBERED = 20_000
"""Messages that are remembered while writing."""

GOOD_ENOUGH = 256
"""Bytes over what is new in a request from which on no better base is looked for."""

_ORDER = ("api", "model", "provider", "parameters", "messages", "tools")
_NO_REQUEST = ModelRequest(api="", model="")


def plain(value: msgspec.Struct) -> dict[str, JSON]:
    """A model value as plain JSON values, without its defaults."""
    made: dict[str, JSON] = _listed(msgspec.to_builtins(value))
    return made


def _listed(value: Any) -> Any:
    """Lists for tuples; a TraceError for a number that JSON has no form for."""
    if isinstance(value, dict):
        return {key: _listed(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_listed(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        raise TraceError(f"{value} is no JSON number", hint="a reader keeps such a number as text under ext")
    return value


class _Known(NamedTuple):
    """A message, its plain form, the digest of that and its bytes."""

    message: Message
    plain: Plain
    key: bytes
    size: int


class Interner:
    """Turns records into stored form, one after the other, in line order."""

    def __init__(self) -> None:
        self._bases: deque[tuple[str, Plain]] = deque(maxlen=REQUEST_REACH)
        self._replies: OrderedDict[bytes, tuple[str, int]] = OrderedDict()
        self._answers = 0
        self._messages: dict[int, _Known] = {}
        self._seen: set[bytes] = set()

    def stored(self, record: Record) -> Plain:
        """The record as its line says it."""
        return self._model(record) if isinstance(record, ModelRecord) else plain(record)

    def _model(self, record: ModelRecord) -> Plain:
        made = plain(msgspec.structs.replace(record.request, messages=()))
        known = [self._message(each) for each in record.request.messages]
        made["messages"] = [each.plain for each in known]
        request: Plain = {key: made[key] for key in _ORDER if key in made}
        value = {**plain(msgspec.structs.replace(record, request=_NO_REQUEST)), "request": self._least(request, known)}
        self._bases.append((record.id, request))
        if record.response is not None and record.response.content:
            self._answered(record.id, Message(role="assistant", content=record.response.content))
        return value

    def _least(self, request: Plain, known: list[_Known]) -> Plain:
        """The request whole or as changes to one of the exchanges before it, whichever takes the fewest bytes."""
        new = self._new(known)
        best: Plain | None = None
        least = 0
        for base, earlier in reversed(self._bases):
            delta = self._delta(base, earlier, request)
            size = len(orjson.dumps(delta))
            if best is None or size < least:
                best, least = delta, size
            if least <= new + GOOD_ENOUGH:
                return best
        whole = {**request, "messages": [self._referred(each.plain, each.key) for each in known]}
        return whole if best is None or len(orjson.dumps(whole)) <= least else best

    def _new(self, known: list[_Known]) -> int:
        """The bytes of the messages that no request held yet."""
        new = sum(each.size for each in known if each.key not in self._seen)
        if len(self._seen) > REMEMBERED:
            self._seen.clear()
        self._seen.update(each.key for each in known)
        return new

    def _message(self, message: Message) -> _Known:
        known = self._messages.get(id(message))
        if known is not None and known.message is message:
            return known
        made = plain(message)
        known = _Known(message, made, _key(made), len(orjson.dumps(made)))
        if len(self._messages) >= REMEMBERED:  # a stream of any length is written in constant memory
            self._messages.clear()
        self._messages[id(message)] = known
        return known

    def _answered(self, exchange: str, message: Message) -> None:
        self._answers += 1
        key = _key(plain(message))
        self._replies.pop(key, None)
        self._replies[key] = (exchange, self._answers)
        if len(self._replies) > REPLY_REACH:
            self._replies.popitem(last=False)

    def _delta(self, base: str, earlier: Plain, request: Plain) -> Plain:
        splices: list[Plain] = [dict(each) for each in splices_between(earlier, request)]
        for each in splices:
            if isinstance(each.get("put"), list) and each["path"][:1] == ["messages"] and len(each["path"]) == 2:
                each["put"] = [self._referred(message, None) for message in each["put"]]
        return {"extends": base, "splices": splices} if splices else {"extends": base}

    def _referred(self, message: Plain, key: bytes | None) -> Plain:
        if message.get("role") != "assistant":
            return message
        exchange, number = self._replies.get(key or _key(message), ("", -REPLY_REACH))
        return {"response_of": exchange} if self._answers - number < REPLY_REACH else message


def _key(message: Plain) -> bytes:
    return blake3(orjson.dumps(message)).digest()
