"""The processes of one command: which have ended, and how long the others are waited for."""

from __future__ import annotations

import os
import signal
import time


class Tree:
    """The processes of one command: which have ended, and how long the others are waited for."""

    def __init__(self, wait: float) -> None:
        self.command = 0
        self.status: int | None = None
        self.left: list[str] = []
        self.over = self.told = self._ending = False
        self._wait = wait
        self._until = 0.0
        self.woken, writable = os.pipe()
        os.set_blocking(self.woken, False)
        os.set_blocking(writable, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, self._tell)
        signal.set_wakeup_fd(writable, warn_on_full_buffer=False)

    def _tell(self, *_: object) -> None:
        self.told = True

    def wake(self) -> None:
        """A signal came: of a child that ended, or to end them all."""
        try:
            while os.read(self.woken, 4096):
                pass
        except BlockingIOError:
            pass
        self.reap()

    def reap(self) -> None:
        """Take note of the children that ended."""
        while not self.over:
            try:
                process, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                self.over = True
                return
            if not process:
                return
            if process == self.command:
                self.status = os.waitstatus_to_exitcode(status)
                self._until = time.monotonic() + self._wait

    def look(self) -> None:
        """End what is left once its time is over."""
        late = self.status is not None and time.monotonic() >= self._until
        if self.over or not (self.told or late):
            return
        running = _descendants()
        if not self._ending and not self.told:
            self.left = sorted(_name(each) for each in running)
        self._ending = True
        for process in running:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.reap()

    def patience(self) -> int | None:
        """Milliseconds to wait for the next event; None for as long as it takes."""
        if self._ending or self.told:
            return 2
        return None if self.status is None else max(0, int(1000 * (self._until - time.monotonic()))) + 1


def _descendants() -> list[int]:
    parents = dict(_parent(int(each)) for each in os.listdir("/proc") if each.isdigit())
    found = {os.getpid()}
    while True:
        more = {process for process, parent in parents.items() if parent in found} - found
        if not more:
            return sorted(found - {os.getpid()})
        found |= more


def _parent(process: int) -> tuple[int, int]:
    """The process and its parent: 0 for one that ended, a zombie included."""
    try:
        with open(f"/proc/{process}/stat", "rb") as stream:
            state, parent = stream.read().rpartition(b")")[2].split()[:2]
    except OSError:
        return process, 0
    return process, 0 if state in (b"Z", b"X") else int(parent)


def _name(process: int) -> str:
    try:
        with open(f"/proc/{process}/comm", "rb") as stream:
            return ascii(stream.read().strip().decode("utf-8", "replace"))[1:-1]
    except OSError:
        return "?"
