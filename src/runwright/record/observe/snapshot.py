"""Every file of a workspace at one moment: its state, its digest and, while it is small, its bytes."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from blake3 import blake3

from runwright.record.observe.watching.files.state import State, attributes

KEPT_FILE = 64 << 10
"""Bytes of a file that is kept for a diff."""
KEPT_IN_ALL = 64 << 20
"""Bytes that are kept of one workspace; of further files the digest tells."""
BLOCK = 1 << 20
SETTLED = 1_000_000_000
"""Nanoseconds after which a file's times tell that it did not change: older kernels count them in steps."""


class Entry(NamedTuple):
    """A file at a moment. The state's content is a blake3 digest; `kept` are its bytes where they are few."""

    state: State
    kept: bytes | None = None


class Snapshot(NamedTuple):
    """The entries by absolute path, the workspace itself included, and the folders that could not be looked into."""

    entries: dict[bytes, Entry]
    closed: tuple[bytes, ...]
    at: int


def take(root: bytes, earlier: Snapshot | None = None, world: bytes = b"") -> Snapshot:
    """What is under a folder now. Files whose times are those of an earlier snapshot are not read again.

    It is looked at through another `world` where one is put before the path: a layer, whose files keep their times and
    not their numbers until they are changed. What is told is called as in this one.
    """
    at = time.time_ns()
    entries: dict[bytes, Entry] = {}
    closed: list[bytes] = []
    known: Mapping[bytes, Entry] = earlier.entries if earlier else {}
    settled = earlier.at - SETTLED if earlier else 0
    left = KEPT_IN_ALL
    for seen, found in _under(world + root, closed):
        path = seen[len(world) :]
        old = known.get(path)
        if old is not None and _untouched(old.state, found, settled, layered=bool(world)):
            entries[path] = old
            continue
        entries[path] = entry = _entry(seen, found, min(left, KEPT_FILE))
        left -= len(entry.kept or b"")
    if world and root in known and root in entries:  # to whom the layer's own folder belongs is no change
        entries[root] = Entry(entries[root].state._replace(owner=known[root].state.owner))
    return Snapshot(entries, tuple(each[len(world) :] for each in closed), at)


def _under(root: bytes, closed: list[bytes]) -> Iterator[tuple[bytes, os.stat_result]]:
    """Everything under a folder and itself, links not followed."""
    try:
        yield root, os.lstat(root)
    except FileNotFoundError:
        return
    folders = [root]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(folder) as listed:
                names = sorted(listed, key=lambda each: each.name)
        except FileNotFoundError:
            continue
        except OSError:
            closed.append(folder)
            continue
        for each in names:
            try:
                found = each.stat(follow_symlinks=False)
            except FileNotFoundError:  # it went meanwhile
                continue
            yield each.path, found
            if stat.S_ISDIR(found.st_mode):
                folders.append(each.path)


def _untouched(old: State, found: os.stat_result, settled: int, *, layered: bool) -> bool:
    return (
        old.changed == (found.st_mtime_ns, found.st_ctime_ns)
        and found.st_ctime_ns < settled
        and (old.mode, old.size) == (found.st_mode, found.st_size)
        and (layered or (old.inode, old.device) == (found.st_ino, found.st_dev))
    )


def _entry(path: bytes, found: os.stat_result, room: int) -> Entry:
    content, kept = _content(path, found, room)
    state = State(
        found.st_mode, found.st_size, found.st_dev, found.st_ino, (found.st_uid, found.st_gid), found.st_nlink,
        (found.st_mtime_ns, found.st_ctime_ns), content, attributes(path),
    )  # fmt: skip
    return Entry(state, kept)


def _content(path: bytes, found: os.stat_result, room: int) -> tuple[str | None, bytes | None]:
    """The digest, or a link's target; and the bytes, where there is room. Nothing for what may not be read."""
    try:
        if stat.S_ISLNK(found.st_mode):
            return os.fsdecode(os.readlink(path)), None
        if not stat.S_ISREG(found.st_mode):
            return None, None
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None, None
    try:
        first = os.read(opened, BLOCK)
        hasher = blake3(first)
        if len(first) < BLOCK:  # nearly every file; a short read is the end of one
            kept = first if len(first) <= room else None
            return f"blake3:{hasher.hexdigest()}", kept
        while block := os.read(opened, BLOCK):
            hasher.update(block)
        return f"blake3:{hasher.hexdigest()}", None
    except OSError:
        return None, None
    finally:
        os.close(opened)


def begins_with(path: bytes, size: int, digest: str | None) -> bool:
    """Whether the first `size` bytes of a file are those of the digest."""
    hasher, left = blake3(), size
    try:
        with open(path, "rb", buffering=0) as stream:
            while left and (block := stream.read(min(left, BLOCK))):
                hasher.update(block)
                left -= len(block)
    except OSError:
        return False
    return not left and f"blake3:{hasher.hexdigest()}" == digest
