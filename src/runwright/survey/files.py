"""The files that paths, folders, patterns and links name, each once."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from runwright.errors import UsageError
from runwright.readers.many import files_below

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
    What cannot be read, such as a link to nowhere or a folder that cannot be listed, is among them to be told.
    """
    found: dict[str, Path] = {}
    for path in paths:
        for each in _named(path):
            found.setdefault(os.path.realpath(each), each)
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
    return [each for each in files_below(folder) if each.is_dir() or _is_trace(each.name)]


def _is_trace(name: str) -> bool:
    return name.endswith(_READ) and not name.endswith(_OURS)
