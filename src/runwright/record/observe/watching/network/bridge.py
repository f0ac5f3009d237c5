"""What goes from the command's network to where it is allowed to: connections and datagrams, handed on byte by byte.

The command never holds a socket of another network than its own, so nothing that it does to one leads out.
"""

from __future__ import annotations

import contextlib
import errno
import socket
import struct
import time
from collections.abc import Callable
from typing import Any

from ..loop import BROKEN, IN, OUT, Loop
from .endpoints import Endpoint
from .inner import Inner

AT_ONCE = 1 << 16
KEPT = 10.0
"""Seconds that a connection outward waits for the one that it was made for."""
LAST, A_MOMENT = 2.0, 0.005
"""Seconds that what was said last is handed on, and that it is listened for."""
QUIET = 60.0
"""Seconds without a datagram after which answers to the last one are waited for no more."""
ABORT = struct.pack("ii", 1, 0)

Sender = tuple[Any, ...]


class Bridge:
    """Ways from the inner network to endpoints outside, made when they are first needed."""

    def __init__(self, loop: Loop, inner: Inner, tell: Callable[[Endpoint], None]) -> None:
        """`tell` is told each endpoint that a datagram went to."""
        self._loop = loop
        self._inner = inner
        self._tell = tell
        self._offered: dict[Endpoint, list[socket.socket]] = {}
        self._streams: dict[Endpoint, socket.socket] = {}
        self._pairs: set[Pair] = set()
        self._datagrams: dict[Endpoint, socket.socket] = {}

    def open(self, endpoint: Endpoint) -> bool:
        """Let connections to the endpoint come here; false where the command itself serves there."""
        if endpoint in self._streams:
            return True
        try:
            listener = self._inner.stream(endpoint)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            return False
        self._streams[endpoint] = listener
        self._loop.watch(listener.fileno(), IN, lambda _: self._accept(endpoint, listener))
        return True

    def reach(self, endpoint: Endpoint, done: Callable[[int], None], patience: float | None) -> None:
        """Connect to the endpoint outside, for the next connection that comes for it; `done` is told the errno or 0.

        After so many seconds of `patience` it is 0 too: then the connection that comes hears of the end by itself.
        """
        outside, code = _begun(endpoint)
        if code == 0:
            self._offer(endpoint, outside)
        elif code == errno.EINPROGRESS:
            Attempt(self._loop, outside, lambda: self._offer(endpoint, outside), done, patience)
            return
        else:
            outside.close()
        done(code)

    def open_datagrams(self, endpoint: Endpoint) -> bool:
        """Let datagrams to the endpoint come here; false where the command itself serves there."""
        if endpoint in self._datagrams:
            return True
        try:
            here = self._inner.datagrams(endpoint)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            return False
        self._datagrams[endpoint] = here
        Datagrams(self._loop, here, endpoint, lambda: self._tell(endpoint))
        return True

    def _offer(self, endpoint: Endpoint, outside: socket.socket) -> None:
        waiting = self._offered.setdefault(endpoint, [])
        waiting.append(outside)

        def late() -> None:
            if outside in waiting:
                waiting.remove(outside)
                outside.close()

        self._loop.later(KEPT, late)

    def _accept(self, endpoint: Endpoint, listener: socket.socket) -> None:
        try:
            inside, _ = listener.accept()
        except OSError:  # it went before it was taken
            return
        inside.setblocking(False)
        offered = self._offered.get(endpoint)
        if offered:
            self._join(inside, offered.pop(0))
            return
        try:
            outside, code = _begun(endpoint)
        except OSError:  # no descriptor is left for it
            _abort(inside)
            return
        if code in (0, errno.EINPROGRESS):
            self._join(inside, outside)
        else:
            outside.close()
            _abort(inside)

    def _join(self, inside: socket.socket, outside: socket.socket) -> None:
        pair = Pair(self._loop, inside, outside, lambda: self._pairs.discard(pair))
        self._pairs.add(pair)

    def finish(self) -> None:
        """Hand on what processes said before they ended, for a while."""
        end = time.monotonic() + LAST
        while (self._loop.turn(A_MOMENT) or any(each.speaks for each in self._pairs)) and time.monotonic() < end:
            continue


def _begun(endpoint: Endpoint) -> tuple[socket.socket, int]:
    """A socket of this process's own network that begins to connect, and what connect(2) said."""
    made = socket.socket(endpoint.family, socket.SOCK_STREAM)
    made.setblocking(False)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made, made.connect_ex((endpoint.text, endpoint.port))


def _abort(end: socket.socket) -> None:
    """Close it such that the other side hears of a failure, not of an end."""
    with contextlib.suppress(OSError):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, ABORT)
    end.close()


class Attempt:
    """A connection that is being made: `offer` is called once it may be used, then `done` with how it went."""

    def __init__(
        self,
        loop: Loop,
        outside: socket.socket,
        offer: Callable[[], None],
        done: Callable[[int], None],
        patience: float | None,
    ) -> None:
        self._loop = loop
        self._outside = outside
        self._offer = offer
        self._done = done
        self._waits = True
        loop.watch(outside.fileno(), OUT, self._finished)
        if patience is not None:
            loop.later(patience, self._late)

    def _finished(self, _: int) -> None:
        self._end(self._outside.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR))

    def _late(self) -> None:
        if self._waits:
            self._end(0)

    def _end(self, code: int) -> None:
        self._waits = False
        self._loop.forget(self._outside.fileno())
        if code:
            self._outside.close()
        else:
            self._offer()
        self._done(code)


class Pair:
    """Two connections, what comes on one sent on the other, each direction ending by itself; `gone` is called last."""

    def __init__(self, loop: Loop, one: socket.socket, other: socket.socket, gone: Callable[[], None]) -> None:
        self._loop = loop
        self._gone = gone
        self._ends = (one, other)
        self._held = [b"", b""]
        self._ended = [False, False]
        with contextlib.suppress(OSError):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for side in (0, 1):
            self._await(side)

    @property
    def speaks(self) -> bool:
        """Whether something may come from the first that the other has not got."""
        return not self._ended[0] or bool(self._held[1])

    def _await(self, side: int) -> None:
        """Wait for what this side can do: be read while nothing of it is held, be written to while something is."""
        events = (0 if self._ended[side] or self._held[1 - side] else IN) | (OUT if self._held[side] else 0)
        if events:
            self._loop.watch(self._ends[side].fileno(), events, lambda event: self._step(side, event))
        else:
            self._loop.forget(self._ends[side].fileno())  # that it was hung up would be told again and again

    def _step(self, side: int, event: int) -> None:
        try:
            if event & (OUT | BROKEN) and self._held[side]:
                self._write(side)
            if event & (IN | BROKEN) and not self._ended[side] and not self._held[1 - side]:
                self._read(side)
        except BlockingIOError:
            pass
        except OSError:
            self._close(_abort)
            return
        if all(self._ended) and not any(self._held):
            self._close(socket.socket.close)
            return
        for each in (0, 1):
            self._await(each)

    def _read(self, side: int) -> None:
        data = self._ends[side].recv(AT_ONCE)
        other = 1 - side
        if data:
            self._held[other] = data
            self._write(other)
        else:
            self._ended[side] = True
            self._ends[other].shutdown(socket.SHUT_WR)

    def _write(self, side: int) -> None:
        sent = self._ends[side].send(self._held[side])
        self._held[side] = self._held[side][sent:]

    def _close(self, close: Callable[[socket.socket], None]) -> None:
        for each in self._ends:
            self._loop.forget(each.fileno())
            close(each)
        self._gone()


class Datagrams:
    """Datagrams to one endpoint outside, and the answers to those that sent them."""

    def __init__(self, loop: Loop, here: socket.socket, endpoint: Endpoint, tell: Callable[[], None]) -> None:
        self._loop = loop
        self._here = here
        self._endpoint = endpoint
        self._tell = tell
        self._outside: dict[Sender, socket.socket] = {}
        loop.watch(here.fileno(), IN, lambda _: self._out())

    def _out(self) -> None:
        with contextlib.suppress(OSError):  # a datagram may be lost
            data, sender = self._here.recvfrom(AT_ONCE)
            outside = self._outside.get(sender)
            if outside is None:
                outside = socket.socket(self._endpoint.family, socket.SOCK_DGRAM)
                outside.setblocking(False)
                outside.connect((self._endpoint.text, self._endpoint.port))
                self._outside[sender] = outside
                self._loop.watch(outside.fileno(), IN, lambda _: self._back(sender))
                self._loop.later(QUIET, lambda: self._drop(sender))
            outside.send(data)
            self._tell()

    def _back(self, sender: Sender) -> None:
        with contextlib.suppress(OSError):
            data = self._outside[sender].recv(AT_ONCE)
            self._here.sendto(data, sender)

    def _drop(self, sender: Sender) -> None:
        outside = self._outside.pop(sender, None)
        if outside is not None:
            self._loop.forget(outside.fileno())
            outside.close()
