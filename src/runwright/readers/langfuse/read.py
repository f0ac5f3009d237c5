"""The one public function of this format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from runwright.errors import ReaderError
from runwright.readers.input import Input, digest_of, distinct, is_part, lost_in
from runwright.readers.langfuse.events import SENT
from runwright.readers.langfuse.observation import span_of
from runwright.readers.langfuse.row import Row, text_field
from runwright.readers.langfuse.rows import Rows, rows_of
from runwright.readers.parquet import is_parquet
from runwright.readers.reader import Run
from runwright.readers.reading import Reading
from runwright.readers.spans.observed import REMEDY
from runwright.readers.spans.run import run_of
from runwright.trace.model import Loss

HOLDS = re.compile(rb'"(?:observations|bookmarked|projectId|project_id)"\s*:')
NAMES_PARENT = re.compile(rb'"(?:parentObservationId|parent_observation_id)"\s*:')
NAMES_TRACE = re.compile(rb'"(?:traceId|trace_id)"\s*:')
TRACE_ROW = re.compile(rb'"(?:bookmarked|user_id|userId)"\s*:')
JOINED, ENRICHED = ("traces", "observations"), "observations_v2"


def sniff_langfuse(head: bytes) -> int:
    """85 where a trace with observations, an observation or a trace of a scheduled export begins."""
    if is_parquet(head):
        return 85 if b"parent_observation_id" in head or (b"bookmarked" in head and b"project_id" in head) else 0
    start = head.lstrip(b"\xef\xbb\xbf \r\n\t")[:1]
    if start not in (b"{", b"["):
        return 0
    if NAMES_PARENT.search(head) and NAMES_TRACE.search(head):
        return 85
    if SENT.search(head) and b'"body"' in head:
        return 85
    opens = re.match(rb'\s*\{\s*"trace"\s*:\s*\{', head.removeprefix(b"\xef\xbb\xbf"))
    if opens and HOLDS.search(head):
        return 85
    return 80 if b'"bookmarked"' in head and HOLDS.search(head) and TRACE_ROW.search(head) else 0


def together(names: Sequence[str]) -> Sequence[Sequence[str]]:
    """The files of a scheduled export are one group: a trace may go on in the next; any other file is by itself.

    Traces and observations of one export are joined; enriched observations need no traces.
    """
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(_export(PurePath(name).parts[:-1]) or name, []).append(name)
    return list(groups.values())


def _export(folders: Sequence[str]) -> str:
    """What names the export that a file in these folders is of; empty for one that is of none."""
    for at in reversed(range(len(folders))):
        if folders[at] in JOINED:
            return str(PurePath(*folders[:at], "*"))
        if folders[at] == ENRICHED:
            return str(PurePath(*folders[: at + 1], "*"))
    return ""


def read_langfuse(files: Sequence[Input]) -> tuple[Run, ...]:
    """One run for each trace that has observations, in order of their starts.

    Traces and observations may stand in different files. ReaderError where no observation is a model call.
    """
    inputs, common = distinct(files), Reading()
    digest = digest_of(inputs)
    rows = rows_of(inputs, common)
    before = lost_in(inputs, common.losses())
    if not rows.observations:
        lost = next(iter(before), None)
        told = f": {lost.where}: {lost.detail}" if lost else ""
        hint = "give the file of observations too; a trace alone shows no model call"
        raise ReaderError(f"no observation in it{told}", place=inputs[0].name, hint=hint)
    by_trace: dict[str, list[Row]] = {}
    for row in rows.observations:
        by_trace.setdefault(text_field(row.fields, "traceId"), []).append(row)
    several = len(by_trace.keys() | rows.traces.keys()) > 1 or is_part(inputs)
    runs = [_run(trace, mine, rows, digest, before, several) for trace, mine in by_trace.items()]
    found = [run for run in runs if run.trace.models]
    if not found:
        count = len(rows.observations)
        raise ReaderError(f"{count} observations, and none is a generation", place=inputs[0].name, hint=REMEDY)
    return tuple(sorted(found, key=lambda run: (run.trace.header.started_at or "", run.id)))


def _run(trace: str, mine: Sequence[Row], rows: Rows, digest: str, before: Sequence[Loss], several: bool) -> Run:
    reading = Reading()
    fields = rows.traces[trace].fields if trace in rows.traces else {}
    spans = [span_of(row, reading) for row in mine]
    name = text_field(fields, "name") or text_field(mine[0].fields, "traceName")
    chosen = trace if several else ""
    return Run(trace, run_of(spans, "langfuse", digest, reading, chosen=chosen, agent=name or None, before=before))
