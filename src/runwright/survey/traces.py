"""The traces in files, and the flows that name some of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from runwright.errors import IncompleteTrace, RunwrightError
from runwright.flow import Flow
from runwright.flow.load import parse_flow
from runwright.flow.variables import as_written
from runwright.readers.foreign import runs_of
from runwright.readers.input import Input, read_inputs
from runwright.survey.files import chosen_files, is_flow
from runwright.trace import Trace, as_cassette, digest_bytes, dumps_trace


@dataclass(frozen=True)
class Unread:
    """A file, or a run in it, that could not be judged, and why."""

    name: str
    error: RunwrightError


@dataclass(frozen=True)
class Surveyed:
    """Whole traces by the names to show for them, the flows, and what could not be read. `notes` tell of files that
    say the same as another one."""

    traces: tuple[tuple[str, Trace], ...]
    flows: tuple[Flow, ...]
    unread: tuple[Unread, ...]
    notes: tuple[str, ...]
    files: int


def survey(paths: Sequence[Path]) -> Surveyed:
    """What the paths hold. Flows stand for their cassettes; a run that several files hold counts once.

    UsageError for a path that is not there. A file that cannot be read, or is not whole, is told and left out.
    """
    files = chosen_files(paths)
    flows, unread = _flows([each for each in files if is_flow(each)])
    logs = [each for each in files if not is_flow(each)]
    sources = {os.path.realpath(each): (each, str(each)) for each in logs}
    for flow in flows:
        sources.setdefault(os.path.realpath(flow.cassette), (flow.cassette, str(flow.path)))
    read = _Read()
    for path, name in sources.values():
        read.file(path, name)
    return Surveyed(tuple(read.traces), flows, (*unread, *read.unread), tuple(read.notes), len(files))


def _flows(files: Sequence[Path]) -> tuple[tuple[Flow, ...], tuple[Unread, ...]]:
    flows, unread = [], []
    for path in files:
        try:
            (source,) = read_inputs([path])
            written = as_written(source.data.decode("utf-8-sig", "replace"))
            flows.append(parse_flow(source.data, path, {**written, **os.environ}))
        except RunwrightError as error:
            unread.append(Unread(str(path), error))
    return tuple(flows), tuple(unread)


class _Read:
    """What was read so far, told apart by the bytes of the files and by what the runs hold."""

    def __init__(self) -> None:
        self.traces: list[tuple[str, Trace]] = []
        self.unread: list[Unread] = []
        self.notes: list[str] = []
        self._digests: dict[str, str] = {}
        self._runs: dict[str, str] = {}

    def file(self, path: Path, name: str) -> None:
        try:
            (source,) = read_inputs([path])
            if source.digest in self._digests:
                self.notes.append(f"{name}: the same bytes as {self._digests[source.digest]}")
                return
            self._digests[source.digest] = name
            for run, trace in _runs(source, name):
                self._run(run, trace)
        except RunwrightError as error:
            self.unread.append(Unread(name, error))

    def _run(self, name: str, trace: Trace) -> None:
        if not trace.complete:
            hint = "runwright seal FILE, once its lines are right"
            self.unread.append(Unread(name, IncompleteTrace("its seal is missing or wrong", place=name, hint=hint)))
            return
        same = digest_bytes(dumps_trace(as_cassette(trace)))
        if same in self._runs:
            self.notes.append(f"{name}: the same run as {self._runs[same]}")
            return
        self._runs[same] = name
        self.traces.append((name, trace))


def _runs(source: Input, name: str) -> Iterator[tuple[str, Trace]]:
    runs = runs_of([source])
    for number, run in enumerate(runs, 1):
        yield (name if len(runs) == 1 else f"{name}#{run.id or number}"), run.trace
