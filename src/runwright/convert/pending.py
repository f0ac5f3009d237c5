"""Proposals that wait on disk: which files they are, and what a proposal file says."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from runwright.convert.options import CASSETTE, FLOW, NEW, PROPOSAL, Paths, paths_for
from runwright.convert.proposal import ProposalFile
from runwright.errors import ReviewError, UsageError
from runwright.trace import problems

SUFFIXES = (FLOW + NEW, CASSETTE + NEW, PROPOSAL)
SKIPPED = frozenset({"node_modules", "venv", "__pycache__"})


def pending_files(root: Path) -> tuple[Path, ...]:
    """Every file of a proposal under a flows/ or cassettes/ folder, leftovers included, sorted."""
    return tuple(sorted({*files_under(root, "flows", SUFFIXES), *files_under(root, "cassettes", SUFFIXES)}))


def files_under(root: Path, folder: str, suffixes: Sequence[str]) -> Iterator[Path]:
    """The files with one of the suffixes in or below a folder of that name, sorted; hidden folders are passed over."""
    for here, folders, names in os.walk(root):
        folders[:] = sorted(each for each in folders if not each.startswith(".") and each not in SKIPPED)
        if folder in Path(here).relative_to(root).parts:
            yield from (Path(here) / name for name in sorted(names) if name.endswith(tuple(suffixes)))


def read_proposal(path: Path, place: str) -> ProposalFile:
    """A proposal file, checked against its schema; ReviewError with its place where it is none."""
    data = bytes_of(path)
    hint = "runwright review --reject removes it; then convert again"
    if data is None:
        raise ReviewError("the proposal file is missing", place=place, hint=hint)
    try:
        value = json.loads(data)
    except ValueError as error:
        raise ReviewError(f"not JSON: {error}", place=place, hint=hint) from error
    for where, message in problems("proposal-v1", value):
        raise ReviewError(message, place=f"{place}: {where}", hint=hint)
    return msgspec.convert(value, ProposalFile)


def paths_of(file: ProposalFile, place: str) -> Paths:
    """The proposal's paths; ReviewError unless they are the ones that its own place implies."""
    try:
        expected = paths_for(place.removesuffix(PROPOSAL))
    except UsageError as error:
        raise ReviewError(str(error), place=place) from error
    if (file.flow, file.cassette) != (expected.flow, expected.cassette):
        raise ReviewError(
            f"names {file.flow} and {file.cassette}, its own place means {expected.flow} and {expected.cassette}",
            place=place,
            hint="a proposal cannot be moved or renamed by hand; convert again",
        )
    return expected


def flow_of(cassette: str) -> str:
    """The flow whose mirrored cassette lies at this path."""
    parts = cassette.removesuffix(CASSETTE).split("/")
    at = parts.index("cassettes")
    return "/".join([*parts[:at], "flows", *parts[at + 1 :]]) + FLOW


def bytes_of(path: Path) -> bytes | None:
    """A file's bytes, or None where there is no file."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
