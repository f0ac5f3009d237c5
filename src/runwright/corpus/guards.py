"""What the project has recordings of: its flows, and cassettes that no flow names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from runwright.convert.options import CASSETTE, FLOW
from runwright.convert.pending import files_under
from runwright.corpus.seen import Left, left
from runwright.errors import FlowError, IncompleteTrace, RunwrightError
from runwright.fingerprint import Fingerprint, fingerprint
from runwright.flow import parse_flow
from runwright.flow.variables import as_written
from runwright.readers import read_foreign

FLOWS = (FLOW, ".flow.yml")


@dataclass(frozen=True)
class Guard:
    """A flow, or a cassette without one, by its path from the root; and the behaviour that it replays."""

    name: str
    print: Fingerprint


def guards(root: Path) -> Iterator[Guard | Left]:
    """Every flow under flows/ whose cassette can be read, then every other cassette under cassettes/."""
    named: set[Path] = set()
    for path in files_under(root, "flows", FLOWS):
        place = path.relative_to(root).as_posix()
        try:
            cassette = _cassette(path)
            named.add(cassette.resolve())
            yield Guard(place, _print(cassette))
        except RunwrightError as error:
            yield left(error, place)
    for path in files_under(root, "cassettes", (CASSETTE,)):
        if path.resolve() in named:
            continue
        place = path.relative_to(root).as_posix()
        try:
            yield Guard(place, _print(path))
        except RunwrightError as error:
            yield left(error, place)


def _cassette(path: Path) -> Path:
    """The cassette of a flow. Variables that are not set here stay as they are written."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FlowError(f"cannot read the flow: {error.strerror}", place=str(path)) from error
    written = as_written(data.decode("utf-8-sig", "replace"))
    return parse_flow(data, path, {**written, **os.environ}).cassette


def _print(cassette: Path) -> Fingerprint:
    trace = read_foreign([cassette])
    if not trace.complete:
        hint = "runwright seal FILE, once its lines are right"
        raise IncompleteTrace("its seal is missing or wrong", place=str(cassette), hint=hint)
    return fingerprint(trace)
