"""The files that paths, folders, patterns and links name, each once."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from runwright.errors import UsageError

FLOWS: Final = (".flow.yaml", ".flow.yml")
_READ: Final = (
    *(".jsonl", ".ndjson", ".json", ".yaml", ".yml", ".trace", ".har", ".flows", ".mitm", ".eval", ".traj"),
    *(".pb", ".bin", ".binpb", ".otlp", ".parquet", ".log", ".gz", ".zst"),
)
"""Endings that traces have; in a folder other files are passed over."""

_OURS: Final = (".proposal.json", ".new", "suite.yaml", "suite.yml")
"""Files of ours that lie beside flows and cassettes and are neither."""


def chosen_files(paths: Sequence[Path]) -> tuple[Path, ...]:
    """The files, each once however often it is named; UsageError for a path that is not there.

    Below folders only what is called like a trace or a flow is taken, also behind links. A pattern may match nothing.
    """
    found: dict[tuple[int, int], Path] = {}
    for path in paths:
        for each in _named(path):
            told = each.stat()
            found.setdefault((told.st_dev, told.st_ino), each)
    return tuple(found.values())


def is_flow(path: Path) -> bool:
    """Whether a file is called like a flow."""
    return path.name.endswith(FLOWS)


def _named(path: Path) -> list[Path]:
    if path.is_dir():
        return _below(path)
    if path.exists():
        return [path]
    if not glob.has_magic(str(path)):
        raise UsageError("no such file or folder", place=str(path))
    found = map(Path, sorted(glob.glob(str(path), recursive=True)))  # noqa: PTH207  Path.glob takes no absolute pattern
    return [each for match in found for each in (_below(match) if match.is_dir() else [match])]


def _below(folder: Path) -> list[Path]:
    return sorted(_walked(folder))


def _walked(folder: Path) -> Iterator[Path]:
    """The files below a folder, through links too; a folder that links lead back to is walked once."""
    seen: set[str] = set()
    for here, folders, names in os.walk(folder, followlinks=True, onerror=_unreadable):
        real = os.path.realpath(here)
        folders[:] = [] if real in seen else sorted(each for each in folders if not each.startswith("."))
        if real not in seen:
            yield from (Path(here) / name for name in names if _is_trace(Path(here) / name))
        seen.add(real)


def _is_trace(path: Path) -> bool:
    name = path.name
    return not name.startswith(".") and name.endswith(_READ) and not name.endswith(_OURS) and path.is_file()


def _unreadable(error: OSError) -> None:
    """A folder that is passed over may hold what matters."""
    raise UsageError(f"cannot read the folder: {(error.strerror or str(error)).lower()}", place=str(error.filename))
