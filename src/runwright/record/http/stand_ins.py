"""Which places play a part in the test themselves."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

LOOPBACK = ("127.0.0.1", "localhost", "::1")
USUAL = {"http": 80, "https": 443, "ws": 80, "wss": 443}


def places(stand_ins: Iterable[str | int]) -> frozenset[str]:
    """`host:port` of each: of an origin, of `host:port` itself, of a port of this machine under each of its names."""
    found: set[str] = set()
    for each in stand_ins:
        host, port = ("127.0.0.1", each) if isinstance(each, int) else place_of(each)
        names = LOOPBACK if is_loopback(host) else (host,)
        found |= {f"{name}:{port}" for name in names}
    return frozenset(found)


def place_of(written: str) -> tuple[str, int]:
    """Host and port of an origin, a URL, or `host:port`; port 0 where none can be told."""
    try:
        parts = urlsplit(written if "://" in written else f"//{written}")
        return (parts.hostname or "").rstrip("."), parts.port or USUAL.get(parts.scheme, 0)
    except ValueError:
        return "", 0


def is_loopback(host: str) -> bool:
    """Whether a host is this machine by its own names."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback or address.is_unspecified
