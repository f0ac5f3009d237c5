"""Many files at once: which of them belong together, and what each group holds."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path

import msgspec

from runwright.errors import ReaderError, RunwrightError, UsageError
from runwright.readers.foreign import runs_of, sniff
from runwright.readers.input import Input, head_of_file
from runwright.readers.parts import BOUND, parts_of
from runwright.readers.reader import Run
from runwright.readers.table import READERS
from runwright.secrets import clean_text

NAME = re.compile(r"[^A-Za-z0-9._-]+")
LONGEST = 120
"""Characters of a file name made from a source's own id."""


class Group(msgspec.Struct, frozen=True):
    """Files read together, and the runs they hold or why they could not be read.

    `several` says that the files hold more runs than one, here or in another group.
    """

    files: tuple[Path, ...]
    runs: Sequence[Run] = ()
    error: RunwrightError | None = None
    several: bool = False


def is_many(paths: Sequence[Path]) -> bool:
    """Whether the paths name a folder or a pattern rather than the files of one run."""
    return any(path.is_dir() or (glob.has_magic(str(path)) and not path.exists()) for path in paths)


def files_of(paths: Sequence[Path]) -> list[Path]:
    """The files that paths, folders and patterns name, each once; UsageError where one names none."""
    found: dict[Path, None] = {}
    for path in paths:
        here = files_below(path) if path.is_dir() else _matching(path)
        if not here:
            what = "there is no file in it" if path.is_dir() else "no file of that name"
            raise UsageError(what, place=str(path))
        found |= dict.fromkeys(here)
    return list(found)


def read_many(files: Sequence[Path], format: str | None = None, *, bound: int = BOUND) -> Iterator[Group]:
    """The runs of many files, group by group; what cannot be read is a group with its error, and the rest goes on.

    A file of lines longer than `bound` comes in several groups, where its format tells its runs apart line by line.
    """
    for name, group in _groups(files, format):
        try:
            yield from _read(group, name, format, bound)
        except RunwrightError as error:
            yield Group(group, error=error)


def file_name(group: Group, run: Run) -> str:
    """A name for a run's trace: its file's, and its own where the file holds several. No part of it is a path."""
    stem = re.sub(r"\.(jsonl?|ya?ml|gz|zst|har|parquet|eval|traj|mitm)\b", "", group.files[0].name)
    parts = [stem, clean_text(run.id)] if group.several or len(group.runs) > 1 else [stem]
    return NAME.sub("-", "-".join(part for part in parts if part)).strip("-.")[:LONGEST] or "run"


def _read(group: tuple[Path, ...], name: str, format: str | None, bound: int) -> Iterator[Group]:
    """The files as one group, or a long one part by part."""
    reader = READERS.get(name)
    parts = parts_of(group[0], reader.told, bound) if reader and reader.told and len(group) == 1 else iter(())
    first = next(parts, None)
    if first is None:
        yield Group(group, runs_of(group, format))
        return
    refused: list[ReaderError] = []
    found = _with_runs(chain([first], parts), name, refused)
    del first
    held = list(islice(found, 1))
    held += islice(found, 1 if held and len(held[0]) == 1 else 0)  # then another tells whether there are several
    if not held:
        raise refused[0]
    several = len(held) > 1 or len(held[0]) > 1
    while held:
        yield Group(group, held.pop(0), several=several)
    more = partial(Group, group, several=several)
    yield from map(more, found)  # which keeps none of them, as a loop's variable would


def _with_runs(parts: Iterable[Input], name: str, refused: list[ReaderError]) -> Iterator[Sequence[Run]]:
    """The runs of each part that has some; why another has none."""
    for part in parts:
        try:
            runs = runs_of([part], name)
        except ReaderError as error:
            refused.append(error)
        else:
            yield runs
            del runs, part  # one part is in memory, while the next is read


def files_below(folder: Path) -> list[Path]:
    """The files below a folder, through links too; what is hidden is left out, and each folder is walked once.

    A link to nowhere and a folder that cannot be listed are among them, so that reading them tells of them.
    """
    found: list[Path] = []
    seen: set[str] = set()

    def unlisted(error: OSError) -> None:
        found.append(Path(str(error.filename)))

    for here, folders, names in os.walk(folder, followlinks=True, onerror=unlisted):
        real = os.path.realpath(here)
        folders[:] = [] if real in seen else sorted(each for each in folders if not each.startswith("."))
        if real not in seen:
            found += (Path(here) / name for name in names if not name.startswith("."))
        seen.add(real)
    return sorted(each for each in found if each.is_dir() or _may_be_read(each))


def _matching(pattern: Path) -> list[Path]:
    if pattern.exists():
        return [pattern]
    found = glob.glob(str(pattern), recursive=True)  # noqa: PTH207  Path.glob takes no absolute pattern
    return sorted(each for each in map(Path, found) if _may_be_read(each))


def _may_be_read(path: Path) -> bool:
    """False for a folder, and for a pipe, a socket or a device that nobody named: reading it might never end."""
    return path.is_file() or not path.exists()


def _groups(files: Sequence[Path], format: str | None) -> Iterator[tuple[str, tuple[Path, ...]]]:
    """Files by themselves, but for those that their format reads together; and the name of that."""
    by_format: dict[str, list[Path]] = {}
    for path in files:
        name = format or _format(path)
        reader = READERS.get(name)
        if reader is None or reader.together is None:
            yield name, (path,)
        else:
            by_format.setdefault(name, []).append(path)
    for name, paths in by_format.items():
        together = READERS[name].together
        for group in together([str(path) for path in paths]) if together else ():
            yield name, tuple(map(Path, group))


def _format(path: Path) -> str:
    try:
        return sniff(head_of_file(path)) or ""
    except RunwrightError:
        return ""
