"""Whether an agent may reach a destination: standard library only, since the proxy reads it too."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

Entry = tuple[str, str | None, int]
"""A destination: a host's name, or a network as text; and a port, 0 for any."""


def allowed(host: str, port: int, egress: list[Entry] | None, local: list[int]) -> str | None:
    """The host or address to connect to, None where it may not be reached; `egress` of None allows all.

    A name is allowed by itself, or where all its addresses are; then only the first of those is to be connected to,
    since it may mean another one the next time. This machine is reached at the ports of `local` alone, and by no name
    that somebody else lets stand for it.
    """
    host = host.rstrip(".").lower()
    if _is_local(host):
        return host if egress is None or port in local else None
    if egress is None:
        return host
    addresses = [host] if _is_address(host) else _addresses(host)
    if any(map(_is_local, addresses)):
        return None
    if any(_names(entry, host, port) for entry in egress):
        return addresses[0] if addresses else host
    if addresses and all(any(_holds(entry, each, port) for entry in egress) for each in addresses):
        return addresses[0]
    return None


def _names(entry: Entry, host: str, port: int) -> bool:
    name, network, its_port = entry
    return network is None and name == host and its_port in (0, port)


def _holds(entry: Entry, address: str, port: int) -> bool:
    _, network, its_port = entry
    return network is not None and its_port in (0, port) and _plain(address) in ip_network(network)


def _plain(address: str) -> IPv4Address | IPv6Address:
    """The address; of an IPv6 one that stands for an IPv4 address, that one."""
    found = ip_address(address)
    return getattr(found, "ipv4_mapped", None) or found


def _addresses(host: str) -> list[str]:
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return []
    return list(dict.fromkeys(str(each[4][0]).partition("%")[0] for each in found))


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _is_local(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    if not _is_address(host):
        return False
    address = _plain(host)
    return address.is_loopback or address.is_unspecified
