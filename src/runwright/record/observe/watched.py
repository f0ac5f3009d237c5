"""Running a command while its calls are watched, by a process of its own: a busy one here would hold them all up."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from runwright.record.observe.journal import Log, read_log
from runwright.record.observe.names import readable

PATIENCE = 3.0
"""Seconds that a command is given after an interruption, which it has heard too."""
SOURCE = "import sys; sys.path.insert(0, sys.argv.pop(1)); from watching.supervisor import main; main()"
ANSWER = 2  # standard error: standard output is for what was observed


def watched(
    command: Sequence[str], workspace: bytes, folder: Path, wait: float, environment: Mapping[str, str] | None
) -> tuple[Log, bool]:
    """What the watching process wrote down, and whether the run was interrupted. No command is a trial."""
    if reason := _other_machine():
        return Log(unable=reason), False
    with tempfile.TemporaryFile() as log:
        given = [str(log.fileno()), os.fsdecode(workspace), str(folder), f"{wait}", *command]
        process = subprocess.Popen(  # noqa: S603 - a command is what there is to run
            [sys.executable, "-I", "-S", "-c", SOURCE, str(Path(__file__).parent), *given],
            pass_fds=(log.fileno(),), stdout=ANSWER, env=None if environment is None else dict(environment),
        )  # fmt: skip
        interrupted = not _ended(process)
        log.seek(0)
        return read_log(log.read()), interrupted


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
    return _other_machine() or watched((), b"/", Path("/"), 0, None)[0].unable


def _other_machine() -> str:
    """Why nothing can be observed on this kind of machine at all; empty where it may be."""
    if sys.platform != "linux":
        return f"side effects are observed on Linux alone, and this is {sys.platform}"
    machine = os.uname().machine
    if machine != "x86_64" or sys.maxsize < 1 << 32:
        return f"side effects are observed on x86_64 alone, and this is {readable(os.fsencode(machine))}"
    return ""
