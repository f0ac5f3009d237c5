"""Connections, as those who watch the network tell them."""

from __future__ import annotations

from typing import NamedTuple

from runwright.record.observe.journal import Log
from runwright.record.observe.watching.network.reach import APART


class Connection(NamedTuple):
    """A destination that processes of a run connected to or tried to, or sent datagrams to, and how often.

    `t` is of the first time, on the machine's monotonic clock; `protocol` is tcp, udp, or dns for a name that was asked
    about; `name` is the host's where it is known, else empty. `allowed` is false for what was refused.
    """

    t: float
    protocol: str
    address: str
    port: int
    name: str
    allowed: bool
    times: int = 1


def connections_of(log: Log, local: tuple[int, ...] = ()) -> tuple[Connection, ...] | None:
    """The connections that a run's log tells of; None where nobody watched the network.

    In a network apart, what listens on a port of this machine that is not in `local` is of the run itself.
    """
    if log.network is None:
        return None
    apart = log.network.how == APART
    return tuple(
        Connection(each.t, each.protocol, each.address, each.port, each.name, each.verdict != "blocked", each.times)
        for each in log.connections
        if each.protocol in ("tcp", "udp", "dns") and not (apart and each.verdict == "local" and each.port not in local)
    )
