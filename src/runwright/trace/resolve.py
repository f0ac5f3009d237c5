"""Stored records made whole again as values, sharing what they share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from runwright.trace.model import Message, ModelRecord, ModelRequest, Record
from runwright.trace.requests import (
    BLOB_REACH as BLOB_REACH,
    REPLY_REACH as REPLY_REACH,
    REQUEST_REACH as REQUEST_REACH,
    Requests as Requests,
    Unresolvable as Unresolvable,
)

if TYPE_CHECKING:
    from runwright.trace.requests import Plain

_NO_REQUEST: Plain = {"api": "", "model": ""}


class Resolver:
    """Turns stored lines into records, in line order; Unresolvable or msgspec.ValidationError where one is none."""

    def __init__(self) -> None:
        self._requests = Requests()
        self._messages: dict[int, tuple[Plain, Message]] = {}

    def record(self, line: Plain) -> Record:
        """The record that a line stores."""
        line = self._requests.whole(line)
        if line["lane"] != "model":
            made: Record = msgspec.convert(line, Record, strict=True)
            return made
        request = line["request"]
        record = msgspec.convert({**line, "request": _NO_REQUEST}, ModelRecord)
        whole = msgspec.convert({**request, "messages": []}, ModelRequest)
        messages = tuple(self._message(each) for each in request["messages"])
        return msgspec.structs.replace(record, request=msgspec.structs.replace(whole, messages=messages))

    def _message(self, value: Plain) -> Message:
        known = self._messages.get(id(value))
        if known is not None and known[0] is value:
            return known[1]
        made = msgspec.convert(value, Message)
        self._messages[id(value)] = (value, made)
        return made
