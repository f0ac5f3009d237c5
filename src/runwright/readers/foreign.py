"""Foreign files in, runs out: the format is found from the bytes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from runwright.errors import ReaderError, UnknownFormat, UsageError
from runwright.readers.input import Input, head_of, read_inputs
from runwright.readers.otlp import read_otlp
from runwright.readers.reader import Run
from runwright.readers.table import READERS
from runwright.trace.model import Trace
from runwright.trace.uncollected import uncollected

LISTED = 8
"""Runs named in the message that asks to choose one."""


def read_foreign(
    sources: Sequence[Input | Path | str], format: str | None = None, *, trace_id: str | None = None
) -> Trace:
    """The one run that these files of one format hold; the format is found from the bytes unless it is named.

    `trace_id` chooses a run of files that hold several, by the source's own id. Raises UnknownFormat where no reader
    knows the bytes, ReaderError where they cannot be read, hold no model exchange, or hold several runs.
    """
    inputs = _inputs(sources)
    name = _format(inputs) if format is None else _known(format)
    if name == "otlp":
        with uncollected():
            return read_otlp(inputs, trace_id=trace_id)
    runs = _runs(inputs, name)
    if trace_id is None:
        return runs[0].trace if len(runs) == 1 else _choose(runs, inputs)
    found = [run.trace for run in runs if run.id == trace_id]
    if not found:
        ids = ", ".join(run.id for run in runs[:LISTED] if run.id) or "none has an id"
        raise UsageError(f"no run {trace_id!r} in the files", place=inputs[0].name, hint=f"runs: {ids}")
    return found[0]


def runs_of(sources: Sequence[Input | Path | str], format: str | None = None) -> Sequence[Run]:
    """Every run that these files of one format hold, in order of their starts."""
    inputs = _inputs(sources)
    return _runs(inputs, _format(inputs) if format is None else _known(format))


def sniff(head: bytes) -> str | None:
    """The name of the format that the first bytes of a file are of; None where no reader knows them."""
    scores = {name: reader.sniff(head) for name, reader in READERS.items()}
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] > 0 else None


def _inputs(sources: Sequence[Input | Path | str]) -> tuple[Input, ...]:
    inputs = read_inputs(sources)
    if not inputs:
        raise UsageError("no file given to read")
    return inputs


def _runs(inputs: Sequence[Input], name: str) -> Sequence[Run]:
    reader = READERS[name]
    with uncollected():
        runs = reader.read(inputs)
    if not runs or (reader.models and not any(run.trace.models for run in runs)):
        raise ReaderError("no model exchange in it", place=inputs[0].name)
    return runs


def _choose(runs: Sequence[Run], inputs: Sequence[Input]) -> Trace:
    ids = [run.id or f"number {n}" for n, run in enumerate(runs, 1)]
    more = f" and {len(ids) - LISTED} more" if len(ids) > LISTED else ""
    raise ReaderError(
        f"{len(runs)} runs in it: {', '.join(ids[:LISTED])}{more}",
        place=inputs[0].name,
        hint="choose one with --trace-id, or import them all into a folder that exists: --out FOLDER",
    )


def _known(name: str) -> str:
    if name not in READERS:
        raise UnknownFormat(f"no reader for the format {name!r}", hint=_formats())
    return name


def _format(inputs: Sequence[Input]) -> str:
    """The format of all the inputs; ReaderError where they are of several."""
    found = {each.name: sniff(head_of(each.data)) for each in inputs}
    for name, guess in found.items():
        if guess is None:
            raise UnknownFormat("no reader recognises the bytes", place=name, hint=_formats())
    guesses = sorted({guess for guess in found.values() if guess is not None})
    if len(guesses) > 1:
        said = ", ".join(f"{name}: {guess}" for name, guess in found.items())
        raise ReaderError(f"the files are of different formats: {said}", hint="import each format by itself")
    return guesses[0]


def _formats() -> str:
    return "runwright formats lists those that are known; name one with --format"
