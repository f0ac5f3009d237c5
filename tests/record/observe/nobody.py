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
from tests.samples import ROOT

USER = 65534
BIND = 0x1000


def become_nobody(user: int = USER) -> None:
    """From here on be a user without any right; one who is no root is one already.

    The interpreter and this checkout are to be reached, also where they lie in a folder that is root's alone.
    """
    if os.getuid():
        return
    hidden = _hidden()
    if hidden:
        namespaces.checked(ctypes.CDLL(None, use_errno=True).unshare(namespaces.NEW_MOUNTS))
        namespaces.mount(None, b"/", None, namespaces.RECURSIVE | namespaces.PRIVATE)
    opened = {real: os.open(real, os.O_PATH) for reals in hidden.values() for real in reals}
    for at in hidden:
        namespaces.mount(b"none", os.fsencode(at), b"tmpfs", 0, b"mode=755")
    for real, descriptor in opened.items():
        real.mkdir(parents=True, exist_ok=True)
        namespaces.mount(b"/proc/self/fd/%d" % descriptor, os.fsencode(real), None, BIND)
        os.close(descriptor)
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


def mounts_below(folder: Path) -> bool:
    """Whether becoming that user mounts something below the folder, of which a user's layer can then be none."""
    return not os.getuid() and any(folder in at.parents for at in _hidden())


def _hidden() -> dict[Path, list[Path]]:
    """What is needed and cannot be reached by others, by the first folder on the way there that they may not pass."""
    found: dict[Path, list[Path]] = {}
    needed = sorted({Path(each).resolve() for each in (sys.prefix, sys.base_prefix, ROOT)})
    for real in needed:
        at = next((each for each in reversed(real.parents) if not each.stat().st_mode & 1), None)
        if at is not None and not any(each in real.parents for each in needed):
            found.setdefault(at, []).append(real)
    return found
