"""Becoming an ordinary user between fork and exec, with an interpreter in root's home still to be reached."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from runwright.record.observe.watching import namespaces

USER = 65534
BIND = 0x1000


def become_nobody(user: int = USER) -> None:
    """From here on be a user without any right; one who is no root is one already."""
    if os.getuid():
        return
    hidden = {at: real for real in _needed() if (at := _closed_above(real))}
    if hidden:
        namespaces.checked(ctypes.CDLL(None, use_errno=True).unshare(namespaces.NEW_MOUNTS))
        namespaces.mount(None, b"/", None, namespaces.RECURSIVE | namespaces.PRIVATE)
    for at, real in hidden.items():
        opened = os.open(real, os.O_PATH)
        namespaces.mount(b"none", os.fsencode(at), b"tmpfs", 0, b"mode=755")
        real.mkdir(parents=True)
        namespaces.mount(b"/proc/self/fd/%d" % opened, os.fsencode(real), None, BIND)
        os.close(opened)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    os.environ["HOME"] = tempfile.gettempdir()


@contextlib.contextmanager
def shared_folder() -> Iterator[Path]:
    """A folder of that user's, where pytest's own are root's alone."""
    with tempfile.TemporaryDirectory(prefix="runwright-test-") as folder:
        if not os.getuid():
            os.chown(folder, USER, USER)
        yield Path(folder).resolve()


def _needed() -> list[Path]:
    return sorted({Path(each).resolve() for each in (sys.prefix, sys.base_prefix)})


def _closed_above(path: Path) -> Path | None:
    """The first folder on the way there that others may not pass."""
    return next((each for each in reversed(path.parents) if not each.stat().st_mode & 1), None)
