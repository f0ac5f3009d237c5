"""The world that the command is to see, made by this process for itself and for all that it starts."""

from __future__ import annotations

import os
import socket
from typing import NamedTuple

from .. import namespaces
from ..orders import Orders
from .copies import is_small
from .layers import Layers, cover
from .mounts import Held, Protected, protect


class World(NamedTuple):
    """Paths that can only be read, those of them that are protected, and whether the rest is thrown away.

    `coarse` are the folders where that goes by a layer that renames no old folder and tears hard links.
    """

    held: Held
    protected: Protected
    layered: bool
    coarse: frozenset[bytes]


def world(orders: Orders) -> World | None:
    """Make it, in namespaces that this process enters; None where the command sees the machine as it is. OSError."""
    if not orders.protect and orders.layer is None:
        return None
    copied = orders.layer is not None and _may_be_copied(orders.layer)
    namespaces.enter()
    said, coarse = cover(orders.layer, copied=copied) if orders.layer is not None else Layers({}, frozenset())
    protected = protect(orders.folder, orders.protect)
    if orders.shown >= 0:
        _show(orders.shown)
    held = Held(said | dict.fromkeys(protected.paths, True))
    return World(held, protected, orders.layer is not None, coarse)


def _may_be_copied(workspace: str) -> bool:
    """Whether an ordinary user's workspace is such that a copy is the better layer."""
    try:
        return os.geteuid() != 0 and is_small(os.fsencode(os.path.realpath(workspace)))
    except OSError:  # one's own folder that may not be looked into
        return False


def _show(to: int) -> None:
    """Hand over what it takes to look at the world from outside: its root, and its namespace to keep it mounted."""
    root = os.open("/", os.O_PATH | os.O_DIRECTORY)
    kept = os.open("/proc/self/ns/mnt", os.O_RDONLY)
    with socket.socket(fileno=to) as told:
        socket.send_fds(told, [b"0"], [root, kept])
    os.close(root)
    os.close(kept)
