"""Carrying out a connect(2) for a command, on a descriptor of our own of its socket, without ever waiting for it."""

from __future__ import annotations

import errno
import fcntl
import os
import socket

from .. import kernel
from ..loop import OUT, Loop

SOON = 0.01


class Connect:
    """A call of connect that waits for its answer, the socket that it is about, and the address as it was copied."""

    def __init__(self, listener: int, loop: Loop, notice: kernel.Notice, taken: socket.socket, address: bytes) -> None:
        self.notice = notice
        self.socket = taken
        self.address = address
        self._listener = listener
        self._loop = loop
        flags = fcntl.fcntl(taken, fcntl.F_GETFL)
        self._flags = flags
        self.waits = not flags & os.O_NONBLOCK
        self._kept = -1

    def answer(self, code: int) -> None:
        """End it, with an errno or 0."""
        self.close()
        kernel.answer(self._listener, self.notice, code)

    def close(self) -> None:
        """Let go of what it holds."""
        self.socket.close()
        if self._kept >= 0:
            os.close(self._kept)
            self._kept = -1

    def make_to(self, file: int) -> None:
        """The same to a Unix socket's file, by a descriptor that is closed with this."""
        self._kept = file
        self.address = b"\1\0/proc/self/fd/%d\0" % file
        self.make()

    def make(self) -> None:
        """Do what the call would have done, and answer it as it would have been answered."""
        if self.waits:  # for a moment it does not, since nobody here may
            fcntl.fcntl(self.socket, fcntl.F_SETFL, self._flags | os.O_NONBLOCK)
        try:
            code = kernel.connect(self.socket.fileno(), self.address)
        finally:
            if self.waits:
                fcntl.fcntl(self.socket, fcntl.F_SETFL, self._flags)
        if self.waits and code == errno.EINPROGRESS:
            self._loop.watch(self.socket.fileno(), OUT, self._made)
        elif self.waits and code == errno.EAGAIN:  # a Unix socket whose queue is full
            self._loop.later(SOON, self._again)
        else:
            self.answer(code)

    def _made(self, _: int) -> None:
        self._loop.forget(self.socket.fileno())
        self.answer(self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR))

    def _again(self) -> None:
        if kernel.waits(self._listener, self.notice):
            self.make()
        else:
            self.close()
