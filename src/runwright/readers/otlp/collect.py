"""From files to the spans and events of one run."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import msgspec

from runwright.errors import ReaderError
from runwright.readers.input import Input
from runwright.readers.lines import documents
from runwright.readers.otlp.binary import messages
from runwright.readers.otlp.framing import is_binary
from runwright.readers.otlp.wire import is_otlp, logs_of, spans_of
from runwright.readers.reading import Reading
from runwright.readers.spans.classify import kind_of
from runwright.readers.spans.collected import Collected, SpanKey
from runwright.readers.spans.langfuse_client import with_observations
from runwright.readers.spans.span import Event, Linked, Span
from runwright.readers.spans.vercel import with_lone_calls


def collect(inputs: Sequence[Input], reading: Reading) -> Collected:
    """The spans of all files, each once, and the log records that belong to them; ReaderError for a file of none."""
    spans: list[Span] = []
    logs: list[tuple[int, Linked]] = []
    number = 0
    for source in inputs:
        exports = 0
        for located in messages(source, reading) if is_binary(source.data) else documents(source, reading):
            for document in located.value if isinstance(located.value, list) else [located.value]:
                if not is_otlp(document):
                    reading.lose("malformed", "not an export of spans or log records", located.place)
                    continue
                exports, number = exports + 1, number + 1
                spans += spans_of(document, reading, located.place)
                logs += [(number, each) for each in logs_of(document, reading, located.place)]
        if not exports:
            raise ReaderError(
                "no export of spans or log records could be read",
                place=source.name,
                hint="OTLP is read as JSON, JSON Lines or binary protobuf: requests that export spans or log records",
            )
    once = with_observations(with_lone_calls(_each_once(spans, reading)), reading)
    events = _events(logs, reading)
    known = {(span.trace_id, span.span_id) for span in once}
    orphans = tuple(key for key, mine in events.items() if key not in known and any(_speaks(each) for each in mine))
    return Collected(spans=once, events=events, orphans=orphans)


def _speaks(event: Event) -> bool:
    return event.name.startswith("gen_ai.")


def _each_once(spans: Sequence[Span], reading: Reading) -> tuple[Span, ...]:
    """Spans by their ids; of two exports of one span the fuller one."""
    found: dict[SpanKey, Span] = {}
    for span in spans:
        known = found.get((span.trace_id, span.span_id))
        if known is not None:
            reading.lose("duplicate", "a span that was exported twice", f"span {span.span_id}")
        if known is None or _fullness(span) > _fullness(known):
            found[span.trace_id, span.span_id] = span
    return tuple(found.values())


def _fullness(span: Span) -> tuple[int, int, int]:
    return (1 if span.end else 0, len(span.attributes), len(span.events))


def _events(logs: Sequence[tuple[int, Linked]], reading: Reading) -> dict[SpanKey, tuple[Event, ...]]:
    """Log records by span; one that stands in two exports is one record, two in one export are two."""
    seen: dict[bytes, int] = {}
    found: dict[SpanKey, list[Event]] = defaultdict(list)
    for export, linked in logs:
        key = msgspec.json.encode(linked)
        if seen.setdefault(key, export) != export:
            reading.lose("duplicate", "a log record that was exported twice", f"span {linked.span_id}")
            continue
        found[linked.trace_id, linked.span_id].append(linked.event)
    return {key: tuple(events) for key, events in found.items()}


def one_run(spans: Sequence[Span], trace_id: str | None, reading: Reading) -> tuple[Span, ...]:
    """The spans of one run.

    The one asked for; else that of the only trace with model calls; else all, because agents without a span of their
    own draw each call as a trace, and then the header says so.
    """
    calls = Counter(span.trace_id for span in spans if kind_of(span) == "model")
    if trace_id is not None:
        wanted = trace_id.lower()
        if wanted not in {span.trace_id for span in spans}:
            raise ReaderError(f"no trace {trace_id!r} in the export", hint=f"it holds: {', '.join(sorted(calls)[:12])}")
        return _only(spans, wanted, reading)
    if len(calls) == 1:
        return _only(spans, next(iter(calls)), reading)
    if len(calls) > 1:
        named = ", ".join(sorted(calls)[:12])
        reading.lose(
            "inexact", f"{len(calls)} traces with model calls are read as one run; choose one with --trace-id: {named}"
        )
    return tuple(spans)


def _only(spans: Sequence[Span], trace_id: str, reading: Reading) -> tuple[Span, ...]:
    for span in spans:
        if span.trace_id != trace_id:
            reading.lose("dropped", "spans of other traces in the export are left out", f"trace {span.trace_id}")
    return tuple(span for span in spans if span.trace_id == trace_id)
