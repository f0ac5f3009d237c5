"""The one public function of this format."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from runwright.errors import ReaderError
from runwright.readers.input import Input, digest_of, distinct, is_part, lost_in
from runwright.readers.lenient import a_list, a_text
from runwright.readers.lines import Located, documents
from runwright.readers.openai_agents.span import HIDDEN, span_of
from runwright.readers.openai_agents.state import FORMAT, is_state, read_state
from runwright.readers.reader import Run
from runwright.readers.reading import Reading
from runwright.readers.spans.run import run_of
from runwright.readers.spans.span import Span
from runwright.trace.model import JSON, Loss

Object = dict[str, JSON]
TRACED = re.compile(rb'"object"\s*:\s*"trace(?:\.span)?"')
TWICE, NEITHER = "a span that was exported twice", "neither a trace nor a span"
OWN = re.compile(rb'"(?:workflow_name|span_data)"\s*:')


def sniff_openai_agents(head: bytes) -> int:
    """88 where a trace or a span of the SDK begins, or a saved state of a run."""
    if head.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] not in (b"{", b"["):
        return 0
    if b'"$schemaVersion"' in head and re.search(rb'"(?:current_agent|auto_previous_response_id)"\s*:', head):
        return 88
    return 88 if TRACED.search(head) and OWN.search(head) else 0


def read_openai_agents(files: Sequence[Input]) -> tuple[Run, ...]:
    """One run for each trace or saved state, in order of their starts; ReaderError where no model call is in it."""
    inputs, common = distinct(files), Reading()
    digest = digest_of(inputs)
    traces: dict[str, Object] = {}
    spans: dict[str, dict[str, tuple[Object, str]]] = {}
    states: list[Run] = []
    for source in inputs:
        for fields, place in _objects(source, common):
            if is_state(fields):
                reading = Reading()
                states.append(Run("", read_state(fields, source, place, reading)))
            elif fields.get("object") == "trace":
                traces[a_text(fields.get("id"))] = fields
            elif fields.get("object") == "trace.span" and a_text(fields.get("id")):
                mine = spans.setdefault(a_text(fields.get("trace_id")), {})
                if a_text(fields.get("id")) in mine:
                    common.lose("duplicate", TWICE, place)
                mine[a_text(fields.get("id"))] = (fields, place)
            else:
                common.lose("malformed", NEITHER, place)
    several = len(spans.keys() | traces.keys()) + len(states) > 1 or is_part(inputs)
    before = lost_in(inputs, common.losses())
    runs = [_run(id, mine, traces.get(id, {}), digest, before, several) for id, mine in spans.items()]
    found = [*states, *(run for run in runs if run.trace.models)]
    if not found:
        count = sum(map(len, spans.values()))
        raise ReaderError(f"{count} spans, and none is a generation or a response", place=inputs[0].name, hint=HIDDEN)
    return tuple(sorted(found, key=lambda run: (run.trace.header.started_at or "", run.id)))


def names_told(reading: Reading) -> Callable[[Located], list[str] | None]:
    """The ids of the traces that a document is of; a saved state is read with all that stands beside it."""
    seen: set[tuple[str, str]] = set()

    def names(document: Located) -> list[str] | None:
        found = []
        for fields, place in _listed(document, reading):
            kind, id = fields.get("object"), a_text(fields.get("id"))
            if is_state(fields):
                return None
            if kind == "trace":
                found.append(f"trace {id}")
            elif kind == "trace.span" and id:
                key = (a_text(fields.get("trace_id")), id)
                if key in seen:
                    reading.lose("duplicate", TWICE, place)
                seen.add(key)
                found.append(f"trace {key[0]}")
            else:
                reading.lose("malformed", NEITHER, place)
        return found

    return names


def _objects(source: Input, reading: Reading) -> Iterator[tuple[Object, str]]:
    """The traces, spans and states of a file: by themselves, in lists, or in requests to the tracing backend."""
    for located in documents(source, reading):
        yield from _listed(located, reading)


def _listed(located: Located, reading: Reading) -> Iterator[tuple[Object, str]]:
    value = located.value
    held = value.get("data") if isinstance(value, dict) and "object" not in value else None
    items = held if isinstance(held, list) else value
    for each in a_list(items) if isinstance(items, list) else [items]:
        if isinstance(each, dict):
            yield each, located.place
        else:
            reading.lose("malformed", NEITHER, located.place)


def _run(
    id: str,
    mine: dict[str, tuple[Object, str]],
    trace: Object,
    digest: str,
    before: Sequence[Loss],
    several: bool,
) -> Run:
    reading = Reading()
    spans: list[Span] = [span_of(fields, place, reading) for fields, place in mine.values()]
    name = a_text(trace.get("workflow_name"))
    chosen = id if several else ""
    return Run(id, run_of(spans, FORMAT, digest, reading, chosen=chosen, agent=name or None, before=before))
