"""Which connections the requests explain that were seen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from ipaddress import ip_address
from typing import Literal, NamedTuple

from runwright.record.http.connection import Connection
from runwright.record.http.model import Exchange
from runwright.record.http.stand_ins import is_loopback, place_of

LOOPBACK = "loopback"
SLACK = 0.1
"""Seconds by which a connection may be told to be earlier than the request that it is made for."""


class _Span(NamedTuple):
    """When a request can have been the reason for a connection; `by` is one for all requests on one connection."""

    start: float
    until: float
    by: tuple[str, int]


class Explained:
    """What the requests of one run explain, by the places that they went to and when."""

    def __init__(
        self, exchanges: Iterable[Exchange], names: Mapping[str, frozenset[str]], given: frozenset[str],
        servers: frozenset[str],
    ) -> None:  # fmt: skip
        self._given = given
        self._names = names
        self._servers = frozenset(map(_plain, servers))
        self._made: defaultdict[tuple[str, int], list[_Span]] = defaultdict(list)
        for number, each in enumerate(exchanges):
            until = float("inf") if each.until is None else each.until
            for end in () if each.raw or each.via == "proxy" else self._ends(each):
                self._made[end].append(_Span(each.since - SLACK, until, each.ours or ("", number)))

    def _ends(self, exchange: Exchange) -> set[tuple[str, int]]:
        """Where a request may have gone: its host, addresses told for it, the one it is known to have had."""
        host, port = place_of(exchange.url)
        ends = {(_plain(each), port) for each in (host, *self._names.get(host, ()))}
        if exchange.via == "hooks" and exchange.theirs is not None:
            ends.add((_plain(exchange.theirs[0]), exchange.theirs[1]))
        return ends

    def reached(self, exchange: Exchange, made: Iterable[Connection]) -> bool:
        """Whether there was a connection that a request can have gone through, before it was given up."""
        ends = self._ends(exchange)
        until = float("inf") if exchange.until is None else exchange.until
        return any(each.t <= until + SLACK and any((host, each.port) in ends for host in _hosts(each)) for each in made)

    def rule(self, connection: Connection) -> Literal["stand-in", "name lookup"] | None:
        """Why a connection is no effect, however often it was made."""
        hosts = _hosts(connection)
        if any(f"{'127.0.0.1' if host == LOOPBACK else host}:{connection.port}" in self._given for host in hosts):
            return "stand-in"
        asked = connection.protocol == "dns" or (connection.port == 53 and hosts & self._servers)
        return "name lookup" if asked else None

    def times(self, connection: Connection) -> int:
        """How often it may have been made for requests: none explains a datagram, nor what was there before it."""
        if connection.protocol != "tcp":
            return 0
        spans = [each for host in _hosts(connection) for each in self._made.get((host, connection.port), ())]
        if not any(each.start <= connection.t <= each.until for each in spans):
            return 0
        return min(connection.times, len({each.by for each in spans}))


def _hosts(connection: Connection) -> set[str]:
    return {_plain(each) for each in (connection.name, connection.address) if each}


def _plain(host: str) -> str:
    """One spelling for a host: an address as it is written shortest, this machine by one name."""
    host = host.rstrip(".").lower().partition("%")[0]
    if is_loopback(host):
        return LOOPBACK
    try:
        address = ip_address(host)
    except ValueError:
        return host
    return str(getattr(address, "ipv4_mapped", None) or address)
