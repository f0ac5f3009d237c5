"""What a reader is given: named bytes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import msgspec

from runwright.errors import ReaderError
from runwright.readers.packed import unpacked
from runwright.trace import digest_bytes


class Input(msgspec.Struct, frozen=True, dict=True):
    """One foreign file: the name to show for it, and its bytes."""

    name: str
    data: bytes

    @cached_property
    def digest(self) -> str:
        """blake3 of the bytes; a file of many runs is asked for it once a run."""
        return digest_bytes(self.data)


STDIN = "-"

HEAD = 65536
"""Bytes of a file that are looked at to find its format."""


def read_inputs(sources: Sequence[Input | Path | str]) -> tuple[Input, ...]:
    """The sources as inputs, files read whole and expanded; `-` is standard input. ReaderError for one that cannot be.

    What is compressed is named without its ending: only the bytes inside are the source.
    """
    return tuple(source if isinstance(source, Input) else _read(Path(source)) for source in sources)


def _read(path: Path) -> Input:
    name = "standard input" if str(path) == STDIN else str(path)
    try:
        data = sys.stdin.buffer.read() if str(path) == STDIN else path.read_bytes()
    except OSError as error:
        raise ReaderError(f"cannot be read: {error.strerror or error}", place=name) from error
    found = unpacked(data, name)
    return Input(name if found is data else name.removesuffix(".gz").removesuffix(".zst"), found)


def distinct(inputs: Sequence[Input]) -> tuple[Input, ...]:
    """The inputs in an order that depends on their bytes alone, each content once."""
    by_digest = {each.digest: each for each in reversed(inputs)}
    return tuple(by_digest[key] for key in sorted(by_digest))


def digest_of(inputs: Sequence[Input]) -> str:
    """blake3 over the bytes of the inputs, whatever their names and the order they were given in."""
    once = distinct(inputs)
    return once[0].digest if len(once) == 1 else digest_bytes(b"".join(each.data for each in once))


def text_body(data: bytes) -> bytes:
    """The bytes without a UTF-8 byte order mark."""
    return data.removeprefix(b"\xef\xbb\xbf")
