"""A connection, as those who watch the network tell it."""

from __future__ import annotations

from typing import NamedTuple


class Connection(NamedTuple):
    """A connection that a process made or tried to make, a datagram included.

    `t` is on the machine's monotonic clock, `protocol` tcp or udp, `name` the host's where it is known, else empty.
    `allowed` is false for what was refused.
    """

    t: float
    protocol: str
    address: str
    port: int
    name: str
    allowed: bool
