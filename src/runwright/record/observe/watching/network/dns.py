"""Questions about names, and answers to them, as they are on the wire."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

A, AAAA, ANY = 1, 28, 255
INTERNET = 1
NO_SUCH_NAME, REFUSED = 3, 5
ANSWERS, RECURSION = 0x8000, 0x0080
HEAD = 12
LABELS = 128


class Question(NamedTuple):
    """A name that is asked about, in lower case and without a last dot; `end` is where the question ends."""

    name: str
    kind: int
    end: int


def question(message: bytes) -> Question | None:
    """The question of a query; None where it is no query with one question that can be read."""
    if len(message) < HEAD:
        return None
    flags, questions = struct.unpack_from(">HH", message, 2)
    if flags & 0xF800 or questions != 1:
        return None
    labels: list[bytes] = []
    at = HEAD
    while at < len(message) and len(labels) < LABELS:
        size = message[at]
        if size > 63 or at + size + 1 > len(message):
            return None
        if not size:
            break
        labels.append(message[at + 1 : at + 1 + size])
        at += size + 1
    if at + 5 > len(message):
        return None
    (kind,) = struct.unpack_from(">H", message, at + 1)
    name = b".".join(labels).decode("ascii", "backslashreplace").lower()
    return Question(name, kind, at + 5)


def told(message: bytes) -> tuple[str, list[bytes]] | None:
    """The name that an answer is about, and the addresses that it gives; None where it is no answer with any."""
    if len(message) < HEAD or not message[2] & 0x80:
        return None
    asked = question(message[:2] + bytes((message[2] & 0x07, 0)) + message[4:])
    if asked is None or not asked.name:
        return None
    (answers,) = struct.unpack_from(">H", message, 6)
    found: list[bytes] = []
    at = asked.end
    for _ in range(min(answers, LABELS)):
        at = _beyond_name(message, at)
        if at + 10 > len(message):
            break
        kind, _, _, size = struct.unpack_from(">HHIH", message, at)
        address = message[at + 10 : at + 10 + size]
        if (kind, len(address)) in ((A, 4), (AAAA, 16)):
            found.append(address)
        at += 10 + size
    return (asked.name, found) if found else None


def _beyond_name(message: bytes, at: int) -> int:
    """Where a name ends that begins there, which may be a pointer to another."""
    while at < len(message) and message[at]:
        if message[at] >= 0xC0:
            return at + 2
        at += message[at] + 1
    return at + 1


def answer(message: bytes, asked: Question, addresses: Sequence[bytes] | None) -> bytes:
    """The answer: those of the addresses that were asked for, none of which may be held; no such name where None."""
    wanted = {A: (4,), AAAA: (16,), ANY: (4, 16)}.get(asked.kind, ())
    found = [each for each in addresses or () if len(each) in wanted]
    flags = struct.unpack_from(">H", message, 2)[0] & 0x0100 | ANSWERS | RECURSION
    flags |= NO_SUCH_NAME if addresses is None else 0
    head = message[:2] + struct.pack(">HHHHH", flags, 1, len(found), 0, 0)
    return head + message[HEAD : asked.end] + b"".join(map(_record, found))


def _record(address: bytes) -> bytes:
    kind = A if len(address) == 4 else AAAA
    return struct.pack(">HHHIH", 0xC000 | HEAD, kind, INTERNET, 0, len(address)) + address
