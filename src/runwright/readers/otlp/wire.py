"""OTLP as JSON: the requests of an exporter, as spans and log records.

Both spellings of the protobuf JSON mapping are met in the field and read: ids in hexadecimal or base64, enums as
numbers or names, 64-bit integers as texts or numbers, field names in camel or snake case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from runwright.readers.exact import DEEPEST
from runwright.readers.reading import Reading
from runwright.readers.spans.numbers import identity, integer
from runwright.readers.spans.span import Attributes, Event, Linked, Scope, Span
from runwright.trace.model import JSON

TOO_DEEP, WITHOUT_IDS = "a span or log record that is nested too deep", "a span without ids"
SNAKE = re.compile(r"(?<=[a-z])([A-Z])")


def is_otlp(document: JSON) -> bool:
    """The document is an export of spans or log records."""
    return isinstance(document, dict) and any(
        isinstance(field(document, key), list) for key in ("resourceSpans", "resourceLogs")
    )


def spans_of(document: JSON, reading: Reading, place: str) -> Iterator[Span]:
    """The spans of one export, in the order they stand in; a malformed one is a loss."""
    for resource, group in _groups(document, "resourceSpans", "scopeSpans"):
        scope = _scope(resource, group)
        for item in _items(group, "spans"):
            try:
                span = _span(item, scope, reading)
            except RecursionError:
                reading.lose("malformed", TOO_DEEP, place)
                continue
            if span is None:
                reading.lose("malformed", WITHOUT_IDS, place)
            else:
                yield span


def logs_of(document: JSON, reading: Reading, place: str) -> Iterator[Linked]:
    """The log records of one export that belong to a span."""
    for resource, group in _groups(document, "resourceLogs", "scopeLogs"):
        scope = _scope(resource, group)
        for item in _items(group, "logRecords"):
            try:
                linked = _linked(item, scope, reading)
            except RecursionError:
                reading.lose("malformed", TOO_DEEP, place)
                continue
            if linked is None:
                reading.lose("dropped", "a log record that names no span", place)
            else:
                yield linked


def field(value: JSON, name: str) -> JSON:
    """A field by its camel case name, or else by its snake case one."""
    if not isinstance(value, dict):
        return None
    found = value.get(name)
    return value.get(_snake(name)) if found is None else found


@cache
def _snake(name: str) -> str:
    return SNAKE.sub(r"_\1", name).lower()


def _items(value: JSON, name: str) -> list[dict[str, JSON]]:
    found = field(value, name)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _groups(document: JSON, outer: str, inner: str) -> Iterator[tuple[Attributes, dict[str, JSON]]]:
    for resource in _items(document, outer):
        attributes = attributes_of(field(resource.get("resource"), "attributes"))
        for group in _items(resource, inner):
            yield attributes, group


def _scope(resource: Attributes, group: dict[str, JSON]) -> Scope:
    scope = group.get("scope")
    return Scope(
        name=_text(field(scope, "name")),
        version=_text(field(scope, "version")) or None,
        service=_text(resource.get("service.name")) or None,
        instance=_text(resource.get("service.instance.id")) or None,
    )


def _span(item: dict[str, JSON], scope: Scope, reading: Reading) -> Span | None:
    trace_id, span_id = identity(field(item, "traceId"), 16), identity(field(item, "spanId"), 8)
    if not trace_id or not span_id:
        return None
    status = item.get("status")
    dropped = [integer(field(item, f"dropped{what}Count")) or 0 for what in ("Attributes", "Events")]
    return Span(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=identity(field(item, "parentSpanId"), 8),
        name=_text(item.get("name")),
        scope=scope,
        start=_moment(field(item, "startTimeUnixNano")),
        end=_moment(field(item, "endTimeUnixNano")),
        attributes=attributes_of(item.get("attributes"), reading, span_id),
        events=tuple(_event(each, reading, span_id) for each in _items(item, "events")),
        failed=field(status, "code") in (2, "2", "STATUS_CODE_ERROR", "ERROR"),
        status=_text(field(status, "message")),
        dropped=sum(dropped),
    )


def _event(item: dict[str, JSON], reading: Reading, where: str) -> Event:
    return Event(
        name=_text(item.get("name")),
        time=integer(field(item, "timeUnixNano")) or 0,
        attributes=attributes_of(item.get("attributes"), reading, where),
    )


def _linked(item: dict[str, JSON], scope: Scope, reading: Reading) -> Linked | None:
    trace_id, span_id = identity(field(item, "traceId"), 16), identity(field(item, "spanId"), 8)
    if not trace_id or not span_id:
        return None
    attributes = attributes_of(item.get("attributes"), reading, span_id)
    event = Event(
        name=_text(field(item, "eventName")) or _text(attributes.get("event.name")),
        time=integer(field(item, "timeUnixNano")) or integer(field(item, "observedTimeUnixNano")) or 0,
        attributes=attributes,
        body=any_value(item.get("body"), reading, span_id),
    )
    return Linked(trace_id=trace_id, span_id=span_id, scope=scope, event=event)


def _moment(value: JSON) -> int | None:
    """Nanoseconds since 1970; zero stands for no time, and there is none before."""
    number = integer(value)
    return number if number is not None and number > 0 else None


def attributes_of(value: JSON, reading: Reading | None = None, where: str = "", depth: int = 0) -> Attributes:
    """Key and value pairs as a mapping; a plain mapping, as some tools write it, is one already."""
    if isinstance(value, dict):
        return value
    if not isinstance(value, list):
        return {}
    found: Attributes = {}
    for each in value:
        key = each.get("key") if isinstance(each, dict) else None
        if isinstance(each, dict) and isinstance(key, str):
            held = each.get("value")
            is_text = isinstance(held, dict) and len(held) == 1 and "stringValue" in held  # as most are
            found[key] = held["stringValue"] if is_text else any_value(held, reading, where, depth)  # type: ignore[index,call-overload]
    return found


def any_value(value: JSON, reading: Reading | None = None, where: str = "", depth: int = 0) -> JSON:
    """The plain value of an AnyValue; bytes stay base64 text, which is a loss, and so is what is nested too deep."""
    if depth > DEEPEST:
        raise RecursionError
    if not isinstance(value, dict):
        return value if isinstance(value, str | int | float | bool) else None
    for key, held in value.items():
        kind = _kind(key)
        if kind in ("stringvalue", "boolvalue"):
            return held
        if kind == "intvalue":
            number = integer(held)
            return held if number is None else number
        if kind == "doublevalue":
            return _double(held)
        if kind == "arrayvalue":
            return [any_value(each, reading, where, depth + 1) for each in _values(held)]
        if kind == "kvlistvalue":
            return attributes_of(_values(held), reading, where, depth + 1)
        if kind == "bytesvalue":
            if reading is not None:
                reading.lose("inexact", "bytes are kept as base64 text", where)
            return held
    return None


@lru_cache(maxsize=64)
def _kind(key: str) -> str:
    """The name of a kind of value, in whichever case it is written."""
    return key.replace("_", "").lower()


def _values(held: JSON) -> list[JSON]:
    found = field(held, "values")
    return found if isinstance(found, list) else []


def _double(held: JSON) -> JSON:
    """A double; NaN and infinity stay the text that the protobuf JSON mapping writes them as."""
    if isinstance(held, str):
        try:
            number = float(held)
        except ValueError:
            return held
        return number if number == number and abs(number) != float("inf") else held
    return held


def _text(value: JSON) -> str:
    return value if isinstance(value, str) else ""
