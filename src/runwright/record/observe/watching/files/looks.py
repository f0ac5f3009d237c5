"""Looks at a file before a call and after it: what the call did."""

from __future__ import annotations

import os
import stat
from typing import NamedTuple


class Pending(NamedTuple):
    """A call that was let go on: what it did is looked at once its thread makes another, or another meets its path."""

    t: float
    name: str
    path: bytes
    to: bytes | None
    before: os.stat_result | None
    before_to: os.stat_result | None


def is_file(found: os.stat_result | None) -> bool:
    """Whether it is a regular file."""
    return found is not None and stat.S_ISREG(found.st_mode)


def looked(path: bytes) -> os.stat_result | None:
    """What is at a path, links not followed; None for nothing, and for what may not be looked at."""
    try:
        return os.lstat(path)
    except OSError:
        return None


def done_to(before: os.stat_result | None, after: os.stat_result | None) -> str:
    """What a look before and one after tell of a path; empty where nothing changed."""
    if before is None or after is None:
        return "" if before is after else "created" if before is None else "removed"
    if not _same(before, after):
        return "replaced"
    return "" if before.st_ctime_ns == after.st_ctime_ns and before.st_size == after.st_size else "changed"


def _same(one: os.stat_result, other: os.stat_result) -> bool:
    return one.st_ino == other.st_ino and one.st_dev == other.st_dev


def moved(pending: Pending) -> str:
    """Whether a rename happened: the file is now where it was to be, and no longer where it was."""
    before = pending.before
    there = looked(pending.to) if pending.to is not None else None
    if before is None or there is None or not _same(before, there):
        return ""
    here = looked(pending.path)
    if here is None or not (pending.before_to and _same(here, pending.before_to)):
        return "" if here and _same(here, before) else "moved"
    return "" if _same(here, before) else "exchanged"
