"""Whether calls can be observed here: the whole sequence, once, in a process that is thrown away."""

from __future__ import annotations

import errno
import os
import select
from typing import NamedTuple, NoReturn

from . import kernel
from .files.places import HERE, Places
from .start import filtered

PATIENCE = 5000  # milliseconds
EXPECTED = b"/dev/null"


class Barred(NamedTuple):
    """Why calls cannot be observed here, and why sockets of a command cannot be taken hold of; empty where they can."""

    calls: str = ""
    sockets: str = ""


def barred() -> Barred:
    """What is barred, tried out."""
    try:
        started = filtered(_open_one, "/")
    except OSError as error:
        return Barred(f"no filter of system calls can be set up: {(error.strerror or str(error)).lower()}")
    try:
        return _seen(started.listener)
    except OSError as error:
        return Barred(f"what a call means cannot be read: {(error.strerror or str(error)).lower()}")
    finally:
        os.close(started.listener)  # whatever still waits goes on with ENOSYS
        os.waitpid(started.process, 0)


def _open_one() -> NoReturn:
    os.close(os.open(EXPECTED[1:], os.O_WRONLY))
    os._exit(0)


def _seen(listener: int) -> Barred:
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    if not poll.poll(PATIENCE):
        return Barred("no system call was told")
    notice = kernel.receive(listener)
    if notice is None:
        return Barred("the first system call was lost")
    path = kernel.text(notice.thread, notice.arguments[1])
    real = Places().real(notice.thread, HERE, path, follow=True)
    sockets = _out_of_reach(notice.thread)
    kernel.proceed(listener, notice)
    return Barred("" if real == EXPECTED else "a path was followed to another file", sockets)


def _out_of_reach(thread: int) -> str:
    try:
        os.close(kernel.taken(thread, 0))
    except OSError as error:
        if error.errno != errno.EBADF:
            return f"a socket of another process cannot be taken hold of: {(error.strerror or str(error)).lower()}"
    return ""
