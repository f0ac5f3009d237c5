"""The rows of Langfuse's files: traces and observations, in whichever of its shapes they were exported."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from runwright.readers.input import Input
from runwright.readers.langfuse.events import events_of, is_batch, joined
from runwright.readers.langfuse.row import Object, Row, field, text_field
from runwright.readers.lenient import a_list, an_object
from runwright.readers.lines import Located, documents
from runwright.readers.parquet import is_parquet, parquet_rows
from runwright.readers.reading import Reading
from runwright.trace.model import JSON

TWICE = "an observation that was exported twice"


class Rows(msgspec.Struct, frozen=True):
    """What files hold: traces by their ids, and observations, each once."""

    traces: dict[str, Row]
    observations: tuple[Row, ...]


def rows_of(files: Sequence[Input], reading: Reading) -> Rows:
    """The traces and observations of all files; what is neither is a loss."""
    traces: dict[str, Row] = {}
    found: dict[tuple[str, str], Row] = {}
    events: list[Row] = []

    def keep(row: Row) -> None:
        identity = text_field(row.fields, "id")
        if not _is_observation(row.fields):
            traces.setdefault(identity, row)
            return
        key = (text_field(row.fields, "traceId"), identity)
        if key in found:
            reading.lose("duplicate", TWICE, row.place)
        if key not in found or _fullness(row.fields) > _fullness(found[key].fields):
            found[key] = row

    for row in (row for source in files for row in _rows(source, reading)):
        events.append(row) if row.part else keep(row)
    for row in joined(events):
        keep(row)
    return Rows(traces, tuple(found.values()))


def names_told(reading: Reading) -> Callable[[Located], list[str] | None]:
    """The ids of the traces that a document is of; events, of which many make one row, cannot be told apart."""
    seen: set[tuple[str, str]] = set()

    def names(document: Located) -> list[str] | None:
        found = []
        for row in _listed(document, reading):
            if row.part:
                return None
            identity, trace = text_field(row.fields, "id"), text_field(row.fields, "traceId")
            if not _is_observation(row.fields):
                found.append(f"trace {identity}")
                continue
            if (trace, identity) in seen:
                reading.lose("duplicate", TWICE, row.place)
            seen.add((trace, identity))
            found.append(f"trace {trace}")
        return found

    return names


def _fullness(fields: Object) -> tuple[bool, int]:
    return field(fields, "endTime") is not None, sum(each not in (None, "", {}, []) for each in fields.values())


def _rows(source: Input, reading: Reading) -> Iterator[Row]:
    if is_parquet(source.data):
        for fields, place in parquet_rows(source, reading):
            yield from _row(fields, {}, place, reading)
        return
    for located in documents(source, reading):
        yield from _listed(located, reading)


def _listed(located: Located, reading: Reading) -> Iterator[Row]:
    for document in located.value if isinstance(located.value, list) else [located.value]:
        yield from _document(document, located.place, reading)


def _document(document: JSON, place: str, reading: Reading) -> Iterator[Row]:
    """The rows of one document: a trace with its observations, a page of either, or a row by itself."""
    if not isinstance(document, dict):
        reading.lose("malformed", "neither a trace nor an observation", place)
        return
    if is_batch(document):
        yield from events_of(document, place, reading)
        return
    held = document.get("data")
    if isinstance(held, list) and ("meta" in document or "type" not in document):
        for each in held:
            yield from _document(each, place, reading)
        return
    trace = an_object(document.get("trace")) or document
    within = document.get("observations", trace.get("observations"))
    if isinstance(within, list) or trace is not document:
        yield Row({key: each for key, each in trace.items() if key != "observations"}, place)
        for each in a_list(within):
            if isinstance(each, dict):
                yield from _row(each, trace, place, reading)
            elif not isinstance(each, str):
                reading.lose("malformed", "an observation that is no object", place)
        return
    yield from _row(document, {}, place, reading)


def _row(fields: Object, trace: Object, place: str, reading: Reading) -> Iterator[Row]:
    """A row that names its trace; one inside a trace is of that trace."""
    if "traceId" not in fields and "trace_id" not in fields and trace:
        fields = {**fields, "traceId": trace.get("id")}
    if not text_field(fields, "id"):
        reading.lose("malformed", "a row without an id", place)
    elif _is_observation(fields) and isinstance(fields.get("data_type", fields.get("dataType")), str):
        reading.lose("dropped", "scores are not kept", place)
    else:
        where = f"{place}: observation {text_field(fields, 'id')}" if _is_observation(fields) else place
        yield Row(fields, where)


def _is_observation(fields: Object) -> bool:
    return field(fields, "traceId") is not None
