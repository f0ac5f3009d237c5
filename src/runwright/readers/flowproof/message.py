"""A message as these traces store it, whatever wire protocol it came in."""

from __future__ import annotations

import msgspec

from runwright.dialects.fields import list_at, object_at, optional_text_at, text_at
from runwright.readers.flowproof.keys import left_out
from runwright.readers.reading import Reading
from runwright.trace.model import JSON

FIELDS = ("role", "content", "tool_calls", "tool_call_id")
CALL_FIELDS = ("id", "name", "arguments")


class Call(msgspec.Struct, frozen=True):
    """A tool call; `arguments` is the text that was on the wire."""

    id: str
    name: str
    arguments: str
    place: str


class Message(msgspec.Struct, frozen=True):
    """A stored message. `content` is None where none is stored, `partial` where a field of it is not known here."""

    role: str
    content: str | None
    calls: tuple[Call, ...]
    call_id: str | None
    place: str
    partial: bool

    @property
    def hides_content(self) -> bool:
        """Whether what it said is unknown: content in parts is never stored, and only a call explains its absence."""
        return self.partial or (self.content is None and not self.calls)


def messages_of(value: list[JSON], place: str, reading: Reading, *, start: int = 0) -> tuple[Message, ...]:
    """The stored messages from `start` on, in order."""
    return tuple(message_of(value[at], f"{place}[{at}]", reading) for at in range(start, len(value)))


def message_of(value: JSON, place: str, reading: Reading) -> Message:
    """One stored message; DialectError names what is of the wrong kind, an unknown field makes it partial."""
    message = object_at(value, place)
    unknown = left_out(message, FIELDS, place, reading)
    calls = list_at(message.get("tool_calls"), f"{place}.tool_calls")
    return Message(
        role=text_at(message.get("role"), f"{place}.role"),
        content=optional_text_at(message.get("content"), f"{place}.content"),
        calls=tuple(_call(each, f"{place}.tool_calls[{at}]", reading) for at, each in enumerate(calls)),
        call_id=optional_text_at(message.get("tool_call_id"), f"{place}.tool_call_id"),
        place=place,
        partial=bool(unknown),
    )


def _call(value: JSON, place: str, reading: Reading) -> Call:
    call = object_at(value, place)
    left_out(call, CALL_FIELDS, place, reading)
    return Call(
        id=text_at(call.get("id"), f"{place}.id"),
        name=text_at(call.get("name"), f"{place}.name"),
        arguments=text_at(call.get("arguments"), f"{place}.arguments"),
        place=place,
    )
