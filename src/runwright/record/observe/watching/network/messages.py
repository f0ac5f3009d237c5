"""Where datagrams are to go, and what they hold, as a call's arguments tell it."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from .. import kernel
from .bpf import SENDMMSG, SENDMSG, SENDTO
from .endpoints import LONGEST

HEAD = struct.Struct("QI4xQQQQi4x")
MANY = 64
"""Messages of one call that are looked at."""
LONG = 512
"""Bytes of a message that a question about a name may have."""


class Message(NamedTuple):
    """A message: an address, empty for the one the socket is connected to, and how it begins."""

    address: bytes
    data: bytes


def messages(notice: kernel.Notice) -> Iterator[Message]:
    """The messages of a call of sendto, sendmsg or sendmmsg. OSError where they cannot be read."""
    thread, arguments = notice.thread, notice.arguments
    if notice.number == SENDTO:
        yield Message(_read(thread, arguments[4], arguments[5] & 0xFFFFFFFF, LONGEST), _data(thread, *arguments[1:3]))
    elif notice.number == SENDMSG:
        yield _message(thread, arguments[1])
    elif notice.number == SENDMMSG:
        for number in range(min(arguments[2] & 0xFFFFFFFF, MANY)):
            yield _message(thread, arguments[1] + number * (HEAD.size + 8))


def _message(thread: int, at: int) -> Message:
    name, size, parts, count, *_ = HEAD.unpack(kernel.memory(thread, at, HEAD.size))
    data = b""
    if count:
        data = _data(thread, *struct.unpack("QQ", kernel.memory(thread, parts, 16)))
    return Message(_read(thread, name, size, LONGEST) if name else b"", data)


def _data(thread: int, at: int, size: int) -> bytes:
    try:
        return _read(thread, at, size, LONG)
    except OSError:
        return b""


def _read(thread: int, at: int, size: int, most: int) -> bytes:
    size = min(size, most)
    return kernel.memory(thread, at, size) if at and size else b""
