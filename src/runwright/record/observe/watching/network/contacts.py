"""What the command reached out to, each destination told once and counted."""

from __future__ import annotations

import time
from typing import NamedTuple

from ..journal import Journal

ALLOWED, BLOCKED, LOCAL = "allowed", "blocked", "local"
MOST = 10_000
TOO_MANY = f"more than {MOST} destinations: those after that are not told"


class Contact(NamedTuple):
    """A destination: tcp, udp, dns (a name alone), unix, or another kind of socket; and what became of it."""

    protocol: str
    verdict: str
    address: str = ""
    port: int = 0
    name: str = ""


class Contacts:
    """The destinations of one run, written down when each is first met; how often is written at the end."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._met: dict[Contact, int] = {}

    def tell(self, contact: Contact) -> None:
        """Note one more time."""
        if contact in self._met:
            self._met[contact] += 1
        elif len(self._met) < MOST:
            self._met[contact] = 1
            self._journal.add("contact", time.monotonic(), *contact)
        elif len(self._met) == MOST:
            self._met[Contact("", BLOCKED)] = 1
            self._journal.add("fault", TOO_MANY, b"")

    def finish(self) -> None:
        """Write how often each was met that was met more than once."""
        for contact, times in self._met.items():
            if times > 1:
                self._journal.add("again", times, *contact)
