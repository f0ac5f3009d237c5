"""Calls that the kernel refuses because what they would change can only be read."""

from __future__ import annotations

import os
import stat

from ..world.world import World
from .syscalls import Call

MAKING = ("mkdir", "mknod", "symlink", "link", "bind")
"""Calls that fail with EEXIST before anything else where the name is taken."""
OPENING = ("open", "openat", "openat2", "creat")
CHANGES = os.O_WRONLY | os.O_RDWR | os.O_TRUNC


def refused(world: World, call: Call, paths: list[bytes], flags: int, *, nameless: bool = False) -> bytes | None:
    """The held path that a call would change; None where it changes none, or fails for another reason.

    The last path is what comes into being where there are two; `nameless` files are made in a folder, the only path.
    """
    for path in paths:
        if world.held.of(path) and (nameless or _would_change(call.name, path, flags)):
            return path
        if path in world.protected.pinned and call.name.startswith(("rename", "rmdir", "unlinkat")):
            return path
    return None


def _would_change(name: str, path: bytes, flags: int) -> bool:
    found = _looked(path)
    if name in OPENING:
        if name == "creat":
            flags = os.O_CREAT | os.O_WRONLY | os.O_TRUNC
        if found is None:
            return bool(flags & os.O_CREAT) and _looked(os.path.dirname(path)) is not None
        return bool(flags & CHANGES) and stat.S_ISREG(found.st_mode)
    if name == "ftruncate":  # a file that is open for writing was opened elsewhere
        return False
    if name.startswith(MAKING):
        return found is None and _looked(os.path.dirname(path)) is not None
    if name.startswith("rename"):
        return _looked(os.path.dirname(path)) is not None
    return found is not None


def _looked(path: bytes) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except OSError:
        return None
