"""Binary OTLP: how it is recognised without its library, and where its messages begin and end.

A file holds one message, or several of which each is preceded by its length: four bytes, as the collector's file
exporter writes them (there each message may be compressed by itself), or a variable-length number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from runwright.readers.packed import ZSTD

VARINT, FIXED64, DELIMITED, FIXED32 = 0, 1, 2, 5
SIZE = 4
"""Bytes of a length as the collector writes it."""

NEVER = 1 << 62
"""An end beyond all bytes: what is probed may be the beginning of a message only."""

GROUPS = frozenset({1, 2, 3, 1000})
"""Fields of a resource's spans or log records; the last is one that old exporters wrote."""

Signal = Literal["spans", "logs"]


class Field(NamedTuple):
    """One field of a message: its number, its wire type, and where its value begins and ends.

    The end lies beyond the bytes where these are only the first of a file.
    """

    number: int
    wire: int
    begin: int
    end: int


class Frame(NamedTuple):
    """One message and where it begins in its file; `cut` says that the file ends before the message does."""

    data: bytes
    offset: int
    cut: bool = False


def signal_of(data: bytes) -> Signal | None:
    """What a message exports, by its structure down to the first span or log record; None where it is no export."""
    for outer in _fields(data, 0, NEVER):
        if (outer.number, outer.wire) != (1, DELIMITED):
            return None
        for group in _fields(data, outer.begin, outer.end):
            if group.number not in GROUPS or group.wire != DELIMITED:
                return None
            items = _fields(data, group.begin, group.end) if group.number == 2 else ()
            for item in items:
                if item.wire != DELIMITED or item.number not in GROUPS:
                    return None
                if item.number == 2:
                    return _signal(data, item)
    return None


def is_binary(head: bytes) -> bool:
    """Whether a file that begins so is binary OTLP, in any framing."""
    if head[:1] in (b"{", b"["):
        return False
    return signal_of(head) is not None or _by_size(head) or _by_varint(head) is not None


def frames(data: bytes) -> Iterator[Frame]:
    """The messages of a file."""
    if signal_of(data) is not None:
        yield Frame(data, 0)
    elif _by_size(data):
        yield from _sized(data)
    else:
        yield from _delimited(data)


def _signal(data: bytes, item: Field) -> Signal | None:
    """A span leads with ids of its sizes and has times; a log record leads with a time, or the time it was seen at."""
    seen = list(_fields(data, item.begin, item.end))
    sizes = {each.number: each.end - each.begin for each in seen if each.wire == DELIMITED}
    fixed = {each.number for each in seen if each.wire == FIXED64}
    cut = item.end > len(data)
    if sizes.get(1) == 16 and sizes.get(2) == 8 and (fixed & {7, 8} or cut):
        return "spans"
    timed = fixed & {1, 11} and not fixed - {1, 11}
    return "logs" if timed and (sizes.get(9, 16), sizes.get(10, 8)) == (16, 8) and 1 not in sizes else None


def _fields(data: bytes, begin: int, end: int) -> Iterator[Field]:
    """The fields between two places, as far as the bytes go; one of number zero stands for what is no message."""
    at, last = begin, min(end, len(data))
    while at < last:
        tag, at = _varint(data, at)
        number, wire = tag >> 3, tag & 7
        length = {FIXED64: 8, FIXED32: 4}.get(wire, 0)
        if wire == DELIMITED:
            length, at = _varint(data, at)
        elif wire == VARINT:
            _, after = _varint(data, at)
            length = after - at
        if number <= 0 or wire not in (VARINT, FIXED64, DELIMITED, FIXED32) or at < 0 or at + length > end:
            yield Field(0, wire, last, last)
            return
        yield Field(number, wire, at, at + length)
        at += length


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number and what comes after it; -1 for both where there is none."""
    number = 0
    for shift in range(0, 70, 7):
        if not 0 <= at < len(data):
            break
        byte = data[at]
        number, at = number | (byte & 0x7F) << shift, at + 1
        if byte < 0x80:
            return number, at
    return -1, -1


def _size(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + SIZE], "big")


def _by_size(data: bytes) -> bool:
    """The file begins with the length of a message, as the collector writes it."""
    end = SIZE + _size(data, 0)
    inner = data[SIZE:end]
    return end > SIZE and (inner.startswith(ZSTD) or ((end > len(data) or True) and signal_of(inner) is not None))


def _sized(data: bytes) -> Iterator[Frame]:
    at = 0
    while at < len(data):
        end = at + SIZE + _size(data, at)
        yield Frame(data[at + SIZE : end], at, cut=end > len(data) or end == at + SIZE)
        at = end


def _by_varint(data: bytes) -> int | None:
    """Where the first message begins if a variable-length number precedes it."""
    length, at = _varint(data, 0)
    return at if length > 0 and signal_of(data[at : at + length]) is not None else None


def _delimited(data: bytes) -> Iterator[Frame]:
    at = 0
    while at < len(data):
        length, begin = _varint(data, at)
        if begin < 0 or length <= 0 or begin + length > len(data):
            yield Frame(data[at:], at, cut=True)
            return
        yield Frame(data[begin : begin + length], at)
        at = begin + length
