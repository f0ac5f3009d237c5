"""What is at a path, as far as it takes to tell afterwards whether it changed."""

from __future__ import annotations

import hashlib
import os
import stat
from typing import NamedTuple

HASHED = 64 << 20
"""Bytes up to which a file outside the workspace is read before it is changed; of a longer one times must tell."""


class State(NamedTuple):
    """A path's state: `content` is a digest for this one comparison, or a link's target; None where it was not read."""

    mode: int
    size: int
    device: int
    inode: int
    owner: tuple[int, int]
    links: int
    changed: tuple[int, int]
    content: str | None
    attributes: str


def state(path: bytes) -> State | None:
    """What is at a path now; None for nothing, and for what may not be looked at."""
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    content = _content(path, found)
    return State(
        found.st_mode, found.st_size, found.st_dev, found.st_ino, (found.st_uid, found.st_gid), found.st_nlink,
        (found.st_mtime_ns, found.st_ctime_ns), content, attributes(path),
    )  # fmt: skip


def attributes(path: bytes) -> str:
    """The extended attributes, access lists included, as one digest; empty where there are none."""
    try:
        names = [each for each in os.listxattr(path, follow_symlinks=False) if not each.startswith("security.")]
        if not names:
            return ""
        pairs = [(each, os.getxattr(path, each, follow_symlinks=False)) for each in sorted(names)]
    except OSError:  # a file system without them, or a file that went meanwhile
        return ""
    return hashlib.blake2b(repr(pairs).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def _content(path: bytes, found: os.stat_result) -> str | None:
    try:
        if stat.S_ISLNK(found.st_mode):
            return os.fsdecode(os.readlink(path))
        if not stat.S_ISREG(found.st_mode) or found.st_size > HASHED:
            return None
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(opened, "rb", buffering=0) as stream:
            return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=32)).hexdigest()
    except OSError:
        return None
