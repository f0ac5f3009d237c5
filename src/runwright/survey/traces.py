"""The traces in files, and the flows that name some of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from runwright.errors import IncompleteTrace, RunwrightError
from runwright.flow import Flow
from runwright.flow.load import parse_flow
from runwright.flow.variables import as_written
from runwright.readers.input import read_inputs
from runwright.readers.many import Group, read_many
from runwright.survey.files import chosen_files, is_flow
from runwright.trace import Trace, as_cassette


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
    for group in read_many(list(read.distinct(sources.values())), bound=sys.maxsize):  # all runs are kept anyway
        read.group(group)
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
        self._names: dict[Path, str] = {}
        self._by_id: dict[str, list[tuple[str, Trace]]] = {}

    def distinct(self, sources: Iterable[tuple[Path, str]]) -> Iterator[Path]:
        """The files that can be opened and whose bytes no earlier one has."""
        digests: dict[str, str] = {}
        for path, name in sources:
            try:
                (source,) = read_inputs([path])
            except RunwrightError as error:
                self.unread.append(Unread(name, error))
                continue
            if source.digest in digests:
                self.notes.append(f"{name}: the same bytes as {digests[source.digest]}")
                continue
            digests[source.digest] = self._names[path] = name
            yield path

    def group(self, group: Group) -> None:
        """The runs of files that are read together, or why they cannot be read."""
        name = self._names[group.files[0]]
        if group.error is not None:
            self.unread.append(Unread(name, group.error))
            return
        try:
            for number, run in enumerate(group.runs, 1):
                self._run(name if len(group.runs) == 1 else f"{name}#{run.id or number}", run.trace)
        except RunwrightError as error:  # a later run of the file
            self.unread.append(Unread(name, error))

    def _run(self, name: str, trace: Trace) -> None:
        if not trace.complete:
            hint = "runwright seal FILE, once its lines are right"
            self.unread.append(Unread(name, IncompleteTrace("its seal is missing or wrong", place=name, hint=hint)))
            return
        for other, known in self._by_id.get(trace.header.trace_id, ()):
            if as_cassette(known).records == as_cassette(trace).records:
                self.notes.append(f"{name}: the same run as {other}")
                return
        self._by_id.setdefault(trace.header.trace_id, []).append((name, trace))
        self.traces.append((name, trace))
