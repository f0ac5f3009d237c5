"""The one public function of this format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from runwright.errors import ReaderError
from runwright.readers.header import header_of
from runwright.readers.input import Input, digest_of, distinct
from runwright.readers.otlp.collect import collect, one_run
from runwright.readers.otlp.framing import is_binary
from runwright.readers.reading import Reading
from runwright.readers.spans.assemble import begun, lasted, moment, records_of
from runwright.readers.spans.classify import kind_of
from runwright.readers.spans.limits import with_limits
from runwright.readers.spans.span import Span
from runwright.readers.spans.tree import Tree
from runwright.trace.model import ModelRecord, Origin, Trace

SIGNAL = re.compile(r"(?<![a-z])(?:traces?|spans?|logs?)(?![a-z])", re.IGNORECASE)
"""What a file name says of its records."""
MARKS = (b'"resourceSpans"', b'"resourceLogs"', b'"resource_spans"', b'"resource_logs"')


def sniff_otlp(head: bytes) -> int:
    """90 where an export of spans or log records begins, as JSON or as binary protobuf."""
    if head.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] in (b"{", b"["):
        return 90 if any(mark in head for mark in MARKS) else 0
    return 90 if is_binary(head) else 0


def together(names: Sequence[str]) -> list[list[str]]:
    """Exporters write spans and log records to files of their own: `x.traces.json` and `x.logs.json` are of one run."""
    spans, logs = dict[str, list[str]](), list[str]()
    for name in names:
        kind = SIGNAL.search(PurePath(name).name)
        if kind and kind.group().lower().startswith("log"):
            logs.append(name)
        else:
            spans.setdefault(_shared(name), []).append(name)
    groups = {name: [name] for each in spans.values() for name in each}
    for name in logs:
        of = spans.get(_shared(name), [])
        groups.setdefault(of[0] if len(of) == 1 else name, []).append(name)
    return list(groups.values())


def _shared(name: str) -> str:
    path = PurePath(name)
    return str(path.with_name(SIGNAL.sub("*", path.name)))


def read_otlp(files: Sequence[Input], *, trace_id: str | None = None) -> Trace:
    """The run that OTLP files show, spans and log records joined by trace and span id.

    Files of one export may come in any order. `trace_id` chooses one OpenTelemetry trace where there are several;
    without it they are read as one run if more than one has model calls. ReaderError if no model call is found.
    """
    reading = Reading()
    inputs = distinct(files)
    for _ in range(len(files) - len(inputs)):
        reading.lose("duplicate", "a file that was given twice")
    collected = collect(inputs, reading)
    spans = with_limits(one_run(collected.spans, trace_id, reading))
    records = records_of(spans, collected, reading)
    if not any(isinstance(record, ModelRecord) for record in records):
        raise _nothing(inputs, spans)
    header = header_of(
        records,
        losses=reading.losses(),
        source=_origin(spans, digest_of(inputs)),
        agent=_agent_name(spans),
        chosen=trace_id or "",
        started_at=moment(begun(spans)),
        duration=lasted(spans),
    )
    return Trace(header=header, records=records)


def _nothing(inputs: Sequence[Input], spans: Sequence[Span]) -> ReaderError:
    place = inputs[0].name if len(inputs) == 1 else ""
    if not spans:
        return ReaderError(
            "log records only, no spans: what they say cannot be placed",
            place=place,
            hint="give the file of spans too; log records are joined to it",
        )
    return ReaderError(
        f"{len(spans)} spans, and none of them is a model call",
        place=place,
        hint="spans with gen_ai.* or OpenInference attributes are read; instrument the model client and record again",
    )


def _origin(spans: Sequence[Span], digest: str) -> Origin:
    """The instrumentations that drew model and tool spans."""
    scopes = {span.scope.name: span.scope.version for span in spans if kind_of(span) in ("model", "tool")}
    named = sorted(name for name in scopes if name)
    version = scopes[named[0]] if len(named) == 1 else None
    return Origin(format="otlp", tool=", ".join(named) or None, version=version, digest=digest)


def _agent_name(spans: Sequence[Span]) -> str | None:
    """The service's name, where it was given one; else the outermost agent's."""
    ordered = sorted(spans, key=lambda span: span.window)
    services = [span.scope.service for span in ordered if span.scope.service]
    named = next((name for name in services if not name.startswith("unknown_service")), None)
    tree = Tree(ordered, {})
    return named or next((name for span in ordered if (name := tree.agent_of(span))), None)
