"""Spans and log records as values: ids in hexadecimal, times in nanoseconds, attributes as plain JSON."""

from __future__ import annotations

import msgspec

from runwright.trace.model import JSON

Attributes = dict[str, JSON]


class Scope(msgspec.Struct, frozen=True):
    """Who made the span: the instrumentation, its version, and the service it ran in."""

    name: str = ""
    version: str | None = None
    service: str | None = None
    instance: str | None = None


class Event(msgspec.Struct, frozen=True):
    """A span event, or a log record that names a span."""

    name: str
    time: int
    attributes: Attributes
    body: JSON = None


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """One operation; `failed` is status code 2, `dropped` counts what the exporter says it left out.

    `limit` is the length that its attribute values seem to have been cut at.
    """

    trace_id: str
    span_id: str
    parent_id: str
    name: str
    scope: Scope
    start: int | None
    end: int | None
    attributes: Attributes
    events: tuple[Event, ...] = ()
    failed: bool = False
    status: str = ""
    dropped: int = 0
    limit: int | None = None

    def text(self, *keys: str) -> str:
        """The first of these attributes that is a text and not empty, else an empty text."""
        for key in keys:
            value = self.attributes.get(key)
            if value and isinstance(value, str):
                return value
        return ""

    @property
    def window(self) -> tuple[int, int]:
        """Start and end; a span without times starts and ends at zero."""
        start = self.start or 0
        return start, max(self.end or start, start)


class Linked(msgspec.Struct, frozen=True):
    """A log record and the span it belongs to."""

    trace_id: str
    span_id: str
    scope: Scope
    event: Event
