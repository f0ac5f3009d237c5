"""Foreign formats: bytes in, a trace out, and what could not be kept as typed losses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from runwright.errors import ReaderError, UnknownFormat, UsageError
from runwright.readers.flowproof import read_flowproof, sniff_flowproof
from runwright.readers.input import Input, read_inputs
from runwright.readers.model_log import read_model_log, sniff_model_log
from runwright.readers.native import read_native, sniff_native
from runwright.readers.otlp import read_otlp, sniff_otlp
from runwright.trace.model import Trace

HEAD = 65536
"""Bytes of a file that are looked at to find its format."""


class Reader(msgspec.Struct, frozen=True):
    """A format: what it is called, what a file of it looks like, and how files of it are read.

    `sniff` takes the first bytes of a file and answers with a score, zero where they are not of this format.
    """

    name: str
    sniff: Callable[[bytes], int]
    read: Callable[[Sequence[Input]], Trace]


READERS: dict[str, Reader] = {
    "runwright": Reader("runwright", sniff_native, read_native),
    "otlp": Reader("otlp", sniff_otlp, read_otlp),
    "model_log": Reader("model_log", sniff_model_log, read_model_log),
    "flowproof": Reader("flowproof", sniff_flowproof, read_flowproof),
}

WITHOUT_MODELS = ("runwright", "flowproof")
"""Formats that say themselves whether a run without a model exchange can be kept."""


def read_foreign(
    sources: Sequence[Input | Path | str], format: str | None = None, *, trace_id: str | None = None
) -> Trace:
    """The trace that these files of one format hold, joined; the format is found from the bytes unless it is named.

    `trace_id` chooses one OpenTelemetry trace of an export that holds several. Raises UnknownFormat where no reader
    knows the bytes, ReaderError where they cannot be read or hold no model exchange.
    """
    inputs = read_inputs(sources)
    if not inputs:
        raise UsageError("no file given to read")
    name = _format(inputs) if format is None else _known(format)
    if trace_id is not None and name != "otlp":
        raise UsageError(f"a trace id chooses among the traces of an otlp export, not in a file of {name}")
    trace = read_otlp(inputs, trace_id=trace_id) if trace_id is not None else READERS[name].read(inputs)
    if not trace.models and name not in WITHOUT_MODELS:
        raise ReaderError("no model exchange in it", place=inputs[0].name)
    return trace


def _known(name: str) -> str:
    if name not in READERS:
        raise UnknownFormat(f"no reader for the format {name!r}", hint=_formats())
    return name


def _format(inputs: Sequence[Input]) -> str:
    """The format of all the inputs; ReaderError where they are of several."""
    found = {each.name: sniff(each.data[:HEAD]) for each in inputs}
    for name, guess in found.items():
        if guess is None:
            raise UnknownFormat("no reader recognises the bytes", place=name, hint=_formats())
    guesses = sorted({guess for guess in found.values() if guess is not None})
    if len(guesses) > 1:
        said = ", ".join(f"{name}: {guess}" for name, guess in found.items())
        raise ReaderError(f"the files are of different formats: {said}", hint="import each format by itself")
    return guesses[0]


def sniff(head: bytes) -> str | None:
    """The name of the format that the first bytes of a file are of; None where no reader knows them."""
    scores = {name: reader.sniff(head) for name, reader in READERS.items()}
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] > 0 else None


def _formats() -> str:
    return f"formats known: {', '.join(READERS)}; name one with --format"


__all__ = ["READERS", "Input", "Reader", "read_foreign", "sniff"]
