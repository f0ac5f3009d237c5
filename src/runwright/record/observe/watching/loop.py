"""Waiting for many descriptors and times at once, behind one descriptor that can itself be waited for."""

from __future__ import annotations

import heapq
import itertools
import select
import time
from collections.abc import Callable

IN, OUT = select.EPOLLIN, select.EPOLLOUT
BROKEN = select.EPOLLERR | select.EPOLLHUP

Handler = Callable[[int], None]


class Loop:
    """What is waited for, and what is done once it comes."""

    def __init__(self) -> None:
        self._poll = select.epoll()
        self._handlers: dict[int, Handler] = {}
        self._times: list[tuple[float, int, Callable[[], None]]] = []
        self._number = itertools.count()

    @property
    def descriptor(self) -> int:
        """Readable when there is something to do."""
        return self._poll.fileno()

    def watch(self, descriptor: int, events: int, handler: Handler) -> None:
        """Call the handler with what happened each time that one of the events happens."""
        if descriptor in self._handlers:
            self._poll.modify(descriptor, events)
        else:
            self._poll.register(descriptor, events)
        self._handlers[descriptor] = handler

    def forget(self, descriptor: int) -> None:
        """Watch it no more: to be said before it is closed."""
        if self._handlers.pop(descriptor, None) is not None:
            self._poll.unregister(descriptor)

    def later(self, seconds: float, do: Callable[[], None]) -> None:
        """Do something once, when the time has come."""
        heapq.heappush(self._times, (time.monotonic() + seconds, next(self._number), do))

    def patience(self) -> int | None:
        """Milliseconds to the next time; None where there is none."""
        return max(0, int(1000 * (self._times[0][0] - time.monotonic())) + 1) if self._times else None

    def turn(self, seconds: float = 0) -> bool:
        """Do what is to be done now, or once it comes within so many seconds; false where nothing came."""
        events = self._poll.poll(seconds)
        for descriptor, event in events:
            handler = self._handlers.get(descriptor)
            if handler is not None:
                handler(event)
        while self._times and self._times[0][0] <= time.monotonic():
            heapq.heappop(self._times)[2]()
        return bool(events)
