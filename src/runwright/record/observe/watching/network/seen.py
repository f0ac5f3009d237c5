"""The network of a command that does as it likes: where it connects and sends to, and which names it asks about."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable

from .. import kernel
from ..journal import Journal
from ..loop import Loop
from . import dns
from .bpf import CONNECT, FAST_OPEN, FLAGS, RECEIVE_FROM, SENDMMSG, SENDMSG, SENDTO
from .contacts import ALLOWED, LOCAL, Contact, Contacts
from .endpoints import LONGEST, Endpoint, endpoint, normal
from .messages import messages
from .names import PORT

LONG = 4096
A_WHILE = 0.1
"""Seconds after which a datagram socket is taken to be meant for more than finding out which way would be gone."""


class NetworkSeen:
    """Tells of calls; whoever asks lets them go on. What another thread exchanges meanwhile is not seen."""

    def __init__(self, journal: Journal) -> None:
        self.loop = Loop()
        self._contacts = Contacts(journal)
        self._named: dict[bytes, str] = {}

    def takes(self, number: int) -> bool:
        """Whether a call is told of."""
        return number in (CONNECT, SENDTO, SENDMSG, SENDMMSG, RECEIVE_FROM)

    def note(self, notice: kernel.Notice) -> None:
        """Tell of it."""
        with contextlib.suppress(OSError):  # what cannot be read keeps the call itself from doing anything
            if notice.number == CONNECT:
                self._connect(notice)
            elif notice.number == RECEIVE_FROM:
                self._receive(notice)
            else:
                self._send(notice)

    def finish(self) -> None:
        """Write down what is known by the end alone."""
        self.loop.turn()
        self._contacts.finish()

    def _connect(self, notice: kernel.Notice) -> None:
        size = min(notice.arguments[2] & 0xFFFFFFFF, LONGEST)
        there = endpoint(kernel.memory(notice.thread, notice.arguments[1], size)) if size else None
        if there is None:
            return
        if _kind(notice) == socket.SOCK_STREAM:
            self._tell("tcp", there)
        elif there.port == PORT:
            self._tell("udp", there)
        else:
            self.loop.later(A_WHILE, self._still(notice, there))

    def _still(self, notice: kernel.Notice, there: Endpoint) -> Callable[[], None]:
        """Looking up a name connects datagram sockets too, to learn which address it would be; they go at once."""

        def look() -> None:
            with contextlib.suppress(OSError):
                with _taken(notice) as taken:
                    host, port = taken.getpeername()[:2]
                if (host, port) == (there.text, there.port):
                    self._tell("udp", there)

        return look

    def _send(self, notice: kernel.Notice) -> None:
        for message in messages(notice):
            there = endpoint(message.address)
            if there is None and message.address:
                continue
            asked = dns.question(message.data)
            if asked is not None and asked.name and (there or _peer(notice)).port == PORT:
                self._contacts.tell(Contact("dns", ALLOWED, name=asked.name))
            if there is not None:
                self._tell("tcp" if notice.arguments[FLAGS[notice.number]] & FAST_OPEN else "udp", there)

    def _receive(self, notice: kernel.Notice) -> None:
        """What a name server answers, looked at before it is received; without waiting for more."""
        with _taken(notice) as taken:
            if taken.type != socket.SOCK_DGRAM or taken.family not in (socket.AF_INET, socket.AF_INET6):
                return
            data, sender = taken.recvfrom(LONG, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        found = dns.told(data) if sender[1] == PORT else None
        if found is not None:
            name, addresses = found
            self._named.update((normal(each, 0).host, name) for each in addresses)

    def _tell(self, protocol: str, there: Endpoint) -> None:
        verdict = LOCAL if there.loopback else ALLOWED
        self._contacts.tell(Contact(protocol, verdict, there.text, there.port, self._named.get(there.host, "")))


def _taken(notice: kernel.Notice) -> socket.socket:
    return socket.socket(fileno=kernel.taken(notice.thread, notice.arguments[0] & 0xFFFFFFFF))


def _kind(notice: kernel.Notice) -> int:
    with _taken(notice) as taken:
        return taken.type


def _peer(notice: kernel.Notice) -> Endpoint:
    with _taken(notice) as taken:
        return Endpoint(b"", taken.getpeername()[1] if taken.family in (socket.AF_INET, socket.AF_INET6) else 0)
