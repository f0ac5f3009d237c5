"""What a reader is given: named bytes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from runwright.errors import ReaderError
from runwright.trace import digest_bytes


class Input(msgspec.Struct, frozen=True):
    """One foreign file: the name to show for it, and its bytes."""

    name: str
    data: bytes


def read_inputs(sources: Sequence[Input | Path | str]) -> tuple[Input, ...]:
    """The sources as inputs, files read whole; ReaderError for one that cannot be read."""
    return tuple(source if isinstance(source, Input) else _read(Path(source)) for source in sources)


def _read(path: Path) -> Input:
    try:
        return Input(str(path), path.read_bytes())
    except OSError as error:
        raise ReaderError(f"cannot be read: {error.strerror or error}", place=str(path)) from error


def distinct(inputs: Sequence[Input]) -> tuple[Input, ...]:
    """The inputs in an order that depends on their bytes alone, each content once."""
    by_digest = {digest_bytes(each.data): each for each in reversed(inputs)}
    return tuple(by_digest[key] for key in sorted(by_digest))


def digest_of(inputs: Sequence[Input]) -> str:
    """blake3 over the bytes of the inputs, whatever their names and the order they were given in."""
    return digest_bytes(b"".join(each.data for each in distinct(inputs)))


def text_body(data: bytes) -> bytes:
    """The bytes without a UTF-8 byte order mark."""
    return data.removeprefix(b"\xef\xbb\xbf")
