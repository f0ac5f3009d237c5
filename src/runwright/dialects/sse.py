"""Server-sent events: the standard's parser, fed in pieces cut anywhere, and the writer."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field

from runwright.dialects.exact import exact_loads
from runwright.dialects.fields import object_at, refuse
from runwright.trace.model import JSON

DONE = "[DONE]"


@dataclass(frozen=True)
class Event:
    """One dispatched event; `id` is the last event id seen so far."""

    data: str
    event: str = "message"
    id: str = ""


@dataclass(frozen=True)
class StreamBody:
    """The JSON objects of an event stream; `done` tells whether its end mark was seen."""

    values: tuple[dict[str, JSON], ...]
    done: bool


@dataclass
class SseParser:
    """Turns bytes into events; lines end in CR, LF or CRLF, and a leading byte order mark is dropped.

    Bytes that are not UTF-8 raise DialectError. An event is dispatched by the blank line after it, so the rest
    of a stream that stopped in mid-event stays in `unfinished`.
    """

    unfinished: str = ""
    _decoder: codecs.IncrementalDecoder = field(default_factory=codecs.getincrementaldecoder("utf-8"))
    _started: bool = False
    _after_cr: bool = False
    _data: list[str] = field(default_factory=list)
    _event: str = ""
    _id: str = ""

    def feed(self, data: bytes) -> list[Event]:
        """The events that these bytes complete."""
        text = self._decode(data)
        if self._after_cr and text:
            text, self._after_cr = text.removeprefix("\n"), False
        self._after_cr = self._after_cr or text.endswith("\r")
        lines = (self.unfinished + text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self.unfinished = lines.pop()
        return [event for line in lines if (event := self._line(line)) is not None]

    def _decode(self, data: bytes) -> str:
        try:
            text = self._decoder.decode(data)
        except UnicodeDecodeError as error:
            raise refuse("event stream", f"byte {error.object[error.start]:#04x} is not UTF-8") from error
        if not self._started and text:
            self._started, text = True, text.removeprefix("\ufeff")
        return text

    def _line(self, line: str) -> Event | None:
        if not line:
            return self._dispatch()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._event = value
        elif name == "id" and "\0" not in value:
            self._id = value
        return None

    def _dispatch(self) -> Event | None:
        data, name = self._data, self._event or "message"
        self._data, self._event = [], ""
        return Event("\n".join(data), name, self._id) if data else None


def parse_sse(data: bytes | str) -> list[Event]:
    """The events of a whole stream; what follows the last blank line is no event."""
    return SseParser().feed(data.encode("utf-8") if isinstance(data, str) else data)


def parse_stream_body(data: bytes | str) -> StreamBody:
    """The JSON objects of a whole stream up to its end mark; DialectError names the event that is not one.

    A last event whose blank line was trimmed off still counts when it is whole.
    """
    parser = SseParser()
    events = parser.feed(data.encode("utf-8") if isinstance(data, str) else data)
    if parser.unfinished and _is_whole(parser.unfinished):
        events += parser.feed(b"\n\n")
    elif not parser.unfinished:
        events += parser.feed(b"\n")
    values: list[dict[str, JSON]] = []
    for number, event in enumerate(events):
        if event.data.strip() == DONE:
            return StreamBody(tuple(values), done=True)
        values.append(_object(event, f"event {number}"))
    return StreamBody(tuple(values), done=False)


def _is_whole(line: str) -> bool:
    data = line.removeprefix("data:").strip()
    try:
        return data == DONE or isinstance(exact_loads(data), dict)
    except ValueError:
        return False


def _object(event: Event, place: str) -> dict[str, JSON]:
    try:
        return object_at(exact_loads(event.data), place)
    except ValueError as error:
        raise refuse(place, f"data is not JSON: {error}") from error


def write_event(data: str | bytes, event: str | None = None) -> bytes:
    """One event as bytes; each line of the data becomes a `data` line."""
    raw = data.encode("utf-8") if isinstance(data, str) else data
    head = f"event: {event}\n".encode() if event else b""
    return head + b"".join(b"data: " + line + b"\n" for line in _lines(raw)) + b"\n"


def _lines(raw: bytes) -> list[bytes]:
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
