"""The network of the command: a namespace without any way out, in which this process can make sockets too.

A thread of this process makes it, and a thread enters it for each socket that is to be there: threads have networks of
their own, and a socket stays in the one that it was made in.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterable
from typing import TypeVar

from .. import namespaces
from . import netlink
from .endpoints import INET6, Endpoint

T = TypeVar("T")
FREE_BIND = 15
"""IP_FREEBIND: addresses that are held by a route are bound to like any other."""
WAITING = 1024


class Inner:
    """A network namespace; `descriptor` is what it takes to enter it."""

    def __init__(self, networks: Iterable[tuple[bytes, int]]) -> None:
        """Make it. Every address of the networks is this machine itself in it. OSError."""
        self.descriptor, self.asked = _threaded(lambda: _made(networks))

    def stream(self, endpoint: Endpoint) -> socket.socket:
        """A socket in it that connections to the endpoint come to. OSError, where one of the command's is there."""
        return self.make(lambda: self.bound(endpoint, socket.SOCK_STREAM))

    def datagrams(self, endpoint: Endpoint) -> socket.socket:
        """A socket in it that datagrams to the endpoint come to."""
        return self.make(lambda: self.bound(endpoint, socket.SOCK_DGRAM))

    def make(self, what: Callable[[], T]) -> T:
        """Do something in it."""

        def within() -> T:
            namespaces.enter_network(self.descriptor)
            return what()

        return _threaded(within)

    @staticmethod
    def bound(endpoint: Endpoint, kind: int) -> socket.socket:
        """A socket at the endpoint, made in this thread's network. OSError."""
        made = socket.socket(endpoint.family, kind)
        try:
            if kind == socket.SOCK_STREAM:
                made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.setsockopt(socket.IPPROTO_IP, FREE_BIND, 1)
            if endpoint.family == INET6:
                made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            made.bind((endpoint.text, endpoint.port))
            made.setblocking(False)
            if kind == socket.SOCK_STREAM:
                made.listen(WAITING)
        except OSError:
            made.close()
            raise
        return made


def _made(networks: Iterable[tuple[bytes, int]]) -> tuple[int, socket.socket]:
    namespaces.new_network()
    netlink.raise_loopback()
    for host, bits in networks:
        try:
            netlink.hold(host, bits)
        except OSError:
            if len(host) == 4:
                raise
            continue  # a kernel without IPv6
    asked = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, netlink.DIAGNOSIS)
    return os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC), asked


def _threaded(what: Callable[[], T]) -> T:
    done: list[T] = []
    failed: list[OSError] = []

    def run() -> None:
        try:
            done.append(what())
        except OSError as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return done[0]
