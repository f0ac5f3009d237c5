"""Where files that were renamed came from: told by the renames that happened, in their order, and by nothing else.

A file number alone proves nothing: a deleted file's is given to the next one that is made.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping

from runwright.record.observe.journal import Operation
from runwright.record.observe.watching.files.state import State


def moves(
    operations: Iterable[Operation],
    before: Mapping[bytes, State],
    after: Mapping[bytes, State],
    *,
    layered: bool = False,
) -> dict[bytes, bytes]:
    """The old path of each file that is now elsewhere, by its new path. In a layer files have other numbers."""
    origins = _Origins()
    for each in operations:
        if each.to is not None and each.word in ("moved", "exchanged"):
            origins.rename(each.path, each.to, exchanged=each.word == "exchanged")
        elif each.word in ("created", "removed"):
            origins.put(each.path, None)
    return {
        new: old
        for new, old in origins.came.items()
        if old is not None and old != new and _same(before.get(old), after.get(new), layered)
    }


class _Origins:
    """Where what is at each path was at the beginning, so far; None for what is new. Other paths are their own."""

    def __init__(self) -> None:
        self.came: dict[bytes, bytes | None] = {}
        self._folders: set[bytes] = set()

    def put(self, path: bytes, origin: bytes | None) -> None:
        self.came[path] = origin
        above = os.path.dirname(path)
        while above not in self._folders and above != path:
            self._folders.add(above)
            path, above = above, os.path.dirname(above)

    def rename(self, old: bytes, new: bytes, *, exchanged: bool) -> None:
        here, there = self._origin(old), self._origin(new)
        below, beside = self._taken_below(old), self._taken_below(new)
        self.put(new, here)
        self.put(old, there if exchanged else None)
        for rest, origin in below.items():
            self.put(new + rest, origin)
        if exchanged:
            for rest, origin in beside.items():
                self.put(old + rest, origin)

    def _taken_below(self, folder: bytes) -> dict[bytes, bytes | None]:
        """What is told of files in a folder, taken out of the table: they go with it."""
        if folder not in self._folders:  # as with nearly every file
            return {}
        lead = folder + b"/"
        return {each[len(folder) :]: self.came.pop(each) for each in list(self.came) if each.startswith(lead)}

    def _origin(self, path: bytes) -> bytes | None:
        at = path
        while at not in self.came:
            above = os.path.dirname(at)
            if above == at:
                return path
            at = above
        origin = self.came[at]
        return None if origin is None else origin + path[len(at) :]


def _same(old: State | None, new: State | None, layered: bool) -> bool:
    if old is None or new is None:
        return False
    if layered:
        return stat.S_IFMT(old.mode) == stat.S_IFMT(new.mode)
    return (old.device, old.inode) == (new.device, new.inode)
