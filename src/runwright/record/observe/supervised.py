"""Running a command under a watching process: a process of its own, since a busy one here would hold every call up."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

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
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - __exit__ closes it

    def __enter__(self) -> Supervised:
        return self

    def __exit__(self, *_: object) -> None:
        self._log.close()

    def arguments(self, command: Sequence[str], status: int | None = None) -> list[str]:
        """The watching process's argument vector.

        It writes a line to the descriptor `status`, if there is one: `exit N` (negative: a signal), `failed ERRNO`
        where the command could not be started, `unable` where it cannot be watched; the log says why.
        """
        given = [str(self._log.fileno()), str(NOTHING if status is None else status), self._orders.written(), *command]
        return [sys.executable, "-I", "-S", "-c", SOURCE, str(Path(__file__).parent), *given]

    @property
    def descriptors(self) -> tuple[int, ...]:
        """What the watching process has to be handed beside the status."""
        return (self._log.fileno(),)

    def log(self) -> Log:
        """What it wrote down, once it has ended."""
        self._log.seek(0)
        return read_log(self._log.read())


def watched(command: Sequence[str], orders: Orders, environment: Mapping[str, str] | None = None) -> tuple[Log, bool]:
    """What was written down of a command that is run here, and whether it was interrupted. No command is a trial."""
    if reason := other_machine():
        return Log(unable=reason), False
    with Supervised(orders) as supervised:
        process = subprocess.Popen(  # noqa: S603 - a command is what there is to run
            supervised.arguments(command), pass_fds=supervised.descriptors, stdout=ANSWER,
            env=None if environment is None else dict(environment),
        )  # fmt: skip
        interrupted = not _ended(process)
        return supervised.log(), interrupted


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


def other_machine() -> str:
    """Why nothing can be watched on this kind of machine at all; empty where it may be."""
    if sys.platform != "linux":
        return f"side effects are observed on Linux alone, and this is {sys.platform}"
    machine = os.uname().machine
    if machine != "x86_64" or sys.maxsize < 1 << 32:
        return f"side effects are observed on x86_64 alone, and this is {readable(os.fsencode(machine))}"
    return ""
