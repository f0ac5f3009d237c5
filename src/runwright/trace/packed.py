"""Traces that are kept compressed: zstd seen through as they are read, in memory that does not grow with them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from runwright.errors import TraceError
from runwright.trace.lines import BUFFER, Readable

if TYPE_CHECKING:
    from types import ModuleType

SUFFIX = ".zst"
ZSTD = b"\x28\xb5\x2f\xfd"
RATIO = 200
"""How many times its size a compressed file may become; traces, which repeat themselves, stay well below."""
SMALL = 64 * 1024 * 1024
"""Bytes that any file may become, however small it is."""

PIECE = 1024
"""Compressed bytes that are expanded at once: a kilobyte becomes 32 MB at most, however it was made."""

HINT = "expand it yourself if it is what you think it is"


class ZstdSource(io.RawIOBase):
    """What a zstd file holds, all its frames: writers that append leave several.

    `cut` says, at the end, that the last frame stops before its own end. TraceError for bytes that are no zstd and for
    more of them than a file of `size` may become.
    """

    def __init__(self, packed: BinaryIO, size: int, name: str) -> None:
        super().__init__()
        self._zstd = _library(name)
        self._packed = packed
        self._left = max(SMALL, RATIO * size)
        self._name = name
        self._frame = self._zstd.ZstdDecompressor().decompressobj()
        self._within = False
        self._waiting = b""
        self._ready = memoryview(b"")

    @property
    def cut(self) -> bool:
        """Whether what was read so far ends within a frame."""
        return self._within

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override] # io hands over a memoryview
        """Fill the buffer as far as the bytes at hand go; zero at the end."""
        while not self._ready:
            piece = self._waiting[:PIECE] or self._packed.read(PIECE)
            self._waiting = self._waiting[PIECE:]
            if not piece:
                return 0
            self._ready = memoryview(self._expanded(piece))
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _expanded(self, piece: bytes) -> bytes:
        try:
            found: bytes = self._frame.decompress(piece)
        except self._zstd.ZstdError as error:
            raise TraceError(f"cannot be expanded: {error}", place=self._name) from error
        self._within = not self._frame.eof
        if self._frame.eof:
            self._waiting = self._frame.unused_data + self._waiting
            self._frame = self._zstd.ZstdDecompressor().decompressobj()
        self._left -= len(found)
        if self._left < 0:
            raise TraceError(f"expands to more than {RATIO} times its size", place=self._name, hint=HINT)
        return found


class PackedLines(io.BufferedReader):
    """The lines of a zstd file."""

    raw: ZstdSource


@contextmanager
def opened(path: Path) -> Iterator[Readable]:
    """The lines of a trace's file, expanded where its name ends in `.zst`. OSError where it cannot be opened."""
    with path.open("rb", buffering=BUFFER) as stream:
        if path.suffix == SUFFIX:
            yield PackedLines(ZstdSource(stream, path.stat().st_size, str(path)), BUFFER)
        else:
            yield stream


@contextmanager
def packing(out: BinaryIO, path: Path) -> Iterator[BinaryIO]:
    """A stream that writes into `out` what a file of this name holds: compressed where it ends in `.zst`."""
    if path.suffix != SUFFIX:
        yield out
        return
    compressor = _library(str(path)).ZstdCompressor(write_checksum=True)
    with compressor.stream_writer(out, closefd=False) as stream:
        yield stream


def packed_for(path: Path, data: bytes) -> bytes:
    """The bytes that a file of this name holds: compressed where it ends in `.zst`."""
    if path.suffix != SUFFIX:
        return data
    packed: bytes = _library(str(path)).ZstdCompressor(write_checksum=True).compress(data)
    return packed


def is_cut(stream: Readable) -> bool:
    """Whether a stream that was read to its end is a zstd file that stops within a frame."""
    return isinstance(stream, PackedLines) and stream.raw.cut


def _library(name: str) -> ModuleType:
    try:
        import zstandard
    except ImportError as error:
        raise TraceError("zstd needs a library", place=name, hint="pip install 'runwright[zstd]'") from error
    return zstandard
