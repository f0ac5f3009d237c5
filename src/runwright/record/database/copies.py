"""SQLite's files in a folder, and copies of them as they were at one moment, made without a lock or a trace."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

MAGIC = b"SQLite format 3\0"
PAGE = 512
"""The smallest page, which every whole database is a multiple of."""
PARTS = (b"", b"-wal", b"-journal")
"""What holds the rows, by the end of its name."""
BESIDE = (*PARTS, b"-shm")
"""What a program that uses a database writes."""
ENDINGS = (b".db", b".sqlite", b".sqlite3", b".db3")
COPIED_FILE = 1 << 30
"""Bytes of one database up to which it is kept."""
COPIED_IN_ALL = 4 << 30
"""Bytes of all databases of a workspace that are kept."""
TRIES = 4
BLOCK = 1 << 20
SPARE = 256 << 20
"""Bytes that are left free where the copies are."""

Stamp = tuple[int, int, int, int, int]
"""Device, file number, size, and the times of content and state."""
Stamps = tuple[Stamp | None, ...]


class NotCopied(Exception):
    """Why there is no copy."""


def files_of(root: bytes) -> Iterator[tuple[bytes, int]]:
    """The files under a folder that could be a database, and their sizes; links are not followed."""
    folders = [root]
    while folders:
        try:
            with os.scandir(folders.pop()) as listed:
                entries = sorted(listed, key=lambda each: each.name)
        except OSError:  # one that is closed is the observer's own fault to tell
            continue
        for each in entries:
            try:
                found = each.stat(follow_symlinks=False)
            except OSError:
                continue
            if stat.S_ISDIR(found.st_mode):
                folders.append(each.path)
            elif stat.S_ISREG(found.st_mode) and _may_be(each.name, found.st_size):
                yield each.path, found.st_size


def _may_be(name: bytes, size: int) -> bool:
    return size >= len(MAGIC) and (size % PAGE == 0 or name.lower().endswith(ENDINGS))


def begins(path: bytes, size: int = len(MAGIC)) -> bytes:
    """The first bytes of a file; none of what cannot be read."""
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(opened, size)
    except OSError:
        return b""
    finally:
        os.close(opened)


def stamps(path: bytes) -> Stamps:
    """The state of each part of a database."""
    return tuple(_stamp(path + each) for each in PARTS)


def _stamp(path: bytes) -> Stamp | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def size_of(found: Stamps) -> int:
    """The bytes of all parts."""
    return sum(each[2] for each in found if each is not None)


def copy(path: bytes, to: bytes) -> Stamps:
    """Copy the parts of a database as they are at one moment. NotCopied where it is written to all the time."""
    for _ in range(TRIES):
        before = stamps(path)
        try:
            for each, found in zip(PARTS, before, strict=True):
                _copy_file(path + each, to + each, found is not None)
        except OSError as error:
            raise NotCopied(f"it cannot be copied ({os.strerror(error.errno or 0).lower()})") from None
        if stamps(path) == before:
            return before
    raise NotCopied("it was written to all the time while it was looked at")


def _copy_file(path: bytes, to: bytes, there: bool) -> None:
    if not there:
        if os.path.lexists(to):
            os.unlink(to)
        return
    with open(path, "rb", buffering=0) as source, open(to, "wb", buffering=0) as target:
        os.chmod(to, 0o600)
        while block := source.read(BLOCK):
            target.write(block)


def same_bytes(path: bytes, copied: bytes) -> bool:
    """Whether each part of a database is, byte for byte, what was copied."""
    return all(_same_file(path + each, copied + each) for each in PARTS)


def _same_file(one: bytes, other: bytes) -> bool:
    try:
        with open(one, "rb", buffering=0) as first, open(other, "rb", buffering=0) as second:
            if os.fstat(first.fileno()).st_size != os.fstat(second.fileno()).st_size:
                return False
            while block := first.read(BLOCK):
                if block != second.read(BLOCK):
                    return False
            return True
    except FileNotFoundError:
        return not os.path.exists(one) and not os.path.exists(other)
