"""Addresses as processes write them, and which of them are allowed."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterable
from typing import NamedTuple

UNSPECIFIED, UNIX, INET, INET6 = 0, 1, 2, 10
MAPPED = bytes(10) + b"\xff\xff"
LONGEST = 128
"""Bytes of the longest address."""


class Endpoint(NamedTuple):
    """A host and a port. An IPv4 address that is written as an IPv6 one is its IPv4 address."""

    host: bytes
    port: int

    @property
    def family(self) -> int:
        """AF_INET or AF_INET6."""
        return INET if len(self.host) == 4 else INET6

    @property
    def text(self) -> str:
        """The host as it is written."""
        return socket.inet_ntop(self.family, self.host)

    @property
    def loopback(self) -> bool:
        """Whether it is this machine, as seen from where it is meant; no address at all means that too."""
        if len(self.host) == 4:
            return self.host[0] == 127 or self.host == bytes(4)
        return int.from_bytes(self.host) <= 1

    def given(self) -> Endpoint:
        """The same with the loopback's address where there is none."""
        if int.from_bytes(self.host):
            return self
        return Endpoint(bytes((127, 0, 0, 1)) if len(self.host) == 4 else bytes(15) + b"\1", self.port)


class Opening(NamedTuple):
    """What may be reached: a network as its first address and bits, a port (0 for any), and the name it has."""

    host: bytes
    bits: int
    port: int
    name: str = ""

    def has(self, endpoint: Endpoint) -> bool:
        """Whether an endpoint is in it. This machine is in none, whatever network or name it is a part of."""
        if endpoint.loopback or len(self.host) != len(endpoint.host) or self.port not in (0, endpoint.port):
            return False
        beyond = 8 * len(self.host) - self.bits
        return int.from_bytes(self.host) >> beyond == int.from_bytes(endpoint.host) >> beyond


def opened(endpoint: Endpoint, openings: Iterable[Opening]) -> bool:
    """Whether one of the openings has it."""
    return any(each.has(endpoint) for each in openings)


def endpoint(address: bytes) -> Endpoint | None:
    """The endpoint of a `sockaddr`; None where it is none of the internet."""
    if len(address) < 8:
        return None
    (family,) = struct.unpack_from("H", address)
    if family == INET:
        return Endpoint(address[4:8], int.from_bytes(address[2:4]))
    if family != INET6 or len(address) < 24:
        return None
    return normal(address[8:24], int.from_bytes(address[2:4]))


def written(there: Endpoint, family: int) -> bytes:
    """An endpoint as a `sockaddr` of a family."""
    port = there.port.to_bytes(2)
    if family == INET:
        return struct.pack("H", INET) + port + there.host + bytes(8)
    host = there.host if len(there.host) == 16 else MAPPED + there.host
    return struct.pack("H", INET6) + port + bytes(4) + host + bytes(4)


def normal(host: bytes, port: int) -> Endpoint:
    """The endpoint of an address of 4 or 16 bytes."""
    return Endpoint(host[12:] if len(host) == 16 and host[:12] == MAPPED else host, port)


def of_text(host: str, port: int) -> Endpoint:
    """The endpoint of an address as it is written. OSError where it is none."""
    return normal(socket.inet_pton(INET6 if ":" in host else INET, host), port)
