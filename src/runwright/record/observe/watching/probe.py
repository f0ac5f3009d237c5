"""Whether calls can be observed here: the whole sequence, once, in a process that is thrown away."""

from __future__ import annotations

import errno
import os
import select
from typing import NoReturn

from . import kernel
from .places import HERE, Places
from .start import filtered

PATIENCE = 5000  # milliseconds
EXPECTED = b"/dev/null"


def unable(*, connecting: bool = False) -> str:
    """Why calls cannot be observed here, or none of `connecting` carried out for a command; empty where they can."""
    try:
        started = filtered(_open_one, "/")
    except OSError as error:
        return f"no filter of system calls can be set up: {(error.strerror or str(error)).lower()}"
    try:
        return _seen(started.listener, connecting)
    except OSError as error:
        return f"what a call means cannot be read: {(error.strerror or str(error)).lower()}"
    finally:
        os.close(started.listener)  # whatever still waits goes on with ENOSYS
        os.waitpid(started.process, 0)


def _open_one() -> NoReturn:
    os.close(os.open(EXPECTED[1:], os.O_WRONLY))
    os._exit(0)


def _seen(listener: int, connecting: bool) -> str:
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    if not poll.poll(PATIENCE):
        return "no system call was told"
    notice = kernel.receive(listener)
    if notice is None:
        return "the first system call was lost"
    path = kernel.text(notice.thread, notice.arguments[1])
    real = Places().real(notice.thread, HERE, path, follow=True)
    if connecting and (reason := _unreachable(notice.thread)):
        return reason
    kernel.proceed(listener, notice)
    return "" if real == EXPECTED else "a path was followed to another file"


def _unreachable(thread: int) -> str:
    try:
        os.close(kernel.taken(thread, 0))
    except OSError as error:
        if error.errno != errno.EBADF:
            return f"a socket of another process cannot be taken hold of: {(error.strerror or str(error)).lower()}"
    return ""
