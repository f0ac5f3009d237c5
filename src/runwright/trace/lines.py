"""The lines of a stream, in memory that its longest line bounds, and the digest of what stands before a line."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Protocol

from blake3 import blake3

from runwright.errors import TraceError

MAX_LINE = 32 * 1024 * 1024
"""Bytes that a line may have, its line end included."""

BUFFER = 1 << 17
"""Bytes that are read, and hashed, at once: line by line would take several times as long."""


class Readable(Protocol):
    """What lines are read from."""

    def readline(self, size: int, /) -> bytes:
        """The next line, or its first `size` bytes; nothing at the end."""


class Lines:
    """Numbered lines with their line ends; an end of the stream that has none is left in `rest`."""

    def __init__(self, stream: Readable, name: str) -> None:
        self._stream = stream
        self._name = name
        self._hash = blake3()
        self._unhashed: list[bytes] = []
        self.rest = b""

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        held = 0
        for number, line in enumerate(iter(partial(self._stream.readline, MAX_LINE + 1), b""), start=1):
            size = len(line)
            if size > MAX_LINE:
                raise TraceError(f"the line is longer than {MAX_LINE:,} bytes", place=f"{self._name}:{number}")
            if line[-1] != 0x0A:
                self.rest = line
                return
            yield number, line
            self._unhashed.append(line)
            held += size
            if held >= BUFFER:
                self._hash_all()
                held = 0

    def digest(self) -> str:
        """`blake3:<hex>` of every byte before the line that came last."""
        self._hash_all()
        return f"blake3:{self._hash.hexdigest()}"

    def _hash_all(self) -> None:
        self._hash.update(b"".join(self._unhashed))
        self._unhashed.clear()
