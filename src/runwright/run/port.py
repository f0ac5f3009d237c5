"""One replay at a time where an agent expects its model at a port of its own."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from runwright.errors import Unreachable

CHECK = 0.05
"""Seconds between two tries."""


@contextmanager
def port_turn(port: int, stop: threading.Event, *, patience: float, place: str) -> Iterator[bool]:
    """Hold the port against every other replay on this machine; false where `stop` was set while waiting.

    What is held is a name that lives exactly as far as ports do and dies with the process: replays in one process
    and in several wait for each other alike. Unreachable once `patience` seconds are over.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as held:
        limit = time.monotonic() + patience
        while not _takes(held, port):
            if time.monotonic() > limit:
                raise Unreachable(f"another replay still uses port {port}", place=place, hint="wait for it to end")
            if stop.wait(CHECK):
                yield False
                return
        yield True


def _takes(held: socket.socket, port: int) -> bool:
    try:
        held.bind(f"\0runwright-proxy-port-{port}")
    except OSError:  # somebody holds it
        return False
    return True
