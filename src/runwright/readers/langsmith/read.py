"""The one public function of this format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from runwright.errors import ReaderError
from runwright.readers.input import Input, digest_of, distinct, is_part, lost_in
from runwright.readers.langsmith.run import span_of
from runwright.readers.langsmith.runs import LoggedRun, runs_in
from runwright.readers.lenient import a_text
from runwright.readers.parquet import is_parquet
from runwright.readers.reader import Run
from runwright.readers.reading import Reading
from runwright.readers.spans.run import run_of
from runwright.trace.model import Loss

TYPED = re.compile(rb'"run_type"\s*:')
PLACED = re.compile(rb'"(?:dotted_order|parent_run_id|trace_id)"\s*:')


def sniff_langsmith(head: bytes) -> int:
    """85 where a run begins, whole or as the SDK sends it, or where Parquet has a run's columns."""
    if is_parquet(head):
        return 85 if b"dotted_order" in head and b"run_type" in head else 0
    if head.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] not in (b"{", b"["):
        return 0
    return 85 if TYPED.search(head) and PLACED.search(head) else 0


def together(names: Sequence[str]) -> Sequence[Sequence[str]]:
    """The files of one bulk export are one group: a trace may go on in the next; any other file is by itself."""
    groups: dict[str, list[str]] = {}
    for name in names:
        folders = PurePath(name).parts[:-1]
        at = next((n for n, folder in enumerate(folders) if folder == "runs"), None)
        bulk = at is not None and name.endswith(".parquet")
        groups.setdefault(str(PurePath(*folders[:at], "*")) if bulk else name, []).append(name)
    return list(groups.values())


def read_langsmith(files: Sequence[Input]) -> tuple[Run, ...]:
    """One run for each trace with a model's run, in order of their starts; ReaderError where there is none."""
    inputs, common = distinct(files), Reading()
    digest = digest_of(inputs)
    logged = runs_in(inputs, common)
    by_trace: dict[str, list[LoggedRun]] = {}
    for each in logged:
        by_trace.setdefault(each.trace, []).append(each)
    several = len(by_trace) > 1 or is_part(inputs)
    before = lost_in(inputs, common.losses())
    runs = [_run(trace, mine, digest, before, several) for trace, mine in by_trace.items()]
    found = [run for run in runs if run.trace.models]
    if not found:
        lost = next(iter(before), None)
        told = f": {lost.where}: {lost.detail}" if lost else ""
        hint = "the runs of models have the run_type `llm` or `chat_model`: export them too"
        raise ReaderError(f"{len(logged)} runs, and none is a model's{told}", place=inputs[0].name, hint=hint)
    return tuple(sorted(found, key=lambda run: (run.trace.header.started_at or "", run.id)))


def _run(trace: str, mine: Sequence[LoggedRun], digest: str, before: Sequence[Loss], several: bool) -> Run:
    reading = Reading()
    spans = [span_of(each, reading) for each in sorted(mine, key=lambda each: a_text(each.fields.get("dotted_order")))]
    root = next((span for span in spans if not span.parent_id), spans[0])
    version = next((span.scope.version for span in spans if span.scope.version), None)
    return Run(
        trace,
        run_of(
            spans, "langsmith", digest, reading, chosen=trace if several else "",
            agent=root.name if root.kind != "model" else None, before=before, version=version,
        ),
    )  # fmt: skip
