"""The lines of a stream, in memory that its longest line bounds, and the digest of what stands before a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from blake3 import blake3

from runwright.errors import TraceError

MAX_LINE = 32 * 1024 * 1024
"""Bytes that a line may have, its line end included."""

BLOCK = 1 << 20


class Readable(Protocol):
    """What lines are read from."""

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end."""


class Lines:
    """Numbered lines without their line ends; a rest that has none is left in `rest`.

    Hashing whole blocks is several times as fast as hashing line by line, so a digest is taken only when asked for.
    """

    def __init__(self, stream: Readable, name: str) -> None:
        self._stream = stream
        self._name = name
        self._hash = blake3()
        self._block = b""
        self._line = self._hashed = 0
        self.rest = b""

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        number = 0
        while block := self._stream.read(BLOCK):
            self._block = self.rest + block
            self._line = self._hashed = 0
            end = self._block.rfind(b"\n") + 1
            for line in self._block[: end - 1].split(b"\n") if end else ():
                number += 1
                if len(line) >= MAX_LINE:
                    self._too_long(number)
                yield number, line
                self._line += len(line) + 1
            self._hash_to(end)
            self.rest = self._block[end:]
            if len(self.rest) >= MAX_LINE:
                self._too_long(number + 1)

    def digest(self) -> str:
        """`blake3:<hex>` of every byte before the line that came last."""
        self._hash_to(self._line)
        return f"blake3:{self._hash.hexdigest()}"

    def _hash_to(self, end: int) -> None:
        self._hash.update(memoryview(self._block)[self._hashed : end])
        self._hashed = end

    def _too_long(self, number: int) -> None:
        raise TraceError(f"the line is longer than {MAX_LINE:,} bytes", place=f"{self._name}:{number}")
