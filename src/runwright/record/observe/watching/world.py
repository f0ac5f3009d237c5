"""The world that the command is to see, made by this process for itself and for all that it starts."""

from __future__ import annotations

import os
import socket
from typing import NamedTuple

from . import namespaces
from .layers import cover
from .mounts import Held, Protected, protect
from .orders import Orders


class World(NamedTuple):
    """Paths that can only be read, those of them that are protected, and whether the rest is thrown away."""

    held: Held
    protected: tuple[Protected, ...]
    layered: bool


def world(orders: Orders) -> World | None:
    """Make it, in namespaces that this process enters; None where the command sees the machine as it is. OSError."""
    if not orders.protect and orders.layer is None:
        return None
    namespaces.enter()
    said = cover(orders.layer) if orders.layer is not None else {}
    protected = protect(orders.folder, orders.protect)
    os.chdir(orders.folder)
    if orders.shown >= 0:
        _show(orders.shown)
    return World(Held(said | {each.path: True for each in protected}), protected, orders.layer is not None)


def _show(to: int) -> None:
    """Hand over what it takes to look at the world from outside: its root, and its namespace to keep it mounted."""
    root = os.open("/", os.O_PATH | os.O_DIRECTORY)
    kept = os.open("/proc/self/ns/mnt", os.O_RDONLY)
    with socket.socket(fileno=to) as told:
        socket.send_fds(told, [b"0"], [root, kept])
    os.close(root)
    os.close(kept)
