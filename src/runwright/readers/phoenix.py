"""Phoenix: spans as its API, its client and its saved tables give them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from runwright.errors import ReaderError
from runwright.readers.exact import compact
from runwright.readers.input import Input, digest_of, distinct, is_part, lost_in
from runwright.readers.lenient import a_list, a_text, an_object, objects
from runwright.readers.lines import Located, documents
from runwright.readers.parquet import is_parquet, parquet_rows
from runwright.readers.reader import Reader, Run
from runwright.readers.reading import Reading
from runwright.readers.spans.limits import with_limits
from runwright.readers.spans.nested import nested
from runwright.readers.spans.numbers import nanoseconds
from runwright.readers.spans.run import run_of
from runwright.readers.spans.span import Attributes, Event, Scope, Span
from runwright.readers.spans.vercel import with_lone_calls
from runwright.trace.model import JSON, Loss

Fields = dict[str, JSON]
SPAN = re.compile(rb'"context"\s*:\s*\{[^{}]{0,200}"span_id"|"context\.span_id"')
OPENS = re.compile(rb'"span_kind"\s*:|"attributes\.openinference\.span\.kind"')
AS_TEXT = re.compile(r"metadata|llm\.invocation_parameters|llm\.tools\.\d+\.tool\.json_schema|tool\.parameters")
"""Attributes whose values are the text of an object, which Phoenix opens."""

REMEDY = (
    "message content is not in the span: unset OPENINFERENCE_HIDE_INPUTS and OPENINFERENCE_HIDE_OUTPUTS where the "
    "agent runs, and record again"
)
WITHOUT, TWICE = "a span without ids", "a span that was exported twice"
DEEPEST = 32
"""Levels of attributes; what lies deeper is kept as text."""


def sniff_phoenix(head: bytes) -> int:
    """85 where a span with its context and its kind begins, as an object or as a row of a table."""
    if is_parquet(head):
        return 85 if b"context.span_id" in head and b"context.trace_id" in head else 0
    if head.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] not in (b"{", b"["):
        return 0
    return 85 if SPAN.search(head) and OPENS.search(head) else 0


def read_phoenix(files: Sequence[Input]) -> tuple[Run, ...]:
    """One run for each trace that has a model call, in order of their starts; ReaderError where none has."""
    inputs, common = distinct(files), Reading()
    by_trace: dict[str, dict[str, Span]] = {}
    for fields, place in (each for source in inputs for each in _rows(source, common)):
        span = _span(fields, place)
        if span is None:
            common.lose("malformed", WITHOUT, place)
            continue
        mine = by_trace.setdefault(span.trace_id, {})
        if span.span_id in mine:
            common.lose("duplicate", TWICE, f"span {span.span_id}")
        mine.setdefault(span.span_id, span)
    digest = digest_of(inputs)
    before, several = lost_in(inputs, common.losses()), len(by_trace) > 1 or is_part(inputs)
    runs = [_run(trace, tuple(mine.values()), digest, before, several) for trace, mine in by_trace.items()]
    found = [run for run in runs if run.trace.models]
    if not found:
        count = sum(map(len, by_trace.values()))
        hint = "export the spans of a project whose model client is instrumented"
        raise ReaderError(f"{count} spans, and none of them is a model call", place=inputs[0].name, hint=hint)
    return tuple(sorted(found, key=lambda run: (run.trace.header.started_at or "", run.id)))


def _run(trace: str, spans: tuple[Span, ...], digest: str, before: Sequence[Loss], several: bool) -> Run:
    whole = with_limits(with_lone_calls(spans))
    chosen = trace if several else ""
    return Run(trace, run_of(whole, "phoenix", digest, Reading(), chosen=chosen, before=before))


def names_told(reading: Reading) -> Callable[[Located], Iterator[str]]:
    """The ids of the traces that a document has spans of."""
    seen: set[tuple[str, str]] = set()

    def names(document: Located) -> Iterator[str]:
        for fields, place in _listed(document, reading):
            trace, span = _ids(_from_row(fields) if "context.span_id" in fields else fields)
            if not trace or not span:
                reading.lose("malformed", WITHOUT, place)
                continue
            if (trace, span) in seen:
                reading.lose("duplicate", TWICE, f"span {span}")
            seen.add((trace, span))
            yield trace

    return names


def _rows(source: Input, reading: Reading) -> Iterator[tuple[Fields, str]]:
    """The spans of a file: in a list, below `data`, one a line, or as rows."""
    if is_parquet(source.data):
        yield from parquet_rows(source, reading)
        return
    for located in documents(source, reading):
        yield from _listed(located, reading)


def _listed(located: Located, reading: Reading) -> Iterator[tuple[Fields, str]]:
    value = located.value
    held = an_object(value).get("data")
    items = value if isinstance(value, list) else held if isinstance(held, list) else [value]
    for each in items:
        if isinstance(each, dict):
            yield each, located.place
        else:
            reading.lose("malformed", "a span that is no object", located.place)


def _ids(row: Fields) -> tuple[str, str]:
    context = an_object(row.get("context"))
    return a_text(context.get("trace_id")), a_text(context.get("span_id"))


def _span(fields: Fields, place: str) -> Span | None:
    row = _from_row(fields) if "context.span_id" in fields else fields
    trace_id, span_id = _ids(row)
    if not trace_id or not span_id:
        return None
    attributes = _flat(an_object(row.get("attributes")))
    kind = a_text(row.get("span_kind")).upper()
    if kind and "openinference.span.kind" not in attributes:
        attributes["openinference.span.kind"] = kind
    return Span(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=a_text(row.get("parent_id")),
        name=a_text(row.get("name")),
        scope=Scope(),
        start=_moment(row.get("start_time")),
        end=_moment(row.get("end_time")),
        attributes=attributes,
        events=tuple(_event(each) for each in objects(row.get("events"))),
        failed=a_text(row.get("status_code")).upper().endswith("ERROR"),
        status=a_text(row.get("status_message")),
        place=place,
        remedy=REMEDY,
    )


def _moment(value: JSON) -> int | None:
    """Nanoseconds since 1970 of an ISO time, or of a number in the unit that its size tells."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        unit = next((each for each in (10**9, 10**6, 10**3) if value >= each * 10**8), 1)
        seconds, rest = divmod(value, unit) if isinstance(value, int) else (value / unit, 0)
        whole = nanoseconds(seconds)
        return None if whole is None else whole + rest * (10**9 // unit)
    return nanoseconds(value)


def _from_row(fields: Fields) -> Fields:
    """A row of a table of spans as a span: where some rows have no count, the others' have become fractions."""
    head = {key: each for key, each in fields.items() if not key.startswith(("context.", "attributes."))}
    context: Fields = {key[8:]: each for key, each in fields.items() if key.startswith("context.")}
    attributes: Fields = {
        key[11:]: int(each) if "token_count" in key and isinstance(each, float) and each.is_integer() else each
        for key, each in fields.items()
        if key.startswith("attributes.")
    }
    return {**head, "context": context, "attributes": attributes}


def _event(fields: Fields) -> Event:
    return Event(
        name=a_text(fields.get("name")),
        time=_moment(fields.get("timestamp")) or 0,
        attributes=_flat(an_object(fields.get("attributes"))),
    )


def _flat(given: Fields) -> Attributes:
    """Attributes under dotted keys, however they were nested; those that instrumentations write as text are text."""
    found: Attributes = {}
    for key, value in given.items():
        _put(found, key, value, 0)
    opened = {match.group() for key in found if (match := AS_TEXT.match(key)) and key[match.end() :].startswith(".")}
    for root in opened:
        text = compact(nested(found, root))
        found = {key: each for key, each in found.items() if not key.startswith(f"{root}.")}
        found.setdefault(root, text)
    return found


def _put(found: Attributes, key: str, value: JSON, depth: int) -> None:
    if isinstance(value, (dict, list)) and (AS_TEXT.fullmatch(key) or depth >= DEEPEST):
        found[key] = compact(value)
    elif isinstance(value, dict):
        for inner, each in value.items():
            _put(found, f"{key}.{inner}", each, depth + 1)
    elif value and isinstance(value, list) and all(isinstance(each, dict) for each in a_list(value)):
        for at, each in enumerate(value):
            _put(found, f"{key}.{at}", each, depth + 1)
    elif value is not None:
        found[key] = value


PHOENIX = Reader(
    name="phoenix",
    sniff=sniff_phoenix,
    read=read_phoenix,
    recognised="JSON or JSON Lines of spans with `context` and `span_kind`; rows with `context.span_id`, Parquet too",
    kept="LLM, tool and agent spans with nesting, times, errors; a run a trace",
    lost="chains, retrievers and embeddings but for nesting; which instrumentation drew a span; annotations",
    told=names_told,
    versions="REST API v1, tables of the client, flat and nested attributes; server 20.26.1",
)
