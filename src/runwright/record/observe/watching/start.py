"""Starting a command behind the filter, and getting hold of the filter's listener."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable
from typing import NamedTuple, NoReturn

from . import kernel, namespaces
from .bpf import Looked
from .network import landlock
from .network.reach import APART, SHARED

IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)


class Started(NamedTuple):
    """A process behind the filter, and the descriptor that its calls are told on."""

    process: int
    listener: int


class Bounds(NamedTuple):
    """What surrounds a command: the calls that are looked at, and what it is `held` by beside them.

    `network` is a descriptor of the one that it enters, -1 for none; `alone` takes from it the reach of other processes
    where no namespace does.
    """

    looked: Looked = Looked()
    held: bool = False
    network: int = -1
    alone: bool = False


def start(command: list[str], folder: str, bounds: Bounds = Bounds()) -> Started | int:  # noqa: B008 - it is frozen
    """The command, started in the folder within its bounds, or the errno that kept it from that."""
    readable, writable = os.pipe()  # closed by a successful exec, so silence means started

    def become() -> NoReturn:
        try:
            os.execvp(command[0], command)  # noqa: S606 - no shell is the point
        except OSError as error:
            os.write(writable, str(error.errno).encode())
        os._exit(127)

    try:
        started = filtered(become, folder, bounds)
    finally:
        os.close(writable)
    failure = os.read(readable, 16)
    os.close(readable)
    if not failure:
        return started
    os.waitpid(started.process, 0)
    os.close(started.listener)
    return int(failure)


def filtered(work: Callable[[], NoReturn], folder: str, bounds: Bounds = Bounds()) -> Started:  # noqa: B008 - the same
    """A new process that does the work behind the filter. OSError where none can be set up."""
    ours, theirs = socket.socketpair()
    process = os.fork()
    if process == 0:
        _behind(theirs, work, folder, bounds)
    theirs.close()
    with ours:
        said, descriptors, _, _ = socket.recv_fds(ours, 16, 1)
        if said[:1] == b"=":
            listener = descriptors[0] if descriptors else kernel.taken(process, int(said[1:]))
            ours.send(b"=")
            kernel.wake_at_once(listener)
            return Started(process, listener)
    os.waitpid(process, 0)
    code = int(said or b"0")
    raise OSError(code, os.strerror(code) if code else "it ended without a word")


def _behind(told: socket.socket, work: Callable[[], NoReturn], folder: str, bounds: Bounds) -> NoReturn:
    try:
        for number in (*IGNORED_BY_PYTHON, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        os.chdir(folder)
        kernel.prctl(kernel.PARENT_DEATH_SIGNAL, signal.SIGKILL)  # without its observer most of its calls would fail
        if bounds.network >= 0:
            namespaces.enter_network(bounds.network)
        if bounds.held:
            namespaces.give_up()
        if bounds.looked.network in (APART, SHARED):
            kernel.close_on_exec()
        if bounds.alone:
            if known := landlock.version():
                landlock.apart(known)
            _ask_by_connection()
        listener = kernel.install(bounds.looked)
        _hand_over(told, listener, bounds)
        os.close(listener)
        told.close()
        work()
    except OSError as error:
        told.send(str(error.errno or 0).encode())
    finally:
        os._exit(126)


def _ask_by_connection() -> None:
    """Where there are no datagrams, names are asked about by TCP: a setting of the C library."""
    os.environ["RES_OPTIONS"] = f"{os.environ.get('RES_OPTIONS', '')} use-vc".strip()


def _hand_over(told: socket.socket, listener: int, bounds: Bounds) -> None:
    said = b"=%d" % listener
    if bounds.looked.network:
        os.write(told.fileno(), said)  # sending it would be a call that waits for an answer of whoever has it
    else:
        socket.send_fds(told, [said], [listener])
    os.read(told.fileno(), 1)
