"""The best way of holding a command's network that this machine allows."""

from __future__ import annotations

import os
import socket
from typing import NamedTuple

from . import namespaces
from .network import landlock
from .network.inner import Inner
from .network.reach import APART, OBSERVED, SHARED, Reach


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
            return ("seccomp", "landlock") if landlock.version() else ("seccomp",)
        return ()


def network_of(reach: Reach | None, *, entered: bool, sockets: str) -> tuple[Surroundings, str]:
    """What holds the network, and why nothing can. `entered`: this process has namespaces of its own already.

    `sockets` is why those of a command cannot be taken hold of; where they were only to be observed, nothing is.
    """
    if reach is None:
        return Surroundings(), ""
    if reach.how == OBSERVED:
        return Surroundings("" if sockets else OBSERVED), ""
    if reason := sockets or _open_already():
        return Surroundings(), reason
    if reach.how == SHARED:
        return Surroundings(SHARED), ""
    try:
        return Surroundings(APART, _made(reach, entered=entered)), ""
    except OSError as error:
        why = f"no network of its own can be made: {(error.strerror or str(error)).lower()}"
        return (Surroundings(), why) if reach.how == APART else (Surroundings(SHARED, why=why), "")


def _open_already() -> str:
    """Why what the command is handed leads out already; empty where it does not."""
    for number, name in enumerate(("input", "output", "error")):
        try:
            with socket.socket(fileno=os.dup(number)) as given:
                if given.family in (socket.AF_INET, socket.AF_INET6):
                    return f"the standard {name} is a connection"
        except OSError:  # it is no socket
            continue
    return ""


def _made(reach: Reach, *, entered: bool) -> Inner:
    if not entered:
        if os.geteuid() and (reason := namespaces.cannot_enter(lambda: Inner(()))):
            raise OSError(0, reason)
        try:
            namespaces.enter()
        except OSError as error:
            raise OSError(error.errno, f"namespaces cannot be entered: {error.strerror}") from error
    return Inner(reach.networks())
