"""The best way of holding a command's network that this machine allows."""

from __future__ import annotations

import os
from typing import NamedTuple

from . import landlock, namespaces
from .inner import Inner
from .reach import APART, OBSERVED, SHARED, Reach


class Surroundings(NamedTuple):
    """How the network is looked at, empty for not at all; its own network; why it has none, where it was to."""

    how: str = ""
    inner: Inner | None = None
    why: str = ""

    @property
    def by(self) -> tuple[str, ...]:
        """What holds it."""
        if self.how == APART:
            return "network namespace", "seccomp"
        if self.how == SHARED:
            return ("seccomp", "landlock") if landlock.available() else ("seccomp",)
        return ()


def network_of(reach: Reach | None, *, entered: bool) -> tuple[Surroundings, str]:
    """What holds the network, and why nothing can. `entered`: this process has namespaces of its own already."""
    if reach is None:
        return Surroundings(), ""
    if reach.how in (OBSERVED, SHARED):
        return Surroundings(reach.how), ""
    try:
        return Surroundings(APART, _made(reach, entered=entered)), ""
    except OSError as error:
        why = f"no network of its own can be made: {(error.strerror or str(error)).lower()}"
        return (Surroundings(), why) if reach.how == APART else (Surroundings(SHARED, why=why), "")


def _made(reach: Reach, *, entered: bool) -> Inner:
    if not entered:
        if os.geteuid() and (reason := namespaces.cannot_enter(lambda: Inner(()))):
            raise OSError(0, reason)
        namespaces.enter()
    return Inner(reach.networks())
