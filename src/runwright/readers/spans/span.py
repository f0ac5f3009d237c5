"""Spans and log records as values: ids in hexadecimal, times in nanoseconds, attributes as plain JSON."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Literal, TypeVar

import msgspec

from runwright.readers.spans.captured import Captured
from runwright.trace.model import JSON

Attributes = dict[str, JSON]
Kind = Literal["model", "tool", "agent", "pending", "unsupported", "other"]


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


class Span(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One operation; `failed` is status code 2, `dropped` counts what the exporter says it left out.

    `limit` is the length that its attribute values seem to have been cut at. What the format itself says beside the
    attributes: its `kind`, the `api` that was called, what it `told` of a model call, the `place` in the file, the
    `remedy` for content that is missing, and `more` that no field of a record holds.
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
    kind: Kind | None = None
    api: str = ""
    told: tuple[Captured, ...] = ()
    place: str = ""
    remedy: str = ""
    more: dict[str, JSON] = {}

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


Seen = TypeVar("Seen")


def once(look: Callable[[Span], Seen]) -> Callable[[Span], Seen]:
    """A function of a span that is worked out once for each: a span is a value, and is asked the same many times."""
    name = look.__name__

    @wraps(look)
    def looked(span: Span) -> Seen:
        held = span.__dict__
        if name not in held:
            held[name] = look(span)
        found: Seen = held[name]
        return found

    return looked


def ext_of(span: Span) -> dict[str, JSON]:
    """What a record keeps of where it came from: the span's ids, and its place in the file where that is known."""
    found: dict[str, JSON] = {"span_id": span.span_id, "trace_id": span.trace_id, **span.more}
    return {**found, "source": span.place} if span.place else found
