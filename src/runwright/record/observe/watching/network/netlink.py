"""What the kernel is asked over netlink: to hold addresses on the loopback, and which Unix sockets there are."""

from __future__ import annotations

import fcntl
import os
import socket
import struct
from collections.abc import Iterator
from typing import NamedTuple

from .endpoints import INET, UNIX

ROUTE, DIAGNOSIS = 0, 4
ERROR, DONE, NEW_ROUTE, BY_FAMILY = 2, 3, 24, 20
REQUEST, ACKNOWLEDGE, DUMP, CREATE = 0x1, 0x4, 0x300, 0x400
LOCAL_TABLE, BY_BOOT, OF_HOST, LOCAL = 255, 3, 254, 2
TO, OUT_OF = 1, 4
SHOW_NAME, SHOW_FILE = 0x1, 0x2
NAME, FILE = 0, 1
SET_FLAGS, UP = 0x8914, 0x49
LOOPBACK = 1
"""Every network namespace's first interface."""
BUFFER = 1 << 16


class Bound(NamedTuple):
    """A Unix socket: its own number, its name, and the file (device, number) that it is bound to, zeros for none."""

    number: int
    name: bytes
    file: tuple[int, int]


def raise_loopback() -> None:
    """Make 127.0.0.1 and ::1 work in this thread's network namespace."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        fcntl.ioctl(asked, SET_FLAGS, struct.pack("16sh14x", b"lo", UP))


def hold(host: bytes, bits: int) -> None:
    """Let every address of a network be this machine itself, in this thread's network namespace. OSError."""
    family = socket.AF_INET if len(host) == 4 else socket.AF_INET6
    scope = OF_HOST if family == INET else 0
    route = struct.pack("BBBBBBBBI", family, bits, 0, 0, LOCAL_TABLE, BY_BOOT, scope, LOCAL, 0)
    route += struct.pack("HH", 4 + len(host), TO) + host + struct.pack("HHI", 8, OUT_OF, LOOPBACK)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, ROUTE) as asked:
        asked.send(_message(NEW_ROUTE, REQUEST | ACKNOWLEDGE | CREATE, route))
        (code,) = struct.unpack_from("i", asked.recv(BUFFER), 16)
    if code:
        raise OSError(-code, os.strerror(-code))


def unix_sockets(asked: socket.socket) -> Iterator[Bound]:
    """The Unix sockets with a name in the namespace that `asked` belongs to. OSError where the kernel does not tell."""
    shown = SHOW_FILE | SHOW_NAME
    asked.send(_message(BY_FAMILY, REQUEST | DUMP, struct.pack("BBHIIIII", UNIX, 0, 0, 0xFFFFFFFF, 0, shown, 0, 0)))
    while True:
        for kind, body in _messages(asked.recv(BUFFER)):
            if kind == DONE:
                return
            if kind == ERROR:
                code = -struct.unpack_from("i", body)[0]
                raise OSError(code, os.strerror(code))
            yield _bound(body)


def _message(kind: int, flags: int, body: bytes) -> bytes:
    return struct.pack("IHHII", 16 + len(body), kind, flags, 1, 0) + body


def _messages(data: bytes) -> Iterator[tuple[int, bytes]]:
    while len(data) >= 16:
        length, kind = struct.unpack_from("IH", data)
        yield kind, data[16:length]
        data = data[(length + 3) & ~3 :]


def _bound(body: bytes) -> Bound:
    (number,) = struct.unpack_from("I", body, 4)
    name, file = b"", (0, 0)
    at = 16
    while at + 4 <= len(body):
        length, kind = struct.unpack_from("HH", body, at)
        if kind == NAME:
            name = body[at + 4 : at + length]
        elif kind == FILE:
            inode, device = struct.unpack_from("II", body, at + 4)
            file = os.makedev(device >> 20, device & 0xFFFFF), inode
        at += max(4, (length + 3) & ~3)
    return Bound(number, name, file)
