"""Which flow files a run is about, where their repository is, and which proposals still wait in it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from runwright.convert.options import FLOW, NEW
from runwright.convert.pending import SKIPPED, pending_files
from runwright.errors import UsageError

ROOT_MARKS = (".git", "pyproject.toml")
SUFFIXES = (FLOW, ".flow.yml")


@dataclass(frozen=True, kw_only=True)
class Problem:
    """What is wrong with the suite itself; it makes the suite exit 2."""

    message: str
    place: str = ""
    hint: str = ""


def repository_root(start: Path) -> Path:
    """The nearest folder upward from a file or folder with a `.git` or a `pyproject.toml`; else the folder itself."""
    folder = start.resolve()
    folder = folder if folder.is_dir() else folder.parent
    for each in (folder, *folder.parents):
        if any((each / mark).exists() for mark in ROOT_MARKS):
            return each
    return folder


def from_here(path: Path) -> Path:
    """The path as a user in this folder would name it."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def flow_files(paths: Iterable[Path]) -> list[Path]:
    """The flow files named, and those below the folders named, each once, in a folder sorted by path.

    UsageError for a path that does not exist, or a folder that cannot be read.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        if not path.exists():
            raise UsageError("no such file or folder", place=str(path))
        for each in _below(path) if path.is_dir() else [path]:
            found.setdefault(each.resolve(), each)
    return list(found.values())


def proposed_flow(root: Path, name: str) -> Path:
    """The pending flow file of the proposal of that name or flow path; UsageError unless there is exactly one."""
    waiting = {_out(path, root): path for path in pending_files(root) if path.name.endswith(FLOW + NEW)}
    wanted = name.removeprefix("./").removesuffix(NEW).removesuffix(FLOW)
    found = [path for out, path in waiting.items() if out == wanted]
    found = found or [path for out, path in waiting.items() if out.rsplit("/", 1)[-1] == wanted]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(waiting) or "nothing is pending"
    fault = f"{len(found)} proposals are called {name!r}" if found else f"no proposal is called {name!r}"
    raise UsageError(fault, hint=f"pending: {listed}" if waiting else listed)


def waiting_in_ci(roots: Iterable[Path], environment: Mapping[str, str]) -> list[Problem]:
    """Where CI is set, one problem for each file of a proposal that nobody accepted or rejected."""
    if environment.get("CI", "").lower() in ("", "0", "false"):
        return []
    hint = "runwright review: accept or reject it before CI runs"
    return [
        Problem(message="a proposal waits for a person", place=path.relative_to(root).as_posix(), hint=hint)
        for root in dict.fromkeys(roots)
        for path in pending_files(root)
    ]


def _below(folder: Path) -> list[Path]:
    """The flows below a folder, and below those that links in it lead to; a folder of two names has its own."""
    found: list[Path] = []
    seen, starts = set[str](), [folder]
    for start in starts:  # grows while links are found, which so come after what is here by itself
        for here, folders, names in os.walk(start, onerror=_unreadable):
            real = os.path.realpath(here)
            folders[:] = [each for each in folders if not each.startswith(".") and each not in SKIPPED]
            if real in seen:
                folders.clear()
                continue
            seen.add(real)
            starts += sorted(Path(here) / each for each in folders if (Path(here) / each).is_symlink())
            found += [Path(here) / name for name in names if name.endswith(SUFFIXES)]
    return sorted(found)


def _unreadable(error: OSError) -> None:
    """A folder that is passed over may hold the flow that fails."""
    raise UsageError(f"cannot read the folder: {(error.strerror or str(error)).lower()}", place=str(error.filename))


def _out(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix().removesuffix(FLOW + NEW)
