"""Running a command under a watching process: a process of its own, since a busy one here would hold every call up."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from runwright.errors import CapabilityError
from runwright.record.observe.journal import Log, read_log
from runwright.record.observe.names import readable
from runwright.record.observe.watching.orders import Orders

PATIENCE = 3.0
"""Seconds that a command is given after an interruption, which it has heard too."""
SOURCE = "import sys; sys.path.insert(0, sys.argv.pop(1)); from watching.supervisor import main; main()"
ANSWER = 2  # standard error: standard output is for what was observed
NOTHING = -1


class Supervised:
    """One run of a command under a watching process: how that is started, and what it wrote down.

    Started with `arguments` and handed `descriptors`, it starts the command, and ends when no process of that is left.
    """

    def __init__(self, orders: Orders) -> None:
        self._orders = orders
        self._shows: socket.socket | None = None
        self._shown: socket.socket | None = None
        if orders.layer is not None:
            self._shows, self._shown = socket.socketpair()
        self._world: list[int] = []
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - __exit__ closes it

    def __enter__(self) -> Supervised:
        return self

    def __exit__(self, *_: object) -> None:
        self._log.close()
        for each in (self._shows, self._shown):
            if each is not None:
                each.close()
        for descriptor in self._world:
            os.close(descriptor)

    def arguments(self, command: Sequence[str], status: int | None = None) -> list[str]:
        """The watching process's argument vector.

        It writes a line to the descriptor `status`, if there is one: `exit N` (negative: a signal), `failed ERRNO`
        where the command could not be started, `unable` where it cannot be watched; the log says why.
        """
        orders = self._orders if self._shown is None else self._orders._replace(shown=self._shown.fileno())
        given = [str(self._log.fileno()), str(NOTHING if status is None else status), orders.written(), *command]
        return [sys.executable, "-I", "-S", "-c", SOURCE, str(Path(__file__).parent), *given]

    @property
    def descriptors(self) -> tuple[int, ...]:
        """What the watching process has to be handed beside the status."""
        return (self._log.fileno(), *(() if self._shown is None else (self._shown.fileno(),)))

    def world(self) -> bytes:
        """What to put before a path to see what the command saw there, once it has ended; nothing where it is one.

        It stays until this ends. CapabilityError where it was never made.
        """
        if self._shows is None or self._shown is None:
            return b""
        self._shown.close()
        if not self._world:
            _, self._world, _, _ = socket.recv_fds(self._shows, 16, 2)
        if not self._world:
            raise CapabilityError("what the command was to change and have thrown away was never made: it was not run")
        return b"/proc/self/fd/%d" % self._world[0]

    def log(self) -> Log:
        """What it wrote down, once it has ended."""
        self._log.seek(0)
        return read_log(self._log.read())


def watched(command: Sequence[str], orders: Orders, environment: Mapping[str, str] | None = None) -> tuple[Log, bool]:
    """What was written down of a command that is run here, and whether it was interrupted. No command is a trial."""
    if reason := other_machine():
        return Log(unable=reason), False
    with Supervised(orders) as supervised:
        interrupted = not ran(supervised, command, environment)
        return supervised.log(), interrupted


def ran(supervised: Supervised, command: Sequence[str], environment: Mapping[str, str] | None = None) -> bool:
    """Run a command here, supervised, to its end; false where it was interrupted."""
    process = subprocess.Popen(  # noqa: S603 - a command is what there is to run
        supervised.arguments(command), pass_fds=supervised.descriptors, stdout=ANSWER,
        env=None if environment is None else dict(environment),
    )  # fmt: skip
    return _ended(process)


def _ended(process: subprocess.Popen[bytes]) -> bool:
    """Wait for the end; false where it was interrupted. Nothing of the command outlives this."""
    try:
        process.wait()
    except KeyboardInterrupt:
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.terminate()
            process.wait()
        return False
    return True


def cannot_observe() -> str:
    """Why side effects cannot be observed here, tried out; empty where they can."""
    return other_machine() or watched((), Orders("/", "/"))[0].unable


def cannot_hold() -> str:
    """Why paths cannot be protected here, and changes not thrown away, tried out; empty where they can."""
    with tempfile.TemporaryDirectory() as folder:
        return other_machine() or watched((), Orders(folder, None, protect=(".",), layer=folder))[0].unable


def other_machine() -> str:
    """Why nothing can be watched on this kind of machine at all; empty where it may be."""
    if sys.platform != "linux":
        return f"side effects are observed on Linux alone, and this is {sys.platform}"
    machine = os.uname().machine
    if machine != "x86_64" or sys.maxsize < 1 << 32:
        return f"side effects are observed on x86_64 alone, and this is {readable(os.fsencode(machine))}"
    return ""
