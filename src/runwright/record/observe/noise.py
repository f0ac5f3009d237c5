"""What changes at every run and says nothing of it: left out by rule, and counted."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Mapping
from typing import Literal

from runwright.record.observe.changes import Change
from runwright.record.observe.names import Names
from runwright.record.observe.watching.files.state import State

Rule = Literal["device", "process file", "own output", "cache", "temporary file"]

CACHE_FOLDERS = frozenset((b".pytest_cache", b".mypy_cache", b".ruff_cache"))
"""Folders that a tool fills for itself, wherever they are."""
CACHE_HOMES = (b".cache", b".npm")
"""Folders in the user's home that tools fill for themselves."""
TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 - they are named to be recognised

LOOKUPS = (
    b"/run/nscd/socket", b"/var/run/nscd/socket", b"/run/systemd/resolve/", b"/dev/log", b"/run/systemd/journal/",
    b"/run/systemd/userdb/", b"/run/avahi-daemon/socket", b"/var/lib/sss/pipes/",
)  # fmt: skip
"""Sockets of the system that the C library itself tries, to learn what a name means or to say a line to the log."""


class Rules:
    """The rules as they apply to one run."""

    def __init__(
        self, names: Names, touched: Mapping[bytes, State | None], outputs: frozenset[tuple[int, int]]
    ) -> None:
        home = os.path.realpath(os.fsencode(os.path.expanduser("~")))
        cache = os.environb.get(b"XDG_CACHE_HOME")
        self._names = names
        self._touched = touched
        self._outputs = outputs
        self._caches = tuple(home + b"/" + each + b"/" for each in CACHE_HOMES) + ((cache + b"/",) if cache else ())
        self._temporary = tuple({os.path.realpath(os.fsencode(each)) for each in (*TEMPORARY, tempfile.gettempdir())})

    def of(self, change: Change) -> Rule | None:
        """The rule by which a change is left out; None for one that is told."""
        found = [self._of_path(each) for each in (change.path, change.to) if each is not None]
        if change.op == "link":
            found = found[:1]
        if self._is_output(change):
            return "own output"
        return found[0] if found and all(found) else None

    def _is_output(self, change: Change) -> bool:
        entry = change.after or change.before
        return entry is not None and (entry.state.device, entry.state.inode) in self._outputs

    def _of_path(self, path: bytes) -> Rule | None:
        inside = self._names.inside(path)
        if not inside and path.startswith(self._caches):
            return "cache"
        if not inside and self._is_temporary(path):
            return "temporary file"
        *folders, name = (self._names.relative(path) if inside else path).split(b"/")
        compiled = name == b"__pycache__" or (folders and folders[-1] == b"__pycache__" and b".pyc" in name)
        return "cache" if compiled or not CACHE_FOLDERS.isdisjoint((*folders, name)) else None

    def _is_temporary(self, path: bytes) -> bool:
        """Whether the run made it itself, in a folder for such files."""
        for root in self._temporary:
            if path.startswith(root + b"/"):
                top = root + b"/" + path[len(root) + 1 :].split(b"/", 1)[0]
                return top in self._touched and self._touched[top] is None
        return False


def of_special(path: bytes, state: State | None) -> Rule | None:
    """The rule for what is no file on a disk: devices of /dev that hold nothing, and the files of processes."""
    if state is not None and stat.S_ISCHR(state.mode) and path.startswith(b"/dev/"):
        return "device"
    if path.startswith(b"/proc/") and path[6:].split(b"/", 1)[0].isdigit():
        return "process file"
    return None


def cannot_be_compared(path: bytes, state: State | None) -> bool:
    """Whether what a write to it does shows in no state: a disk itself, another device, a setting of the kernel."""
    if state is None or stat.S_ISDIR(state.mode) or not os.access(path, os.W_OK):
        return False
    return stat.S_ISBLK(state.mode) or stat.S_ISCHR(state.mode) or path.startswith((b"/sys/", b"/proc/"))
