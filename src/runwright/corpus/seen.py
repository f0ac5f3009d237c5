"""The runs in many files, each with its fingerprint; and what could not be read or judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from runwright.errors import IncompleteTrace, NotComparable, RunwrightError
from runwright.fingerprint import Seen, fingerprint, is_judged
from runwright.readers.many import Group, files_of, read_many
from runwright.readers.reader import Run


@dataclass(frozen=True)
class Left:
    """Something that is in no group, and why."""

    error: RunwrightError


def seen(paths: Sequence[Path], format: str | None = None) -> Iterator[Seen | Left]:
    """The runs of all files that paths, folders and patterns name; UsageError where one names none.

    A file that cannot be read, a trace without its seal and a run of which too little is known are left out and told.
    """
    for group in read_many(files_of(paths), format):
        if group.error is not None:
            yield left(group.error, str(group.files[0]))
        for run in group.runs:
            yield _seen(run, group)


def left(error: RunwrightError, place: str) -> Left:
    """What an error kept out; it happened in this place where it does not name one itself."""
    error.place = error.place or place
    return Left(error)


def _seen(run: Run, group: Group) -> Seen | Left:
    several = (group.several or len(group.runs) > 1) and bool(run.id)
    name = f"{group.files[0]}: {run.id}" if several else str(group.files[0])
    if not run.trace.complete:
        hint = "runwright seal FILE, once its lines are right"
        return Left(IncompleteTrace("its seal is missing or wrong", place=name, hint=hint))
    taken = fingerprint(run.trace)
    if not is_judged(taken):
        hint = "capture replies with their tool calls, tools, or HTTP exchanges"
        return Left(NotComparable("too little is known of what the run did", place=name, hint=hint))
    return Seen(name, taken, len(run.trace.records))
