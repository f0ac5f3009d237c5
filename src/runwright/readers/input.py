"""What a reader is given: named bytes."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import msgspec

from runwright.errors import ReaderError
from runwright.readers.packed import is_packed, pieces, unpacked
from runwright.trace import digest_bytes
from runwright.trace.model import Loss


class Part(msgspec.Struct, frozen=True):
    """What some lines of a file must know of the whole: its digest, their numbers in it, and all that it lost.

    Other runs stand in the lines that are elsewhere.
    """

    digest: str
    numbers: Sequence[int]
    losses: tuple[Loss, ...]


class Input(msgspec.Struct, frozen=True, dict=True):
    """One foreign file: the name to show for it, and its bytes; or those of its lines that are a `part` of it."""

    name: str
    data: bytes
    part: Part | None = None

    @cached_property
    def digest(self) -> str:
        """blake3 of the bytes of the whole file; one of many runs is asked for it once a run."""
        return self.part.digest if self.part else digest_bytes(self.data)


STDIN = "-"

HEAD = 65536
"""Bytes of a file that are looked at to find its format."""

PARQUET = b"PAR1"


def read_inputs(sources: Sequence[Input | Path | str]) -> tuple[Input, ...]:
    """The sources as inputs, files read whole and expanded; `-` is standard input. ReaderError for one that cannot be.

    What is compressed is named without its ending: only the bytes inside are the source.
    """
    return tuple(source if isinstance(source, Input) else _read(Path(source)) for source in sources)


def head_of(data: bytes) -> bytes:
    """The bytes of a file that are looked at to find its format: those of Parquet describe it at their end."""
    return data[:HEAD] + data[HEAD:][-HEAD:] if data.startswith(PARQUET) else data[:HEAD]


def head_of_file(path: Path) -> bytes:
    """The same of a file, without holding more of it; ReaderError for one that cannot be read, to its end and again."""
    if str(path) == STDIN or not path.is_file():
        raise ReaderError("it can be read only once, if at all", place=str(path))
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD)
            if is_packed(head):
                stream.seek(0)
                expanded = pieces(stream, path.stat().st_size, str(path))
                head = next(expanded, b"")[:HEAD]
                deque(expanded, maxlen=0)
    except OSError as error:
        raise ReaderError(f"cannot be read: {error.strerror or error}", place=str(path)) from error
    return head_of(_read(path).data) if head.startswith(PARQUET) else head


def _read(path: Path) -> Input:
    name = "standard input" if str(path) == STDIN else str(path)
    try:
        data = sys.stdin.buffer.read() if str(path) == STDIN else path.read_bytes()
    except OSError as error:
        raise ReaderError(f"cannot be read: {error.strerror or error}", place=name) from error
    found = unpacked(data, name)
    return Input(name if found is data else unpacked_name(name), found)


def unpacked_name(name: str) -> str:
    """What a compressed file is called by what is inside."""
    return name.removesuffix(".gz").removesuffix(".zst")


def is_part(inputs: Sequence[Input]) -> bool:
    """Whether the file that these lines are of holds further runs."""
    return any(each.part for each in inputs)


def lost_in(inputs: Sequence[Input], found: tuple[Loss, ...]) -> tuple[Loss, ...]:
    """What files lost before their runs were told apart: as `found` in reading them, or as is known of the whole."""
    return next((each.part.losses for each in inputs if each.part), found)


def distinct(inputs: Sequence[Input]) -> tuple[Input, ...]:
    """The inputs in an order that depends on their bytes alone, each content once."""
    by_digest = {each.digest: each for each in reversed(inputs)}
    return tuple(by_digest[key] for key in sorted(by_digest))


def digest_of(inputs: Sequence[Input]) -> str:
    """blake3 over the bytes of the inputs, whatever their names and the order they were given in."""
    if len(inputs) == 1:
        return inputs[0].digest
    once = distinct(inputs)
    return once[0].digest if len(once) == 1 else digest_bytes(b"".join(each.data for each in once))


def text_body(data: bytes) -> bytes:
    """The bytes without a UTF-8 byte order mark."""
    return data.removeprefix(b"\xef\xbb\xbf")
