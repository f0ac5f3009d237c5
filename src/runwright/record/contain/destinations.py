"""Destinations as flows write them, as networks and names: `flow.egress` says which forms there are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import NamedTuple

Network = IPv4Network | IPv6Network
ANY_PORT = 0
_BRACKETED = re.compile(r"\[([^\]]*)\](?::(\d+))?")
_WITH_PORT = re.compile(r"([^:]+):(\d+)")
MAPPED = ip_network("::ffff:0:0/96")


class Destination(NamedTuple):
    """A host by name, or a network; and a port, 0 for any."""

    host: str
    network: Network | None
    port: int


def destination(entry: str) -> Destination:
    """What an entry stands for. An IPv6 network of mapped addresses is the IPv4 one."""
    found = _BRACKETED.fullmatch(entry) or _WITH_PORT.fullmatch(entry)
    host, port = (found[1], int(found[2] or ANY_PORT)) if found else (entry, ANY_PORT)
    try:
        network = ip_network(host, strict=False)
    except ValueError:
        return Destination(normal(host), None, port)
    return Destination("", _unmapped(network), port)


def normal(host: str) -> str:
    """A host's name in the form that names are compared in."""
    return host.rstrip(".").lower()


def _unmapped(network: Network) -> Network:
    if isinstance(network, IPv6Network) and network.prefixlen >= MAPPED.prefixlen and network.subnet_of(MAPPED):  # type: ignore[arg-type]
        inner = int(network.network_address) & 0xFFFFFFFF
        return IPv4Network((inner, network.prefixlen - MAPPED.prefixlen))
    return network


def openings(
    destinations: Iterable[Destination], pinned: Mapping[str, tuple[str, ...]]
) -> tuple[tuple[str, int, int, str], ...]:
    """Networks as (address, bits, port, name), where names stand for the addresses that they are pinned to."""
    found: list[tuple[str, int, int, str]] = []
    for each in destinations:
        if each.network is not None:
            found.append((str(each.network.network_address), each.network.prefixlen, each.port, ""))
        else:
            for address in pinned.get(each.host, ()):
                network = _unmapped(ip_network(address))
                found.append((str(network.network_address), network.prefixlen, each.port, each.host))
    return tuple(dict.fromkeys(found))
