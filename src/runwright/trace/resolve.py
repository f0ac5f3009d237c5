"""Stored records made whole again as values, sharing what they share."""

from __future__ import annotations

from collections import OrderedDict
from operator import is_
from typing import TYPE_CHECKING

import msgspec

from runwright.trace.model import Message, ModelRecord, ModelRequest, Record
from runwright.trace.requests import (
    BLOB_REACH as BLOB_REACH,
    REPLY_REACH as REPLY_REACH,
    REQUEST_REACH as REQUEST_REACH,
    Requests as Requests,
    Unresolvable as Unresolvable,
    keep,
)

if TYPE_CHECKING:
    from runwright.trace.requests import Plain

_NO_REQUEST: Plain = {"api": "", "model": ""}


REMEMBERED = 1_000
"""Messages that are remembered by what they were made of, or twice as many as a request has where that is more."""


class Resolver:
    """Turns stored lines into records, in line order; Unresolvable or msgspec.ValidationError where one is none.

    A request that goes on from an earlier one shares what it shares, and only what is new is looked at.
    """

    def __init__(self) -> None:
        self._requests = Requests()
        self._messages: dict[int, tuple[Plain, Message]] = {}
        self._made: OrderedDict[str, tuple[Plain, ModelRequest]] = OrderedDict()

    def record(self, line: Plain) -> Record:
        """The record that a line stores."""
        whole = self._requests.whole(line)
        if whole["lane"] != "model":
            made: Record = msgspec.convert(whole, Record, strict=True)
            return made
        record = msgspec.convert({**whole, "request": _NO_REQUEST}, ModelRecord)
        request = self._request(whole["request"], self._made.get(line["request"].get("extends", "")))
        keep(self._made, record.id, (whole["request"], request), REQUEST_REACH)
        return msgspec.structs.replace(record, request=request)

    def _request(self, request: Plain, base: tuple[Plain, ModelRequest] | None) -> ModelRequest:
        messages: list[Plain] = request["messages"]
        if len(self._messages) > max(REMEMBERED, 2 * len(messages)):  # a stream of any length takes constant memory
            self._messages.clear()
        if base is None or not _differs_in_messages_alone(request, base[0]):
            made = tuple(map(self._message, messages))
            return msgspec.structs.replace(msgspec.convert({**request, "messages": []}, ModelRequest), messages=made)
        known: list[Plain] = base[0]["messages"]
        shared = base[1].messages if len(known) <= len(messages) and all(map(is_, messages, known)) else ()
        new = tuple(map(self._message, messages[len(shared) :]))
        return msgspec.structs.replace(base[1], messages=shared + new)

    def _message(self, value: Plain) -> Message:
        known = self._messages.get(id(value))
        if known is not None and known[0] is value:
            return known[1]
        made = msgspec.convert(value, Message)
        self._messages[id(value)] = (value, made)
        return made


def _differs_in_messages_alone(request: Plain, base: Plain) -> bool:
    """Whether all else of a request is what its base has, itself and not only its like."""
    return len(request) == len(base) and all(
        each is base.get(key, request) for key, each in request.items() if key != "messages"
    )
