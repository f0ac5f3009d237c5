"""The one public function of this format."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import msgspec

from runwright.errors import ReaderError
from runwright.readers.input import Input, digest_of, distinct, is_part, lost_in
from runwright.readers.lenient import a_list, a_text, an_object, objects
from runwright.readers.lines import Located, documents
from runwright.readers.mlflow.span import span_of
from runwright.readers.parquet import is_parquet, parquet_rows
from runwright.readers.reader import Run
from runwright.readers.reading import Reading
from runwright.readers.spans.asked import opened
from runwright.readers.spans.run import run_of
from runwright.trace.model import JSON, Loss

Object = dict[str, JSON]
OWN = re.compile(rb'\\*"mlflow\.[a-zA-Z_]')
TWICE = "a trace that was exported twice"
HOLDS = re.compile(rb'"(?:info|spans|trace)\\*"\s*:')


class Logged(msgspec.Struct, frozen=True):
    """A trace of a file: its id, its name, its spans and its place."""

    id: str
    name: str
    spans: tuple[Object, ...]
    place: str


def sniff_mlflow(head: bytes) -> int:
    """80 where a trace of MLflow begins: OpenTelemetry's own exports may have its attributes too, and are none."""
    if is_parquet(head):
        return 80 if b"trace_metadata" in head or b"request_metadata" in head else 0
    if head.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] not in (b"{", b"[") or b'"resourceSpans"' in head:
        return 0
    return 80 if b'"mlflow.' in head and OWN.search(head) and HOLDS.search(head) else 0


def read_mlflow(files: Sequence[Input]) -> tuple[Run, ...]:
    """One run for each trace, in order of their starts; ReaderError where none has a model's span."""
    inputs, common = distinct(files), Reading()
    digest = digest_of(inputs)
    traces: dict[str, Logged] = {}
    for source in inputs:
        for each in _traces(source, common):
            if each.id in traces:
                common.lose("duplicate", TWICE, each.place)
            if each.id not in traces or len(each.spans) > len(traces[each.id].spans):
                traces[each.id] = each
    before, several = lost_in(inputs, common.losses()), len(traces) > 1 or is_part(inputs)
    runs = [_run(each, digest, before, several) for each in traces.values() if each.spans]
    found = [run for run in runs if run.trace.models]
    if not found:
        count = sum(len(each.spans) for each in traces.values())
        lost = next(iter(before), None)
        told = f": {lost.where}: {lost.detail}" if lost else ""
        hint = "spans of the types LLM and CHAT_MODEL are model calls: turn autologging on, and record again"
        raise ReaderError(f"{count} spans, and none is a model's{told}", place=inputs[0].name, hint=hint)
    return tuple(sorted(found, key=lambda run: (run.trace.header.started_at or "", run.id)))


def names_told(reading: Reading) -> Callable[[Located], Iterator[str]]:
    """The ids of the traces that a document holds; one without is known by that."""
    seen: set[str] = set()

    def names(document: Located) -> Iterator[str]:
        for each in _listed(document, reading):
            if each.id in seen:
                reading.lose("duplicate", TWICE, each.place)
            seen.add(each.id)
            yield f"trace {each.id}"

    return names


def _traces(source: Input, reading: Reading) -> Iterator[Logged]:
    if is_parquet(source.data):
        for row, place in parquet_rows(source, reading):
            yield from _document(row, place, reading)
        return
    for located in documents(source, reading):
        yield from _listed(located, reading)


def _listed(located: Located, reading: Reading) -> Iterator[Logged]:
    value = located.value
    for each in value if isinstance(value, list) else [value]:
        yield from _document(each, located.place, reading)


def _document(value: JSON, place: str, reading: Reading) -> Iterator[Logged]:
    """The traces of a document: one, the data of one, a row of a search, or a page of traces."""
    fields = an_object(value)
    held = opened(fields.get("trace"), reading, place)
    if isinstance(held, dict):
        yield from _document(held, place, reading)
        return
    if "traces" in fields:
        for each in objects(fields.get("traces")):
            yield from _document(each, place, reading)
        return
    info, data = an_object(fields.get("info")), an_object(opened(fields.get("data"), reading, place)) or fields
    spans = objects(opened(data.get("spans"), reading, place))
    if not spans and "info" not in fields:
        reading.lose("malformed", "no trace", place)
        return
    told = (info.get("trace_id"), info.get("request_id"), fields.get("trace_id"), fields.get("request_id"))
    identity = next((each for each in told if isinstance(each, str) and each), "")
    first = spans[0] if spans else {}
    inner = a_text(first.get("trace_id")) or a_text(an_object(first.get("context")).get("trace_id"))
    name = a_text(_tags(info).get("mlflow.traceName"))
    yield Logged(identity or inner, name, tuple(spans), place)


def _tags(info: Object) -> Object:
    """The tags of a trace: by their names, or as a list of pairs."""
    tags = info.get("tags")
    pairs = ((a_text(each.get("key")), each.get("value")) for each in objects(a_list(tags)))
    return tags if isinstance(tags, dict) else dict(pairs)


def _run(logged: Logged, digest: str, before: Sequence[Loss], several: bool) -> Run:
    reading = Reading()
    spans = [span_of(each, logged.id, logged.place, reading) for each in logged.spans]
    chosen = logged.id if several else ""
    trace = run_of(spans, "mlflow", digest, reading, chosen=chosen, agent=logged.name or None, before=before)
    return Run(logged.id, trace)
