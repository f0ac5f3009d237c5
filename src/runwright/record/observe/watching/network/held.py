"""The network of a command: what it reaches out to is told, and where it is held, only what is allowed comes about.

No call of connect(2) is let go on as it was made: its address, and what its descriptor is, may be another by the time
that the kernel looks. It is carried out here, on a descriptor of our own of the same socket, with the address that was
looked at.
"""

from __future__ import annotations

import errno
import resource
import socket
import struct
from collections.abc import Callable

from .. import kernel
from ..journal import Journal
from ..loop import Loop
from . import names
from .bpf import BIND, CONNECT, FAST_OPEN, FLAGS, LISTEN, SENDMMSG, SENDMSG, SENDTO, SOCKET, SOCKETPAIR
from .bridge import Bridge
from .contacts import ALLOWED, BLOCKED, LOCAL, Contact, Contacts
from .endpoints import LONGEST, UNIX, UNSPECIFIED, Endpoint, endpoint, of_text, opened, written
from .families import refused_pair, refused_socket
from .inner import Inner
from .messages import messages
from .netlink import DIAGNOSIS
from .reach import Reach
from .unixes import Unixes
from .waiting import Connect

PATIENCE = 0.05
"""Seconds that a program which does not wait for its connections is kept, to be told at once that there is no way."""
NO_WAY = errno.ENETUNREACH


class Network:
    """Takes the calls of one run that are about the network. `inner` is its own network, None where it is shared."""

    def __init__(self, listener: int, journal: Journal, reach: Reach, inner: Inner | None) -> None:
        self.loop = Loop()
        self._listener = listener
        self._contacts = Contacts(journal)
        self._local = frozenset(reach.local)
        self._openings = reach.opened()
        self._named = {each: name for name, addresses in reach.named().items() for each in addresses}
        self._servers = frozenset(reach.asked())
        self._own: set[int] = set()
        self._names = names.Names(reach, self._asked)
        self._bridge = None if inner is None else Bridge(self.loop, inner, self._passed)
        asked = inner.asked if inner else socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, DIAGNOSIS)
        self._unixes = Unixes(asked, apart=inner is not None, tell=self._contacts.tell)
        self._takes: dict[int, Callable[[kernel.Notice], None]] = {
            CONNECT: self._connect, LISTEN: self._listen, SOCKET: self._socket, SOCKETPAIR: self._pair,
            SENDTO: self._send, SENDMSG: self._send, SENDMMSG: self._send,
        }  # fmt: skip
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # each connection that is handed on takes two
        if inner is not None:
            names.serve(self.loop, inner, self._names, reach.asked())
        else:
            self._answering = names.serve_here(self.loop, self._names)

    def takes(self, number: int) -> bool:
        """Whether a call is one of these."""
        return number in self._takes or (number == BIND and self._bridge is None)

    def take(self, notice: kernel.Notice) -> bool:
        """Carry it out, refuse it or let it go on, its answer may come later; false where it is none of the network."""
        try:
            if notice.number == BIND:
                return self._bind(notice)
            self._takes[notice.number](notice)
        except OSError as error:
            kernel.answer(self._listener, notice, error.errno or errno.EACCES)
        return True

    def finish(self) -> None:
        """Hand on what was said last, and write down what is known by the end alone."""
        if self._bridge is not None:
            self._bridge.finish()
        self._contacts.finish()

    def _connect(self, notice: kernel.Notice) -> None:
        descriptor, at, size = notice.arguments[0] & 0xFFFFFFFF, notice.arguments[1], notice.arguments[2] & 0xFFFFFFFF
        if size > LONGEST:
            raise OSError(errno.EINVAL, "no address is that long")
        address = kernel.memory(notice.thread, at, size) if size else b""
        taken = socket.socket(fileno=kernel.taken(notice.thread, descriptor))
        call = Connect(self._listener, self.loop, notice, taken, address)
        try:
            self._decide(call)
        except BaseException:
            call.close()
            raise

    def _decide(self, call: Connect) -> None:
        there = endpoint(call.address)
        if call.socket.family == UNIX:
            self._unixes.connect(call)
        elif call.socket.family not in (socket.AF_INET, socket.AF_INET6) or _disconnects(call.address):
            call.make()
        elif there is None or _is_connected(call.socket):
            call.make()  # the kernel says what is wrong with it
        elif call.socket.type == socket.SOCK_STREAM:
            self._stream(call, there)
        else:
            self._datagram(call, there)

    def _stream(self, call: Connect, there: Endpoint) -> None:
        may = self._may(there)
        if not self._is_name_server(there):
            self._tell("tcp", LOCAL if there.loopback else ALLOWED if may else BLOCKED, there)
        if not may:
            call.answer(
                errno.ECONNREFUSED if there.loopback else NO_WAY
            )  # of a loopback of its own it would be the same
            return
        there = there.given()
        if self._bridge is None:
            if self._is_name_server(there):
                call.address = written(self._answering, call.socket.family)
            call.make()
            return
        if not self._leads_out(there) or not self._bridge.open(there):
            call.make()
            return

        def settled(code: int) -> None:
            if code:
                call.answer(code)
            else:
                call.make()

        self._bridge.reach(there, settled, None if call.waits else PATIENCE)

    def _may(self, there: Endpoint) -> bool:
        """Whether it may be connected to: all of the loopback of its own network, of the machine's where it listens."""
        if self._leads_out(there) or self._is_name_server(there):
            return True
        return there.loopback and (self._bridge is not None or there.port in self._own)

    def _leads_out(self, there: Endpoint) -> bool:
        return (there.loopback and there.port in self._local) or opened(there, self._openings)

    def _datagram(self, call: Connect, there: Endpoint) -> None:
        if self._bridge is None or not self._may(there):
            self._tell("udp", BLOCKED, there)
            call.answer(NO_WAY)
            return
        if self._leads_out(there):
            self._bridge.open_datagrams(there)
        call.make()

    def _is_name_server(self, there: Endpoint) -> bool:
        return there.port == names.PORT and there.host in self._servers

    def _send(self, notice: kernel.Notice) -> None:
        code = 0
        for message in messages(notice):
            there = endpoint(message.address)
            if there is not None:
                code = self._refusal(notice, there, message.data) or code
        if code:
            kernel.answer(self._listener, notice, code)
        else:
            kernel.proceed(self._listener, notice)  # it can only go where its own network leads

    def _refusal(self, notice: kernel.Notice, there: Endpoint, data: bytes) -> int:
        """The errno for a datagram to an address, 0 to let it go on."""
        if notice.arguments[FLAGS[notice.number]] & FAST_OPEN:
            if not self._may(there):
                self._tell("tcp", BLOCKED, there)
            return errno.EOPNOTSUPP
        if self._is_name_server(there):
            return 0
        if there.port == names.PORT:
            self._names.answer(data)
        if self._bridge is None or not self._may(there):
            self._tell("udp", BLOCKED, there)
            return NO_WAY
        if self._leads_out(there):
            self._bridge.open_datagrams(there)
        return 0

    def _bind(self, notice: kernel.Notice) -> bool:
        """In a network that is shared, an address that means all of the machine's means its loopback."""
        descriptor, at, size = notice.arguments[0] & 0xFFFFFFFF, notice.arguments[1], notice.arguments[2] & 0xFFFFFFFF
        with socket.socket(fileno=kernel.taken(notice.thread, descriptor)) as taken:
            if taken.family not in (socket.AF_INET, socket.AF_INET6):
                return False
            address = kernel.memory(notice.thread, at, min(size, LONGEST)) if size else b""
            there = endpoint(address)
            if there is not None and there != there.given():
                there = there.given()
                address = written(there, taken.family)
            kernel.answer(self._listener, notice, kernel.bind(taken.fileno(), address))
        return True

    def _listen(self, notice: kernel.Notice) -> None:
        """In a network that is shared: only where nobody comes from outside."""
        taken = socket.socket(fileno=kernel.taken(notice.thread, notice.arguments[0] & 0xFFFFFFFF))
        with taken:
            if taken.family in (socket.AF_INET, socket.AF_INET6):
                there = of_text(*taken.getsockname()[:2])
                if not there.port:
                    taken.bind(("127.0.0.1" if taken.family == socket.AF_INET else "::1", 0))
                elif there.given() != there or not there.loopback:
                    self._tell("listen", BLOCKED, there)
                    raise OSError(errno.EACCES, "it would be open to others")
                port = taken.getsockname()[1]
                taken.listen(notice.arguments[1] & 0xFFFF)
                self._own.add(port)
            else:
                taken.listen(notice.arguments[1] & 0xFFFF)
                self._unixes.listens(taken.fileno())
        kernel.answer(self._listener, notice, 0)

    def _socket(self, notice: kernel.Notice) -> None:
        self._judged(notice, refused_socket(notice.arguments, apart=self._bridge is not None))

    def _pair(self, notice: kernel.Notice) -> None:
        self._judged(notice, refused_pair(notice.arguments))

    def _judged(self, notice: kernel.Notice, refused: tuple[int, str] | None) -> None:
        if refused is None:
            kernel.proceed(self._listener, notice)
            return
        code, what = refused
        if what:
            self._contacts.tell(Contact("socket", BLOCKED, what))
        kernel.answer(self._listener, notice, code)

    def _passed(self, there: Endpoint) -> None:
        self._tell("udp", ALLOWED, there)

    def _asked(self, name: str) -> None:
        self._contacts.tell(Contact("dns", BLOCKED, name=name))

    def _tell(self, protocol: str, verdict: str, there: Endpoint) -> None:
        name = self._named.get(there.host, "")
        self._contacts.tell(Contact(protocol, verdict, there.text, there.port, name))


def _disconnects(address: bytes) -> bool:
    return len(address) >= 2 and struct.unpack_from("H", address)[0] == UNSPECIFIED


def _is_connected(taken: socket.socket) -> bool:
    try:
        taken.getpeername()
    except OSError:
        return False
    return taken.type == socket.SOCK_STREAM
