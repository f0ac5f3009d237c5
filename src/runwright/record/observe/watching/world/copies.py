"""A copy of a small tree of files that differs in nothing that a program can see but numbers and times of change."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator

FILES, BYTES = 10_000, 128 << 20
"""What is small: about a second's work."""
AT_ONCE = 1 << 20

Found = tuple[bytes, os.stat_result]


def is_small(folder: bytes) -> bool:
    """Whether a tree is small, and all in it of a kind and an owner that a copy may have, too.

    It is asked before a namespace of users is entered: in that nobody is told from anybody else. OSError.
    """
    number = size = 0
    user, group = os.geteuid(), os.getegid()
    for _, found in _under(folder):
        number, size = number + 1, size + (found.st_size if stat.S_ISREG(found.st_mode) else 0)
        special = stat.S_ISBLK(found.st_mode) or stat.S_ISCHR(found.st_mode)
        if number > FILES or size > BYTES or special or (found.st_uid, found.st_gid) != (user, group):
            return False
    return True


def copy(folder: int, to: bytes) -> None:
    """Copy a tree into an empty folder. OSError."""
    root = b"/proc/self/fd/%d/." % folder
    names: dict[tuple[int, int], bytes] = {}
    folders: list[tuple[bytes, bytes]] = []
    for path, found in _under(root):
        target = to + path[len(root) :]
        if stat.S_ISDIR(found.st_mode):
            if path != root:
                os.mkdir(target, 0o700)
            folders.append((path, target))
            continue
        first = names.setdefault((found.st_dev, found.st_ino), target)
        if first != target:
            os.link(first, target, follow_symlinks=False)
            continue
        _one(path, found, target)
        likened(path, target)
    for path, target in reversed(folders):  # what is made in one changes its times
        likened(path, target)


def _under(root: bytes) -> Iterator[Found]:
    """Everything under a folder and itself, folders before what is in them. OSError where one may not be seen."""
    yield root, os.stat(root)
    folders = [root]
    while folders:
        with os.scandir(folders.pop()) as listed:
            for each in listed:
                found = each.stat(follow_symlinks=False)
                yield each.path, found
                if stat.S_ISDIR(found.st_mode):
                    folders.append(each.path)


def _one(path: bytes, found: os.stat_result, target: bytes) -> None:
    if stat.S_ISLNK(found.st_mode):
        os.symlink(os.readlink(path), target)
    elif not stat.S_ISREG(found.st_mode):
        os.mknod(target, stat.S_IFMT(found.st_mode) | 0o600)
    else:
        old = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        new = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        while os.sendfile(new, old, None, AT_ONCE):
            continue
        os.ftruncate(new, found.st_size)
        os.close(old)
        os.close(new)


def likened(path: bytes, other: bytes) -> None:
    """Give a file the owner, as far as one may, the mode, attributes and times of another."""
    found = os.lstat(path)
    with contextlib.suppress(OSError):
        os.chown(other, found.st_uid, found.st_gid, follow_symlinks=False)
    for name in os.listxattr(path, follow_symlinks=False):
        with contextlib.suppress(OSError):
            os.setxattr(other, name, os.getxattr(path, name, follow_symlinks=False), follow_symlinks=False)
    if not stat.S_ISLNK(found.st_mode):
        os.chmod(other, stat.S_IMODE(found.st_mode))
    os.utime(other, ns=(found.st_atime_ns, found.st_mtime_ns), follow_symlinks=False)
