"""Running a command here, and telling what it did."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

from runwright.errors import CapabilityError, UsageError
from runwright.record.observe import WAIT, End, Observed
from runwright.record.observe.journal import Log
from runwright.record.observe.supervised import other_machine, ran
from runwright.record.watch import Http, Wanted, Watch


def observe(
    command: Sequence[str],
    workspace: Path | None = None,
    *,
    folder: Path | None = None,
    wait: float = WAIT,
    environment: Mapping[str, str] | None = None,
    everything: bool = False,
    dry: bool = False,
    http: Http = "hooks",
    databases: Sequence[str] = (),
) -> Observed:
    """Run a command and tell what it, and all it starts, did to files and databases, and asked of others by HTTP.

    Its output goes to standard error. `workspace` is where files are told by name and content (default: here); `folder`
    is where the command runs (default: here). `everything` leaves no noise out; `dry` throws away all that it changed
    in files, once that is told. `databases` are addresses of those that are observed beside those of SQLite in the
    workspace. CapabilityError where calls or databases cannot be observed, or nothing thrown away: then nothing was
    run; UsageError where there is no such command or workspace.
    """
    folder = folder or Path.cwd()
    if not command:
        raise UsageError("there is no command to observe", hint="runwright observe -- COMMAND")
    _started(Log(unable=other_machine()), command)
    wanted = Wanted(
        folder=folder,
        workspace=workspace or folder,
        environment=os.environ if environment is None else environment,
        wait=wait,
        http=http,
        databases=tuple(databases),
        everything=everything,
        dry=dry,
    )
    with Watch(wanted) as watch:
        interrupted = not ran(watch.supervised, command, watch.environment)
        log = watch.supervised.log()
        _started(log, command)
        observed = watch.seen(command, End(log, interrupted, _writable_input(), _outputs())).observed
    if observed is None:
        raise AssertionError("a workspace is looked at")
    return observed


def _started(log: Log, command: Sequence[str]) -> None:
    """Raise what kept the command from being run."""
    if log.unable:
        hint = "a container may need --security-opt seccomp=unconfined; within another observation there is none"
        raise CapabilityError(f"side effects cannot be observed here: {log.unable}", hint=hint)
    if log.failed:
        raise UsageError(f"it cannot be started: {os.strerror(log.failed).lower()}", place=command[0])


def _outputs() -> frozenset[tuple[int, int]]:
    """The files that our own output goes to: a command that prints to one does not change it."""
    found = [os.fstat(each) for each in (1, 2) if _is_open(each)]
    return frozenset((each.st_dev, each.st_ino) for each in found if stat.S_ISREG(each.st_mode))


def _writable_input() -> bool:
    """Whether the command was handed a file to write to that it need not open."""
    if not _is_open(0) or not stat.S_ISREG(os.fstat(0).st_mode):
        return False
    return fcntl.fcntl(0, fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True
