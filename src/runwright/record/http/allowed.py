"""Whether an agent may reach a destination: standard library only, since the proxy reads it too."""

from __future__ import annotations

import socket
from ipaddress import ip_address, ip_network


def allowed(host: str, port: int, egress: list[str] | None, local: list[int]) -> str | None:
    """The host or address to connect to, None where it may not be reached; `egress` of None allows all.

    A name is allowed by itself, or where all its addresses are; then only the first of those is to be connected to,
    since it may mean another one the next time. This machine is reached at the ports of `local` alone.
    """
    host = host.rstrip(".").lower()
    if _is_local(host):
        return host if egress is None or port in local else None
    if egress is None or any(_names(entry, host, port) for entry in egress):
        return host
    addresses = [host] if _is_address(host) else _addresses(host)
    if addresses and all(
        not _is_local(each) and any(_holds(entry, each, port) for entry in egress) for each in addresses
    ):
        return addresses[0]
    return None


def _names(entry: str, host: str, port: int) -> bool:
    name, its_port = _parts(entry)
    return name.rstrip(".").lower() == host and its_port in (None, port)


def _holds(entry: str, address: str, port: int) -> bool:
    name, its_port = _parts(entry)
    try:
        return its_port in (None, port) and ip_address(address) in ip_network(name, strict=False)
    except ValueError:
        return False


def _parts(entry: str) -> tuple[str, int | None]:
    """Host and port of an entry: api.example.com:443, 203.0.113.7, 10.0.0.0/8, [2001:db8::1]:443, 2001:db8::/32."""
    if entry.startswith("["):
        name, _, port = entry[1:].partition("]")
        return name, int(port[1:]) if port[1:].isdigit() else None
    if entry.count(":") > 1:
        return entry, None
    name, colon, port = entry.partition(":")
    return name, int(port) if colon and port.isdigit() else None


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
    try:
        address = ip_address(host)
    except ValueError:
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return address.is_loopback or address.is_unspecified
