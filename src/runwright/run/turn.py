"""Agents of one repository at a time where somebody looks at what one of them does to its files."""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CHECK = 0.02
"""Seconds between two tries."""


@contextmanager
def repository_turn(root: Path, stop: threading.Event, *, alone: bool) -> Iterator[bool]:
    """Hold the repository, `alone` or beside others that are not; false where `stop` was set while waiting.

    An agent that is watched runs alone: what others change meanwhile would be told as its own doing. The hold is a lock
    on the folder itself, so replays in one process and in several wait for each other alike, and it dies with them.
    """
    try:
        folder = os.open(root, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:  # a folder that may be entered and not read: nobody can be waited for
        yield True
        return
    try:
        yield _taken(folder, fcntl.LOCK_EX if alone else fcntl.LOCK_SH, stop)
    finally:
        os.close(folder)


def _taken(folder: int, how: int, stop: threading.Event) -> bool:
    while True:
        try:
            fcntl.flock(folder, how | fcntl.LOCK_NB)
        except BlockingIOError:
            if stop.wait(CHECK):
                return False
        except OSError:  # a file system without locks: nobody can be waited for
            return True
        else:
            return True
