"""Which file a path means to another process: its real path, with every link followed as that process would."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable
from typing import TypeVar

from ..kernel import folder

HERE = -100  # AT_FDCWD
LINKS = 40
KNOWN = 4096
"""Folders that are remembered."""
T = TypeVar("T")
MAGIC = re.compile(rb".*/proc/[0-9]+(/task/[0-9]+)?/(fd/[0-9]+|cwd|root|exe)")
GONE = b" (deleted)"


class Places:
    """Real paths. `own_roots` is set once a process may see another tree of files than the observer does.

    `seen` is the last path that was looked at to see whether it is a link, and what was there.
    """

    def __init__(self) -> None:
        self.own_roots = False
        self.seen: tuple[bytes, os.stat_result | None] = (b"", None)
        self._folders: dict[tuple[int, int | None, bytes], bytes] = {}

    def forget(self) -> None:
        """A folder may get another real path now, or a link come to stand where one was."""
        self._folders.clear()

    def real(self, process: int, at: int | None, path: bytes, *, follow: bool) -> bytes:
        """The real path of what a path means, which need not exist; OSError where there is no way to it."""
        if not path:
            if at is None or at == HERE:
                raise OSError(errno.ENOENT, "empty path")
            return of_descriptor(process, at)
        if not self.own_roots:
            try:
                return self._fast(process, at, path, follow=follow)
            except OSError as error:
                if error.errno != errno.ELOOP:
                    raise
        return _walked(process, b"/" if path[:1] == b"/" else _base(process, at), path, follow=follow)

    def within(self, process: int, at: int, path: bytes) -> bytes:
        """The same of a path whose root is a folder."""
        root = _base(process, at)
        return _walked(process, root, path, follow=True, root=root)

    def _fast(self, process: int, at: int | None, path: bytes, *, follow: bool) -> bytes:
        above, slash, name = path.rstrip(b"/").rpartition(b"/")
        above = above or slash
        if name in (b"", b".", b".."):
            above, name = path, b""
        where = self._folder(process, at, above)
        if not name:
            return where
        found = where.rstrip(b"/") + b"/" + name
        if follow and self._is_link(found):
            raise OSError(errno.ELOOP, "a last link is followed the slow way")
        return found

    def _folder(self, process: int, at: int | None, path: bytes) -> bytes:
        """The real path of a folder: one that was found before if that and the path lead to one folder still."""
        named = path[:1] == b"/"
        key = (0, None, path) if named else (process, at, path)
        known = self._folders.get(key)
        if known is not None:
            try:
                there = os.stat(path if named else b"%s/%s" % (_link(process, at), path))
                here = os.lstat(known)
            except OSError:
                pass
            else:
                if there.st_ino == here.st_ino and there.st_dev == here.st_dev:
                    return known
        if len(self._folders) >= KNOWN:
            self._folders.clear()
        self._folders[key] = where = _folder_of(process, at, path)
        return where

    def _is_link(self, path: bytes) -> bool:
        try:
            found = os.lstat(path)
        except FileNotFoundError:
            self.seen = (path, None)
            return False
        self.seen = (path, found)
        return stat.S_ISLNK(found.st_mode)


def of_descriptor(process: int, descriptor: int) -> bytes:
    """The path of an open file; ENOENT where it has none any more."""
    path = _asked(os.readlink, b"/proc/%d/fd/%d" % (process, descriptor))
    if path[:1] != b"/" or (path.endswith(GONE) and not os.path.lexists(path)):
        raise OSError(errno.ENOENT, "a file without a name")
    return path


def _folder_of(process: int, at: int | None, path: bytes) -> bytes:
    if path[:1] == b"/":
        opened = folder(HERE, path)
    else:
        base = _asked(_opened, _link(process, at))
        if path:
            try:
                opened = folder(base, path)
            finally:
                os.close(base)
        else:
            opened = base
    try:
        return os.readlink(b"/proc/self/fd/%d" % opened)
    finally:
        os.close(opened)


def _link(process: int, at: int | None) -> bytes:
    return b"/proc/%d/cwd" % process if at is None or at == HERE else b"/proc/%d/fd/%d" % (process, at)


def _base(process: int, at: int | None) -> bytes:
    return _asked(os.readlink, _link(process, at))


def _opened(path: bytes) -> int:
    return os.open(path, os.O_PATH | os.O_CLOEXEC)


def _asked(read: Callable[[bytes], T], link: bytes) -> T:
    """What a process's own link in /proc tells. EPERM where it may not be asked: its calls need not fail for that."""
    try:
        return read(link)
    except PermissionError as error:
        raise PermissionError(errno.EPERM, "the process may not be asked") from error


def _walked(process: int, start: bytes, path: bytes, *, follow: bool, root: bytes | None = None) -> bytes:
    """The same, link by link: /proc/self is the process, not its observer, and / is the process's own root."""
    root = (_asked(os.readlink, b"/proc/%d/root" % process) if root is None else root).rstrip(b"/")
    at = root if path[:1] == b"/" else start.rstrip(b"/")
    left = [part for part in path.split(b"/") if part not in (b"", b".")][::-1]
    followed = 0
    while left:
        part = left.pop()
        if part == b"..":
            at = at if at == root else os.path.dirname(at).rstrip(b"/")
            continue
        found = at + b"/" + (_own(process, part) if at.endswith(b"/proc") else part)
        target = _target(found, follow=follow or bool(left))
        if target is None:
            at = found
            continue
        followed += 1
        if followed > LINKS:
            raise OSError(errno.ELOOP, "too many links")
        if MAGIC.fullmatch(found):
            if target[:1] != b"/" or target.endswith(GONE):
                raise OSError(errno.ENOENT, "a file without a name")
            at = target.rstrip(b"/")
            continue
        at = root if target[:1] == b"/" else at
        left += [each for each in target.split(b"/") if each not in (b"", b".")][::-1]
    return at or b"/"


def _own(process: int, part: bytes) -> bytes:
    return b"%d" % process if part in (b"self", b"thread-self") else part


def _target(path: bytes, *, follow: bool) -> bytes | None:
    """Where a link leads; None for what is none, or is not followed. OSError where the way ends before its end."""
    try:
        state = os.lstat(path)
    except FileNotFoundError:
        return None
    return os.readlink(path) if follow and stat.S_ISLNK(state.st_mode) else None
