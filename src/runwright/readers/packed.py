"""Compressed files seen through: gzip, and zstd where its library is installed."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable

from runwright.errors import ReaderError

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
RATIO = 200
"""How many times its size a compressed file may become; traces, which repeat themselves, stay well below."""
SMALL = 64 * 1024 * 1024
"""Bytes that any file may become, however small it is."""


class Unreadable(ValueError):
    """The bytes are no whole compressed file."""


def unpacked(data: bytes, name: str) -> bytes:
    """The bytes of a file, expanded where they are compressed; ReaderError for a broken file or a bomb."""
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
    if len(found) > limit:
        hint = "expand it yourself if it is what you think it is"
        raise ReaderError(f"expands to more than {RATIO} times its size", place=name, hint=hint)
    return found


def _gzip(data: bytes, most: int) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            return stream.read(most)
    except (OSError, EOFError, zlib.error) as error:
        raise Unreadable(str(error)) from error


def _zstd(data: bytes, most: int) -> bytes:
    """All frames of a file; writers that append leave several."""
    try:
        import zstandard
    except ImportError as error:
        raise ReaderError("zstd needs a library", hint="pip install 'runwright[zstd]'") from error
    try:
        with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True) as stream:
            found = stream.read(most)
            if len(found) < most and not _whole(data):
                raise Unreadable("it ends within a frame")
            return found
    except zstandard.ZstdError as error:
        raise Unreadable(str(error)) from error


def _whole(data: bytes) -> bool:
    """Whether the last frame is whole: the stream reader takes a cut one for an end. Its size is bounded by now."""
    import zstandard

    rest = data
    while rest:
        frame = zstandard.ZstdDecompressor().decompressobj()
        frame.decompress(rest)
        if not frame.eof:
            return False
        rest = frame.unused_data
    return True
