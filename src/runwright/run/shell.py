"""One shell command of a suite file: run to its end, its time limit or an interruption."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Literal

from runwright.trace.shortened import last_lines

OUTPUT_LIMIT = 1024 * 1024
"""Bytes of standard output that are read."""

STDERR_TAIL = 16 * 1024
"""Bytes of standard error that are read, from its end."""

GRACE = 5.0
"""Seconds between the polite end and the other one."""

LOOK = 0.05
"""Seconds between looks at the clock and at `stop`."""


@dataclass(frozen=True, kw_only=True)
class CommandEnd:
    """How it ended: `exit_code` is negative for a signal, and means nothing unless it exited by itself."""

    ended: Literal["exited", "timeout", "interrupted"]
    exit_code: int = 0
    stdout: bytes = b""
    stdout_cut: bool = False
    stderr: str = ""

    @property
    def failure(self) -> str:
        """What went wrong, empty where nothing did."""
        if self.ended == "timeout":
            return "did not end within its time"
        if self.ended == "interrupted":
            return "was interrupted"
        return f"exited with {self.exit_code}" if self.exit_code else ""


def run_shell(
    command: str, cwd: Path, env: Mapping[str, str], timeout: float, stop: threading.Event | None = None
) -> CommandEnd:
    """Run `sh -c command`, without standard input. What it leaves in the background lives on.

    Its output goes to files, not to pipes, so that a server which it started does not hold this run up.
    """
    with TemporaryFile() as out, TemporaryFile() as err:
        process = subprocess.Popen(  # noqa: S603 - the suite file is executable configuration, as its docs say
            ["/bin/sh", "-c", command],
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            ended = _waited(process, timeout, stop or threading.Event())
        except KeyboardInterrupt:
            _end(process)
            raise
        if ended != "exited":
            _end(process)
        stdout = _first(out)
        return CommandEnd(
            ended=ended,
            exit_code=process.returncode if ended == "exited" else 0,
            stdout=stdout[:OUTPUT_LIMIT],
            stdout_cut=len(stdout) > OUTPUT_LIMIT,
            stderr=_last(err),
        )


def _waited(
    process: subprocess.Popen[bytes], timeout: float, stop: threading.Event
) -> Literal["exited", "timeout", "interrupted"]:
    limit = time.monotonic() + timeout
    while not stop.is_set():
        left = limit - time.monotonic()
        if left <= 0:
            return "timeout"
        with suppress(subprocess.TimeoutExpired):
            process.wait(min(left, LOOK))
            return "exited"
    return "interrupted"


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the command and what it started in its own group."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, sign)
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
            break
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # whoever in the group did not listen


def _first(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read(OUTPUT_LIMIT + 1)


def _last(file: IO[bytes]) -> str:
    size = file.seek(0, os.SEEK_END)
    file.seek(max(size - STDERR_TAIL, 0))
    told = file.read().decode("utf-8", "replace")
    return last_lines(told, len(told) - 1) if size > STDERR_TAIL else told
