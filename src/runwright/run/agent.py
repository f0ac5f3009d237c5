"""Start an agent process, give it its turns, keep what it says, and end everything it started."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import IO, Literal

from runwright.record.observe import Supervised
from runwright.trace.shortened import last_lines, whole_words

REPLY_LIMIT = 4 * 1024 * 1024
"""Bytes of standard output that are kept; more is read and dropped, and said so."""

STDERR_TAIL = 16 * 1024
"""Bytes of standard error that are kept, from its end."""

GRACE = 5.0
"""Seconds that the supervising process gets to end the tree before it is killed itself."""

STOP_CHECK = 0.1
"""Seconds between looks at whether the whole suite was told to stop."""

Ended = Literal["exited", "timeout", "interrupted", "not_started"]


@dataclass(frozen=True, kw_only=True)
class Launch:
    """What to start: an argument vector (no shell), where, with what environment, and the later user turns.

    `through` starts it under a process that watches it, and ends what it leaves behind as ours does.
    """

    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str]
    turns: tuple[str, ...] = ()
    timeout: float = 300.0
    through: Supervised | None = None


@dataclass(frozen=True, kw_only=True)
class AgentRun:
    """How it ended. `exit_code` is negative for a signal and None unless the agent exited by itself.

    An agent that is reached by HTTP has no exit code: `status` is that of its last answer, None where it gave no
    whole one (`error` says why). `said` are its replies turn by turn, joined in `stdout`, `answers` all that it sent.
    """

    ended: Ended
    exit_code: int | None = None
    stdout: str = ""
    stdout_cut: bool = False
    stderr: str = ""
    error: str = ""
    status: int | None = None
    said: tuple[str, ...] = ()
    answers: tuple[str, ...] = field(default=(), repr=False)
    started_at: datetime
    duration: float


def run_agent(launch: Launch, stop: threading.Event | None = None) -> AgentRun:
    """Run the agent to its end, its time limit or an interruption; when this returns, nothing of it is alive.

    A KeyboardInterrupt, or `stop` being set, ends the tree and returns `ended="interrupted"`.
    """
    started_at, clock = datetime.now(UTC), time.monotonic()
    status_read, status_write = os.pipe()
    try:
        process = _spawn(launch, status_write)
    except OSError as error:  # the supervising interpreter or the working directory
        os.close(status_read)
        return AgentRun(ended="not_started", error=str(error), started_at=started_at, duration=0.0)
    finally:
        os.close(status_write)
    with os.fdopen(status_read, "rb") as status, process:
        out, err = _Kept(process.stdout, REPLY_LIMIT), _Tail(process.stderr, STDERR_TAIL)
        threads = [_thread(out.drain), _thread(err.drain), _thread(lambda: _say(process.stdin, launch.turns))]
        stop = stop or threading.Event()
        try:
            word = _word(status, launch.timeout, stop)
        except KeyboardInterrupt:
            stop.set()
            word = ""
        if not word:
            _end(process, status)
        for thread in threads:
            thread.join(GRACE)
    ended, code, error_text = _ending(word, stop)
    return AgentRun(
        ended=ended,
        exit_code=code,
        stdout=out.text(),
        stdout_cut=out.cut,
        stderr=err.text(),
        error=error_text,
        started_at=started_at,
        duration=time.monotonic() - clock,
    )


def _spawn(launch: Launch, status_fd: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - an argument vector from the flow, no shell: running it is the job
        _arguments(launch, status_fd),
        cwd=launch.cwd,
        env=dict(launch.env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=(status_fd, *(launch.through.descriptors if launch.through else ())),
        start_new_session=True,
    )


def _arguments(launch: Launch, status_fd: int) -> list[str]:
    if launch.through is not None:
        return launch.through.arguments(launch.argv, status_fd)
    source = files("runwright.run").joinpath("supervise.py").read_text(encoding="utf-8")
    return [sys.executable, "-I", "-S", "-c", source, str(status_fd), *launch.argv]


def _word(status: IO[bytes], timeout: float, stop: threading.Event) -> str:
    """What the supervising process says within the limit: `exit N`, `failed ERRNO`, `unable`, or nothing yet."""
    limit = time.monotonic() + timeout
    while not stop.is_set() and (left := limit - time.monotonic()) > 0:
        if select.select([status], [], [], min(left, STOP_CHECK))[0]:
            return status.readline().decode().strip() or "lost"
    return ""


def _end(process: subprocess.Popen[bytes], status: IO[bytes]) -> None:
    process.terminate()
    if not select.select([status], [], [], GRACE)[0]:
        os.killpg(process.pid, signal.SIGKILL)


def _ending(word: str, stop: threading.Event) -> tuple[Ended, int | None, str]:
    kind, _, number = word.partition(" ")
    if kind == "exit":
        return "exited", int(number), ""
    if kind == "failed":
        return "not_started", None, os.strerror(int(number))
    if kind == "unable":
        return "not_started", None, "it cannot be watched here"
    if kind == "lost":
        return "exited", -int(signal.SIGKILL), "the supervising process was killed"
    return ("interrupted" if stop.is_set() else "timeout"), None, ""


def _say(stdin: IO[bytes] | None, turns: Sequence[str]) -> None:
    if stdin is None:
        return
    try:
        for turn in turns:
            stdin.write(json.dumps({"prompt": turn}).encode() + b"\n")
            stdin.flush()
        stdin.close()
    except BrokenPipeError:  # an agent need not read its standard input
        return


def _thread(work: object) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)  # type: ignore[arg-type]
    thread.start()
    return thread


class _Kept:
    """The first `limit` bytes of a stream; the rest is read and dropped."""

    def __init__(self, stream: IO[bytes] | None, limit: int) -> None:
        self.stream, self.limit, self.cut = stream, limit, False
        self.data = bytearray()

    def drain(self) -> None:
        while self.stream is not None and (piece := os.read(self.stream.fileno(), 65536)):
            room = self.limit - len(self.data)
            self.cut = self.cut or len(piece) > room
            self.data += piece[:room]

    def text(self) -> str:
        told = bytes(self.data).decode("utf-8", "replace")
        return whole_words(told) if self.cut else told


class _Tail(_Kept):
    """The last `limit` bytes of a stream, in whole lines."""

    def drain(self) -> None:
        while self.stream is not None and (piece := os.read(self.stream.fileno(), 65536)):
            self.data += piece
            self.cut = self.cut or len(self.data) > self.limit
            del self.data[: -self.limit]

    def text(self) -> str:
        told = bytes(self.data).decode("utf-8", "replace")
        return last_lines(told, len(told) - 1) if self.cut else told
