"""Unix sockets: only those that processes of the run itself listen on may be connected to."""

from __future__ import annotations

import errno
import os
import socket
import stat
from collections.abc import Callable

from ..files.places import HERE, Places
from . import netlink
from .contacts import BLOCKED, Contact
from .waiting import Connect


class Unixes:
    """Which are the run's own: those of its network, or where that is shared those that it was seen to listen on."""

    def __init__(self, asked: socket.socket, *, apart: bool, tell: Callable[[Contact], None]) -> None:
        self._asked = asked
        self._apart = apart
        self._tell = tell
        self._places = Places()
        self._places.own_roots = True
        self._own: set[int] = set()

    def listens(self, descriptor: int) -> None:
        """A socket of the run's is listened on."""
        self._own.add(os.fstat(descriptor).st_ino)

    def connect(self, call: Connect) -> None:
        """Carry out the call, or refuse it."""
        name = call.address[2:]
        if name[:1] in (b"", b"\0"):
            self._abstract(call, name)
        else:
            self._file(call, name.split(b"\0")[0])

    def _abstract(self, call: Connect, name: bytes) -> None:
        if self._apart or any(each.name == name for each in self._found()):
            call.make()
        else:
            self._refuse(call, b"@" + name[1:])

    def _file(self, call: Connect, name: bytes) -> None:
        try:
            real = self._places.real(call.notice.thread, HERE, name, follow=True)
            opened = os.open(real, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError as error:
            call.answer(error.errno or errno.EACCES)
            return
        found = os.fstat(opened)
        if stat.S_ISSOCK(found.st_mode) and any(each.file == (found.st_dev, found.st_ino) for each in self._found()):
            call.make_to(opened)
            return
        os.close(opened)
        if stat.S_ISSOCK(found.st_mode):
            self._refuse(call, real)
        else:
            call.answer(errno.ECONNREFUSED)

    def _found(self) -> list[netlink.Bound]:
        try:
            found = list(netlink.unix_sockets(self._asked))
        except OSError:  # a kernel that does not tell: then none is known to be the run's own
            return []
        return [each for each in found if self._apart or each.number in self._own]

    def _refuse(self, call: Connect, name: bytes) -> None:
        self._tell(Contact("unix", BLOCKED, os.fsdecode(name)))
        call.answer(errno.EACCES)
