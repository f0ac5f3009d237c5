"""Destinations of `allow_egress`: host, ip or network, each with or without a port."""

from __future__ import annotations

import re
from ipaddress import ip_network

_HOST = re.compile(
    r"(?=.{1,253}\.?$)[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?(?:\.[A-Za-z0-9_-]{1,63})*\.?", re.ASCII
)
_BRACKETED = re.compile(r"\[([^\]]*)\](?::(.*))?")
_WITH_PORT = re.compile(r"([^:]+):(\d+)")
FORMS = "api.example.com:443, 203.0.113.7:443, 10.0.0.0/8, [2001:db8::1]:443; without a port, any port"


def is_destination(entry: str) -> bool:
    """Whether the entry names a destination."""
    bracketed = _BRACKETED.fullmatch(entry)
    if bracketed:
        return ":" in bracketed[1] and _is_network(bracketed[1]) and (bracketed[2] is None or _is_port(bracketed[2]))
    if _is_network(entry):
        return True
    host, colon, port = entry.rpartition(":")
    return _is_host(host) and _is_port(port) if colon else _is_host(entry)


def port_here(entry: str) -> int | None:
    """The port of a destination that is this machine by one of its own names, 0 for any; None for one off it."""
    found = _BRACKETED.fullmatch(entry) or _WITH_PORT.fullmatch(entry)
    host, port = (found[1], int(found[2] or 0)) if found else (entry, 0)
    host = host.rstrip(".").lower()
    return port if host == "localhost" or host.endswith(".localhost") or _is_loopback(host) else None


def _is_loopback(host: str) -> bool:
    if not _is_network(host):
        return False
    network = ip_network(host, strict=False)
    ends = (getattr(each, "ipv4_mapped", None) or each for each in (network[0], network[-1]))
    return all(each.is_loopback for each in ends)


def _is_host(text: str) -> bool:
    if set(text) <= set("0123456789./"):
        return ":" not in text and _is_network(text)
    return (":" not in text and _is_network(text)) or _HOST.fullmatch(text) is not None


def _is_network(text: str) -> bool:
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and 0 < int(text[:6]) < 65536
