"""A long file of lines in parts that hold whole runs, so that memory grows with the longest run and not with the file.

The lines are read twice: once to tell which belong together, and then part by part.
"""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from blake3 import blake3

from runwright.errors import ReaderError
from runwright.readers.input import STDIN, Input, Part, text_body, unpacked_name
from runwright.readers.lines import each_line_starts_one, file_name, located
from runwright.readers.packed import is_packed, pieces
from runwright.readers.reader import ALONE, Told
from runwright.readers.reading import Reading
from runwright.trace.model import Loss

BOUND = 1 << 23
"""Bytes of a file from which on it is read in parts, and of a part that holds more than one run."""

NOWHERE = -1


class _Index(NamedTuple):
    """Where the lines of a file begin, what they hashed to and which component each is of; and what the file lost."""

    begins: array[int]
    hashes: array[int]
    owners: array[int]
    digest: str
    losses: tuple[Loss, ...]


def parts_of(path: Path, told: Told, bound: int = BOUND) -> Iterator[Input]:
    """The parts of a file, each with all the lines of its runs; none for a file that must be read whole.

    ReaderError for one that cannot be read, or whose lines change meanwhile.
    """
    with _lines(path, bound) as (stream, name):
        index = _indexed(stream, name, told) if stream else None
        if stream is None or index is None:
            return
        parts = _shared_out(index, bound)
        if len(parts) > 1:
            for numbers in parts:
                yield _part(stream, name, index, numbers)


@contextmanager
def _lines(path: Path, bound: int) -> Iterator[tuple[IO[bytes] | None, str]]:
    """The file's own bytes, where they are long and each line starts a document."""
    if str(path) == STDIN or not path.is_file():  # standard input and pipes cannot be read twice
        yield None, ""
        return
    try:
        with path.open("rb") as given, tempfile.SpooledTemporaryFile(bound) as expanded:
            size, packed = path.stat().st_size, is_packed(given.read(4))
            given.seek(0)
            if packed:
                for piece in pieces(given, size, str(path)):
                    expanded.write(piece)
                size = expanded.tell()
                expanded.seek(0)
            stream: IO[bytes] = expanded if packed else given
            name = unpacked_name(str(path)) if packed else str(path)
            yield (stream if size > bound and _is_lines(stream) else None), name
    except OSError as error:
        raise ReaderError(f"cannot be read: {error.strerror or error}", place=str(path)) from error


def _is_lines(stream: IO[bytes]) -> bool:
    found = each_line_starts_one(text_body(stream.readline() + stream.readline()))
    stream.seek(0)
    return found


def _indexed(stream: IO[bytes], name: str, told: Told) -> _Index | None:
    """What the lines are and which belong together; None where a document cannot be told apart."""
    reading, digest = Reading(), blake3()
    keys_of, shown = told(reading), file_name(Input(name, b""))
    begins, hashes, owners, joined = array("q", [0]), array("q"), array("q"), _Joined()
    for number, line in enumerate(stream, start=1):
        digest.update(line)
        begins.append(begins[-1] + len(line))
        hashes.append(hash(line))
        body = text_body(line) if number == 1 else line
        document = located(body.removesuffix(b"\n"), f"{shown}:{number}", reading)
        keys = keys_of(document) if document is not None else ()
        if keys is None:
            return None
        owners.append(joined.owner(keys))
    found = array("q", (joined.root(owner) for owner in owners))
    return _Index(begins, hashes, found, f"blake3:{digest.hexdigest()}", reading.losses())


class _Joined:
    """Components by the hashes of their names: two names of one hash only join what could have stood apart."""

    def __init__(self) -> None:
        self._named: dict[int, int] = {}
        self._parents = array("q")

    def owner(self, names: Iterable[str]) -> int:
        """The component of a document with these names; NOWHERE if it has none."""
        found = NOWHERE
        for name in names:
            mine = self._named.setdefault(hash(name), len(self._parents)) if name != ALONE else len(self._parents)
            if mine == len(self._parents):
                self._parents.append(mine)
            mine = self.root(mine)
            if found == NOWHERE:
                found = mine
            self._parents[mine] = found
        return found

    def root(self, owner: int) -> int:
        """What a component became part of."""
        while owner != NOWHERE and self._parents[owner] != owner:
            self._parents[owner] = self._parents[self._parents[owner]]
            owner = self._parents[owner]
        return owner


def _shared_out(index: _Index, bound: int) -> list[array[int]]:
    """The lines of each part: components in the order of their first lines, as many as the bound has room for."""
    sizes = array("q", [0]) * (max(index.owners, default=NOWHERE) + 1)
    for at, owner in enumerate(index.owners):
        if owner != NOWHERE:
            sizes[owner] += index.begins[at + 1] - index.begins[at]
    placed = array("q", [NOWHERE]) * len(sizes)
    parts: list[array[int]] = []
    room = 0
    for at, owner in enumerate(index.owners):
        if owner == NOWHERE:
            continue
        if placed[owner] == NOWHERE:
            if not parts or sizes[owner] > room:
                parts.append(array("q"))
                room = bound
            placed[owner], room = len(parts) - 1, room - sizes[owner]
        parts[placed[owner]].append(at)
    return parts


def _part(stream: IO[bytes], name: str, index: _Index, lines: Sequence[int]) -> Input:
    found: list[bytes] = []
    for before, at in zip((NOWHERE, *lines), lines, strict=False):
        if at != before + 1 or not found:
            stream.seek(index.begins[at])
        found.append(stream.read(index.begins[at + 1] - index.begins[at]))
        if hash(found[-1]) != index.hashes[at]:
            raise ReaderError("it changed while it was read", place=name, hint="import a copy of it")
    data = b"".join(found).removesuffix(b"\n")
    return Input(name, data, Part(index.digest, array("q", (at + 1 for at in lines)), index.losses))
