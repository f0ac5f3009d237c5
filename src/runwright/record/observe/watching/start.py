"""Starting a command behind the filter, and getting hold of the filter's listener."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable
from typing import NamedTuple, NoReturn

from . import kernel, namespaces

IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)


class Started(NamedTuple):
    """A process behind the filter, and the descriptor that its calls are told on."""

    process: int
    listener: int


def start(command: list[str], folder: str, *, held: bool = False) -> Started | int:
    """The command, started in the folder, or the errno that kept it from starting; `held`: without a way out of its world."""
    readable, writable = os.pipe()  # closed by a successful exec, so silence means started

    def become() -> NoReturn:
        try:
            os.execvp(command[0], command)  # noqa: S606 - no shell is the point
        except OSError as error:
            os.write(writable, str(error.errno).encode())
        os._exit(127)

    try:
        started = filtered(become, folder, held=held)
    finally:
        os.close(writable)
    failure = os.read(readable, 16)
    os.close(readable)
    if not failure:
        return started
    os.waitpid(started.process, 0)
    os.close(started.listener)
    return int(failure)


def filtered(work: Callable[[], NoReturn], folder: str, *, held: bool = False) -> Started:
    """A new process that does the work behind the filter. OSError where none can be set up."""
    ours, theirs = socket.socketpair()
    process = os.fork()
    if process == 0:
        _behind(theirs, work, folder, held)
    theirs.close()
    with ours:
        said, descriptors, _, _ = socket.recv_fds(ours, 16, 1)
    if descriptors:
        kernel.wake_at_once(descriptors[0])
        return Started(process, descriptors[0])
    os.waitpid(process, 0)
    code = int(said or b"0")
    raise OSError(code, os.strerror(code) if code else "it ended without a word")


def _behind(told: socket.socket, work: Callable[[], NoReturn], folder: str, held: bool) -> NoReturn:
    try:
        for number in (*IGNORED_BY_PYTHON, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        os.chdir(folder)
        kernel.prctl(kernel.PARENT_DEATH_SIGNAL, signal.SIGKILL)  # without its observer most of its calls would fail
        if held:
            namespaces.give_up()
        listener = kernel.install(times=held)
        socket.send_fds(told, [b"0"], [listener])
        os.close(listener)
        told.close()
        work()
    except OSError as error:
        told.send(str(error.errno or 0).encode())
    finally:
        os._exit(126)
