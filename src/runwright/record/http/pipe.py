"""The pipe on which the agent's processes tell: what was said is in memory alone, never on a disk."""

from __future__ import annotations

import os
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from runwright.errors import CapabilityError
from runwright.record.http.lines import Messages
from runwright.trace import JSON

ROOM = 1 << 20
"""Bytes that a writer need not wait for, where the kernel grants them."""


class Pipe:
    """A named pipe in a folder of its own, read by a thread until it is closed."""

    def __init__(self) -> None:
        self._messages = Messages()
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._thread: threading.Thread | None = None
        self._reading = self._own = -1

    @property
    def path(self) -> Path:
        """Where it is; only while it is open."""
        if self._folder is None:
            raise RuntimeError("the pipe is not open")
        return Path(self._folder.name) / "seen"

    def __enter__(self) -> Self:
        if not hasattr(os, "mkfifo"):
            raise CapabilityError("requests are seen through a named pipe, and this system has none")
        self._folder = tempfile.TemporaryDirectory(prefix="runwright-http-")
        os.mkfifo(self.path, 0o600)
        self._reading = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        self._own = os.open(self.path, os.O_WRONLY | os.O_CLOEXEC)  # while it is open, there is no end of file
        os.set_blocking(self._reading, True)
        _widen(self._own)
        self._thread = threading.Thread(target=self._read, name="runwright requests", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.messages()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def messages(self) -> tuple[tuple[dict[str, JSON], ...], tuple[str, ...]]:
        """All that was told, and what was wrong with it. Nothing can be told from then on."""
        if self._thread is not None and self._folder is not None:
            self.path.unlink()
            os.close(self._own)  # those who still write are heard to their end of it
            self._thread.join(timeout=2.0)
            if self._thread.is_alive():
                self._messages.faults.append("a process kept the pipe open that requests are told on")
            else:
                os.close(self._reading)
            self._thread = None
        return tuple(self._messages.whole), tuple(self._messages.faults)

    def _read(self) -> None:
        while data := os.read(self._reading, ROOM):
            self._messages.add(data)
        self._messages.end()


def _widen(descriptor: int) -> None:
    import fcntl

    try:
        fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, ROOM)
    except (AttributeError, OSError):
        return
