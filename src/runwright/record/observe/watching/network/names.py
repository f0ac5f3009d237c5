"""The name server of the command's network: it knows the names that are allowed, and says that no other exists."""

from __future__ import annotations

import contextlib
import errno
import socket
import struct
from collections.abc import Callable

from ..loop import IN, Loop
from . import dns
from .endpoints import Endpoint, of_text
from .inner import Inner
from .reach import Reach

PORT = 53
HERE_AND_ANY = ("127.0.0.1", 0)
HERE = (bytes((127, 0, 0, 1)), bytes(15) + b"\1")
MOST = 4096
REVERSED = (".in-addr.arpa", ".ip6.arpa")


class Names:
    """What names stand for; `tell` is told each name that is asked about and not allowed."""

    def __init__(self, reach: Reach, tell: Callable[[str], None]) -> None:
        self._named = reach.named()
        self._own = {"localhost", *reach.own}
        self._search = tuple(f".{each}" for each in reach.search)
        self._tell = tell

    def answer(self, message: bytes) -> bytes | None:
        """The answer to a query; None where it is none that can be answered."""
        asked = dns.question(message)
        if asked is None:
            return None
        return dns.answer(message, asked, self._addresses(asked.name))

    def _addresses(self, name: str) -> list[bytes] | None:
        if name in self._named:
            return self._named[name]
        if name in self._own or name.endswith(".localhost"):
            return list(HERE)
        short = next((name.removesuffix(each) for each in self._search if name.endswith(each)), name)
        if short not in self._named and short not in self._own and name and not name.endswith(REVERSED):
            self._tell(short)
        return None


def serve(loop: Loop, inner: Inner, names: Names, hosts: list[bytes]) -> None:
    """Answer at each of the addresses, by datagram and by connection."""
    for host in hosts:
        with contextlib.suppress(OSError):  # without IPv6, there is none to be asked at
            _serve(loop, inner, names, Endpoint(host, PORT))


def serve_here(loop: Loop, names: Names) -> Endpoint:
    """Answer by connection alone, in the machine's own network; where."""
    made = socket.create_server(HERE_AND_ANY)
    _accept(loop, names, made)
    return of_text(*made.getsockname())


def _serve(loop: Loop, inner: Inner, names: Names, endpoint: Endpoint) -> None:
    datagrams, stream = inner.make(
        lambda: (inner.bound(endpoint, socket.SOCK_DGRAM), inner.bound(endpoint, socket.SOCK_STREAM))
    )

    def asked(_: int) -> None:
        with contextlib.suppress(OSError):
            message, sender = datagrams.recvfrom(MOST)
            answer = names.answer(message)
            if answer is not None:
                datagrams.sendto(answer, sender)

    loop.watch(datagrams.fileno(), IN, asked)
    _accept(loop, names, stream)


def _accept(loop: Loop, names: Names, stream: socket.socket) -> None:
    def came(_: int) -> None:
        with contextlib.suppress(OSError):
            connection, _ = stream.accept()
            connection.setblocking(False)
            Asking(loop, names, connection)

    loop.watch(stream.fileno(), IN, came)


class Asking:
    """A connection that questions come on, each after its length."""

    def __init__(self, loop: Loop, names: Names, connection: socket.socket) -> None:
        self._loop = loop
        self._names = names
        self._connection = connection
        self._held = b""
        loop.watch(connection.fileno(), IN, self._step)

    def _step(self, _: int) -> None:
        try:
            data = self._connection.recv(MOST)
            self._held += data
            while len(self._held) >= 2 and len(self._held) >= 2 + (size := struct.unpack_from(">H", self._held)[0]):
                answer = self._names.answer(self._held[2 : 2 + size])
                self._held = self._held[2 + size :]
                if answer is None:
                    raise OSError(errno.EPROTO, "no question")
                self._connection.send(struct.pack(">H", len(answer)) + answer)
        except OSError:
            data = b""
        if not data:
            self._loop.forget(self._connection.fileno())
            self._connection.close()
