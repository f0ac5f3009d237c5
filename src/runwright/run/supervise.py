"""Runs one command and leaves no process of it behind: the source of a small process of its own.

It is started as `python -I -S -c <this source> STATUS_FD COMMAND ...`, adopts every orphan that the command's
descendants leave (Linux), and ends them all when the command exits or when it is told to end (SIGTERM, or the
death of its parent). It writes one line to STATUS_FD: `exit N` (negative: the signal that ended the command)
or `failed ERRNO` when the command could not be started. Standard library only, nothing of this package.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


class _Told(BaseException):
    """Raised by the SIGTERM handler, in the middle of whatever is going on."""


def main() -> None:
    """Run the command given on the command line to its end."""
    status = int(sys.argv[1])
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    word = "exit -15"
    try:
        signal.signal(signal.SIGTERM, _told)
        word = _run(sys.argv[2:])
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    except _Told:
        pass
    _end_descendants()
    os.write(status, (word + "\n").encode())


def _told(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough: a second must not break into the ending
    raise _Told


def _run(argv: list[str]) -> str:
    readable, writable = os.pipe()  # closed by a successful exec, so silence means started
    child = os.fork()
    if child == 0:
        _become(argv, writable)
    os.close(writable)
    failure = os.read(readable, 16).decode()
    if failure:
        os.waitpid(child, 0)
        return f"failed {failure}"
    while True:
        pid, status = os.wait()
        if pid == child:
            return f"exit {os.waitstatus_to_exitcode(status)}"


def _become(argv: list[str], writable: int) -> None:
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.setsid()
        os.execvp(argv[0], argv)  # noqa: S606 - no shell is the point
    except OSError as error:
        os.write(writable, str(error.errno).encode())
    finally:
        os._exit(127)


def _end_descendants() -> None:
    """Kill until no child is left: orphans become children of this process, so none escapes."""
    while True:
        for pid in _descendants():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.002)


def _descendants() -> list[int]:
    parents = {pid: parent for pid, parent in map(_parent, _pids()) if parent}
    found = {os.getpid()}
    while True:
        more = {pid for pid, parent in parents.items() if parent in found} - found
        if not more:
            return sorted(found - {os.getpid()})
        found |= more


def _pids() -> list[int]:
    return [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]  # noqa: PTH208 - pathlib is slower here


def _parent(pid: int) -> tuple[int, int]:
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:  # it ended between the listing and the look
        return pid, 0
    return pid, int(stat.rpartition(b")")[2].split()[1])


if __name__ == "__main__":
    main()
