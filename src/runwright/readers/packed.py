"""Compressed files seen through: gzip, and zstd where its library is installed."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO

from runwright.errors import ReaderError, TraceError
from runwright.trace.model import FORMAT
from runwright.trace.packed import HINT, RATIO as RATIO, SMALL as SMALL, ZSTD as ZSTD, ZstdSource

GZIP = b"\x1f\x8b"
PIECE = 1 << 20
"""Bytes of an expanded file that are at hand at once."""


class Unreadable(ValueError):
    """The bytes are no whole compressed file."""


def unpacked(data: bytes, name: str) -> bytes:
    """The bytes of a file, expanded where they are compressed; ReaderError for a broken file or a bomb.

    Of a trace of our own that ends within a zstd frame what is left comes back, and its last line is then cut: such a
    trace is incomplete, and may be shown.
    """
    for mark, expand in ((GZIP, _gzip), (ZSTD, _zstd)):
        if data.startswith(mark):
            return _expanded(data, expand, name)
    return data


def _expanded(data: bytes, expand: Callable[[bytes, int], bytes], name: str) -> bytes:
    limit = max(SMALL, RATIO * len(data))
    try:
        found = expand(data, limit + 1)
    except Unreadable as error:
        raise ReaderError(f"cannot be expanded: {error}", place=name) from error
    except TraceError as error:
        raise ReaderError(error.message, place=name, hint=error.hint) from error
    if len(found) > limit:
        raise ReaderError(f"expands to more than {RATIO} times its size", place=name, hint=HINT)
    return found


def pieces(packed: BinaryIO, size: int, name: str) -> Iterator[bytes]:
    """What a compressed file of this size holds, piece by piece; refused as `unpacked` refuses it."""
    first = packed.read(len(ZSTD))
    packed.seek(0)
    source = ZstdSource(packed, size, name) if first == ZSTD else None
    stream = io.BufferedReader(source, PIECE) if source else gzip.GzipFile(fileobj=packed)
    left = max(SMALL, RATIO * size)
    try:
        while piece := stream.read(PIECE):
            left -= len(piece)
            if left < 0:
                raise ReaderError(f"expands to more than {RATIO} times its size", place=name, hint=HINT)
            yield piece
    except (OSError, EOFError, zlib.error) as error:
        raise ReaderError(f"cannot be expanded: {error}", place=name) from error
    except TraceError as error:
        raise ReaderError(error.message, place=name, hint=error.hint) from error
    if source and source.cut:
        raise ReaderError("cannot be expanded: it ends within a frame", place=name)


def is_packed(head: bytes) -> bool:
    """Whether a file that begins so is compressed."""
    return head.startswith((GZIP, ZSTD))


def _gzip(data: bytes, most: int) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            return stream.read(most)
    except (OSError, EOFError, zlib.error) as error:
        raise Unreadable(str(error)) from error


def _zstd(data: bytes, _: int) -> bytes:
    """All frames of a file; the source itself bounds what they become."""
    source = ZstdSource(io.BytesIO(data), len(data), "")
    found = source.read()
    if not source.cut:
        return found
    if FORMAT.encode() not in found.partition(b"\n")[0]:
        raise Unreadable("it ends within a frame")
    return found[:-1]
