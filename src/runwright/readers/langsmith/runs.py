"""The runs of LangSmith's files: whole, nested in one another, or as the events that told of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from runwright.readers.input import Input
from runwright.readers.lenient import a_list, a_text, an_object, objects
from runwright.readers.lines import Located, documents
from runwright.readers.parquet import is_parquet, parquet_rows
from runwright.readers.reading import Reading
from runwright.readers.spans.asked import opened
from runwright.trace.model import JSON

Object = dict[str, JSON]
JSON_COLUMNS = ("inputs", "outputs", "extra", "events", "serialized")
NESTED = 64
"""Levels of runs inside one another."""


class LoggedRun(msgspec.Struct, frozen=True):
    """What all events of a run told of it, and the place of the first."""

    fields: Object
    place: str

    @property
    def id(self) -> str:
        """The run's own id."""
        return a_text(self.fields.get("id"))

    @property
    def trace(self) -> str:
        """The id of the trace: that of its outermost run."""
        path = self.path
        return a_text(self.fields.get("trace_id")) or (path[0][1] if path else self.id)

    @property
    def parent(self) -> str:
        """The id of the run around it; empty for the outermost."""
        path = self.path
        return a_text(self.fields.get("parent_run_id")) or (path[-2][1] if len(path) > 1 else "")

    @property
    def path(self) -> list[tuple[str, str]]:
        """Start and id of each run from the outermost to this one, as the dotted order tells them."""
        steps = (step.partition("Z") for step in a_text(self.fields.get("dotted_order")).split("."))
        return [(start, id) for start, _, id in steps if id]


def runs_in(files: Sequence[Input], reading: Reading) -> tuple[LoggedRun, ...]:
    """The runs of all files, each once, with all that was told of it."""
    found: dict[str, LoggedRun] = {}
    for source in files:
        for fields, place in _told(source, reading):
            identity = a_text(fields.get("id"))
            if not identity:
                reading.lose("malformed", "a run without an id", place)
                continue
            known = found.get(identity)
            found[identity] = LoggedRun(
                _merged(known.fields, fields) if known else fields, known.place if known else place
            )
    return tuple(found.values())


def names_told(reading: Reading) -> Callable[[Located], Iterator[str]]:
    """What the runs of a document are found by: their ids, and all that may name their trace."""

    def names(document: Located) -> Iterator[str]:
        for fields, place in _document(document.value, document.place, reading, 0):
            run = LoggedRun(fields, place)
            if not run.id:
                reading.lose("malformed", "a run without an id", place)
                continue
            yield from filter(None, (run.id, a_text(fields.get("trace_id")), *(id for _, id in run.path[:1])))

    return names


def _merged(known: Object, more: Object) -> Object:
    """What was told first with what was told later; nothing that was told is taken back by an empty value."""
    return {**known, **{key: each for key, each in more.items() if each not in (None, "", {}, [])}}


def _told(source: Input, reading: Reading) -> Iterator[tuple[Object, str]]:
    if is_parquet(source.data):
        for row, place in parquet_rows(source, reading):
            yield {key: _cell(key, each, reading, place) for key, each in row.items()}, place
        return
    for located in documents(source, reading):
        yield from _document(located.value, located.place, reading, 0)


def _cell(key: str, value: JSON, reading: Reading, where: str) -> JSON:
    return opened(value, reading, where) if key in JSON_COLUMNS else value


def _document(value: JSON, place: str, reading: Reading, depth: int) -> Iterator[tuple[Object, str]]:
    """The runs of one document: a run, a list or page of runs, a request of the SDK, or a batch of them."""
    if isinstance(value, list):
        for each in value:
            yield from _document(each, place, reading, depth)
        return
    if not isinstance(value, dict) or depth > NESTED:
        reading.lose("malformed", "no run", place)
        return
    for key in ("runs", "post", "patch"):
        for each in objects(value.get(key)):
            yield from _document(each, place, reading, depth + 1)
    body = value.get("body")
    if "method" in value and isinstance(body, dict):
        yield from _document(body, place, reading, depth + 1)
        return
    if "run_type" in value or "dotted_order" in value or "trace_id" in value or _is_update(value):
        opens = {key: _cell(key, each, reading, place) for key, each in value.items() if key != "child_runs"}
        yield opens, f"{place}: run {a_text(value.get('id'))}"
        for child in a_list(value.get("child_runs")):
            inner = {"parent_run_id": value.get("id"), "trace_id": value.get("trace_id", value.get("id"))}
            if isinstance(child, dict):
                yield from _document({**inner, **child}, place, reading, depth + 1)
    elif not {"runs", "post", "patch"} & value.keys():
        reading.lose("malformed", "no run", place)


def _is_update(value: Object) -> bool:
    """A PATCH of old clients says no more than what has changed."""
    return isinstance(value.get("id"), str) and bool({"outputs", "end_time", "error"} & value.keys())


def metadata_of(run: LoggedRun) -> Object:
    """A run's metadata."""
    return an_object(an_object(run.fields.get("extra")).get("metadata"))
