"""The SQLite databases of a workspace before a run, kept as copies, and what became of each."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from itertools import chain
from types import MappingProxyType
from typing import Literal, NamedTuple

from runwright.record.database.copies import (
    BESIDE,
    COPIED_FILE,
    COPIED_IN_ALL,
    MAGIC,
    SPARE,
    NotCopied,
    Stamps,
    begins,
    copy,
    files_of,
    same_bytes,
    size_of,
    stamps,
)
from runwright.record.database.hidden import may_be_encrypted
from runwright.record.database.sqlite import SECONDS, NotCompared, tell
from runwright.record.database.told import Told
from runwright.record.observe.names import readable
from runwright.record.observe.snapshot import SETTLED

FOLDERS = ("/var/tmp", "/tmp", "/dev/shm")  # noqa: S108 - a folder is made there that nobody else may look into
SETUP = 20
NOTHING: Mapping[bytes, bytes] = MappingProxyType({})
NOWHERE: Mapping[bytes, str] = MappingProxyType({})
NO_FOLDER = "there is no folder for temporary files outside of the workspace"


class Limits(NamedTuple):
    """How much is kept, in bytes; and in seconds how long one comparison may take, and a server to get ready."""

    file: int = COPIED_FILE
    all: int = COPIED_IN_ALL
    seconds: float = SECONDS
    setup: int = SETUP


class Kept(NamedTuple):
    """A database before the run: its copy, or why there is none."""

    stamps: Stamps
    copy: bytes | None = None
    reason: str = ""


class SqliteFiles:
    """The databases of one workspace; `look` at them before the run, `tell` after it, `close` in any case.

    `named` are files that have to be databases, there or elsewhere, by their real paths, and what they are called.
    """

    def __init__(self, workspace: bytes, limits: Limits, named: Mapping[bytes, str] = NOWHERE) -> None:
        self._root, self._named = workspace, named
        self._limits = limits
        self._kept: dict[bytes, Kept] = {}
        self._encrypted: dict[bytes, Stamps] = {}
        self._at = 0
        self._folder = _folder(self._root)
        self._used = 0
        self._number = 0

    def close(self) -> None:
        """Remove the copies."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def look(self) -> None:
        """Keep what is there now."""
        self._at = time.time_ns()
        for path, kind in self._databases(b""):
            if kind == "encrypted":
                self._encrypted[path] = stamps(path)
                continue
            try:
                copied, found = self._copied(path)
                self._kept[path] = Kept(found, copied)
                self._used += size_of(found)
            except NotCopied as error:
                self._kept[path] = Kept(stamps(path), None, str(error))

    def tell(
        self,
        told: Told,
        moved: Mapping[bytes, bytes] = NOTHING,
        outside: Mapping[bytes, str] = NOWHERE,
        world: bytes = b"",
    ) -> None:
        """What changed since. `moved` are old paths by new ones; `outside` names files elsewhere that were changed;
        `world` stands before a path to see what the run saw there."""
        now = {path[len(world) :]: kind for path, kind in self._databases(world)}
        origins = {path: _origin(path, moved) for path in now}
        taken = {origin for path, origin in origins.items() if origin != path}
        for path in sorted({*self._kept, *(each for each, kind in now.items() if kind == "sqlite")}):
            origin = origins.get(path)
            if origin is None and path in taken:
                continue
            before = None if origin == path and path in taken else self._kept.get(origin or path)
            self._tell_one(path, world, before, now.get(path), told)
        for path, kind in now.items():
            if kind == "encrypted" and path not in self._kept and self._encrypted.get(path) != stamps(world + path):
                told.fault(f"{self._name(path)}: it looks like an encrypted database, whose rows cannot be told")
        for path, name in self._named.items():
            if path not in self._kept and path not in self._encrypted and path not in now:
                told.fault(f"{name}: it is named as a database, and there is none")
        for path, name in outside.items():
            if path not in self._named and begins(world + path) == MAGIC:
                told.fault(f"{name}: a database outside of the workspace was written to, and its rows are not told")

    def _tell_one(self, path: bytes, world: bytes, before: Kept | None, kind: Kind | None, told: Told) -> None:
        try:
            if before is None or not self._is_same(world + path, before):
                self._compare(path, world, before, kind, told)
        except (NotCopied, NotCompared) as error:
            told.fault(f"{self._name(path)}: {error}: what changed in its rows is not told")
            return
        told.cover(path + each for each in BESIDE)

    def _is_same(self, path: bytes, before: Kept) -> bool:
        """Whether it is, by its times or byte for byte, what it was."""
        settled = all(each is None or each[4] < self._at - SETTLED for each in before.stamps)
        if stamps(path) == before.stamps and (settled or before.copy is None):
            return True
        return before.copy is not None and same_bytes(path, before.copy)

    def _compare(self, path: bytes, world: bytes, before: Kept | None, kind: Kind | None, told: Told) -> None:
        if before is not None and before.copy is None:
            raise NotCopied(before.reason)
        there = os.path.lexists(world + path)
        if there and kind != "sqlite" and os.lstat(world + path).st_size:
            raise NotCompared("it is no SQLite database any more, or an encrypted one, or may not be read")
        after = self._copied(world + path)[0] if there else None
        try:
            tell(self._name(path), before and before.copy, after, told, self._limits.seconds)
        finally:
            if after is not None:
                shutil.rmtree(os.path.dirname(after), ignore_errors=True)

    def _copied(self, path: bytes) -> tuple[bytes, Stamps]:
        """A copy in a folder of its own. NotCopied beyond the limits."""
        size = size_of(stamps(path))
        if self._folder is None:
            raise NotCopied(NO_FOLDER)
        if size > self._limits.file:
            raise NotCopied(f"it has {size} bytes, and {self._limits.file} are kept of one database")
        if self._used + size > self._limits.all:
            raise NotCopied(f"of all databases together {self._limits.all} bytes are kept")
        if shutil.disk_usage(self._folder).free - size < SPARE:
            raise NotCopied("there is no room for a copy of it")
        self._number += 1
        folder = os.path.join(self._folder, b"%d" % self._number)
        os.mkdir(folder, 0o700)
        copied = os.path.join(folder, b"copy")
        return copied, copy(path, copied)

    def _name(self, path: bytes) -> str:
        return readable(os.path.relpath(path, self._root)) if self._inside(path) else self._named[path]

    def _inside(self, path: bytes) -> bool:
        return path.startswith(self._root.rstrip(b"/") + b"/")

    def _databases(self, world: bytes) -> Iterator[tuple[bytes, Kind]]:
        there = (world + path for path in self._named if not self._inside(path) and os.path.isfile(world + path))
        named = ((path, os.path.getsize(path)) for path in there)
        for path, size in chain(files_of(world + self._root), named):
            if begins(path) == MAGIC:
                yield path, "sqlite"
            elif may_be_encrypted(path, size):
                yield path, "encrypted"


Kind = Literal["sqlite", "encrypted"]


def _origin(path: bytes, moved: Mapping[bytes, bytes]) -> bytes:
    """Where a file was before, which may have moved with a folder that it is in."""
    at = path
    while moved and at not in (b"/", b""):
        if at in moved:
            return moved[at] + path[len(at) :]
        at = os.path.dirname(at)
    return path


def _folder(root: bytes) -> bytes | None:
    """A new folder for copies that is not in the workspace."""
    for place in (os.environ.get("TMPDIR", ""), *FOLDERS):
        real = os.fsencode(os.path.realpath(place)) if place else b""
        if real and real != root and not real.startswith(root.rstrip(b"/") + b"/") and os.access(real, os.W_OK):
            return os.fsencode(tempfile.mkdtemp(prefix="runwright-databases-", dir=os.fsdecode(real)))
    return None
