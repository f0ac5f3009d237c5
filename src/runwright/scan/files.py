"""Which files a scan looks at, and which it does not: each of those is told."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from runwright.errors import UsageError
from runwright.readers.input import STDIN

GIT = ".git"


@dataclass(frozen=True, slots=True)
class Chosen:
    """The files to look at, each once; folders that could not be listed, with the reason; and what is skipped."""

    files: dict[Path, None] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)


def chosen(paths: Sequence[Path], skip: Sequence[str] = ()) -> Chosen:
    """The files that paths, folders and patterns name, hidden ones too. UsageError where one names none."""
    found = Chosen()
    for path in paths:
        before = len(found.files), len(found.unread), len(found.skipped)
        if path.is_dir():
            _below(path, skip, found)
        else:
            for each in _matching(path):
                _take(each, skip, found)
        if before == (len(found.files), len(found.unread), len(found.skipped)):
            raise UsageError("there is no file in it", place=str(path), hint="nothing that was not read is clean")
    return found


def _matching(path: Path) -> Iterator[Path]:
    if str(path) == STDIN or path.exists() or not glob.has_magic(str(path)):
        yield path  # one that does not exist is told by whoever reads it
    else:
        found = glob.glob(str(path), recursive=True, include_hidden=True)  # noqa: PTH207  Path.glob takes no absolute one
        yield from (each for each in sorted(map(Path, found)) if not each.is_dir())


def _take(path: Path, skip: Sequence[str], found: Chosen) -> None:
    pattern = next((each for each in skip if fnmatch(path.name, each) or fnmatch(path.as_posix(), each)), None)
    if pattern is not None:
        found.skipped.append(f"{path}: --skip {pattern}")
    else:
        found.files[path] = None


def _below(folder: Path, skip: Sequence[str], found: Chosen) -> None:
    def fault(error: OSError) -> None:
        found.unread[str(error.filename)] = f"cannot be listed: {error.strerror or error}"

    for here, folders, names in os.walk(folder, onerror=fault):
        links = [each for each in folders if (Path(here) / each).is_symlink()]
        found.skipped.extend(f"{Path(here) / each}: a link to a folder" for each in sorted(links))
        found.skipped.extend(f"{Path(here) / each}: version control" for each in folders if each == GIT)
        folders[:] = sorted(each for each in folders if each not in links and each != GIT)
        for path in (Path(here) / name for name in sorted(names)):
            if path.is_file() or not path.exists():
                _take(path, skip, found)
            else:  # a pipe, a socket or a device that nobody named: reading it might never end
                found.skipped.append(f"{path}: no regular file")
