"""What names stand for, asked once before a run, and this machine's own names and name servers."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

PATIENCE = 5.0
"""Seconds that are waited for all answers together."""
CONFIGURATION = Path("/etc/resolv.conf")


class Servers(NamedTuple):
    """The name servers that programs ask here, and the domains that they ask in."""

    addresses: tuple[str, ...] = ()
    search: tuple[str, ...] = ()


def pinned(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The addresses of each name; none of one that nobody knows, or that nobody answered about in time."""
    found: dict[str, tuple[str, ...]] = {}

    def ask(name: str) -> None:
        try:
            told = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            return
        found[name] = tuple(dict.fromkeys(str(each[4][0]).partition("%")[0] for each in told))

    threads = [threading.Thread(target=ask, args=(name,), daemon=True) for name in dict.fromkeys(names)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    return dict(found)


def servers(text: str | None = None) -> Servers:
    """Those of this machine, or of a text such as it has."""
    if text is None:
        try:
            text = CONFIGURATION.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return Servers()
    addresses: list[str] = []
    search: list[str] = []
    for line in text.splitlines():
        match line.split():
            case ["nameserver", address, *_] if _is_address(address):
                addresses.append(address)
            case ["search" | "domain", *domains]:
                search = [each.rstrip(".").lower() for each in domains]
    return Servers(tuple(addresses), tuple(each for each in search if each))


def own_names() -> tuple[str, ...]:
    """What this machine is called."""
    name = socket.gethostname().lower()
    return tuple(dict.fromkeys(each for each in (name, name.partition(".")[0]) if each))


def _is_address(text: str) -> bool:
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.inet_pton(family, text)
        except OSError:
            continue
        return True
    return False
