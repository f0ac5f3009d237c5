"""What was held of a run, and what it tried beyond that."""

from __future__ import annotations

import os
from typing import NamedTuple

from runwright.record.observe.journal import Connection, Log
from runwright.record.observe.noise import LOOKUPS


class Contained(NamedTuple):
    """What held the network, empty for nothing; the destinations that were refused; the protected paths that were.

    `lost` are those that were changed all the same, each with how. `weaker` says why the network was not held by a
    namespace, where it was not.
    """

    by: tuple[str, ...]
    blocked: tuple[str, ...]
    refused: tuple[str, ...] = ()
    weaker: str = ""
    lost: tuple[str, ...] = ()


def contained(log: Log) -> Contained:
    """What a run's log says of it."""
    network = log.network
    if network is None or not network.by:
        return Contained((), ())
    blocked = [shown(each) for each in log.connections if each.verdict == "blocked" and not _is_lookup(each)]
    by = network.by if log.ended else ()  # what was tried after its end nobody tells
    return Contained(by, tuple(dict.fromkeys(blocked)), weaker=network.why)


def shown(connection: Connection) -> str:
    """A destination on one line: `api.example.com:443`, `udp://192.0.2.1:53`, `unix:/run/x`, `raw socket`."""
    protocol, address = connection.protocol, connection.address
    match protocol:
        case "dns":
            return connection.name
        case "unix":
            return f"unix:{address}"
        case "socket":
            return f"{address} socket"
    host = connection.name or (f"[{address}]" if ":" in address else address)
    where = f"{host}:{connection.port}"
    return where if protocol == "tcp" else f"from outside: {where}" if protocol == "listen" else f"{protocol}://{where}"


def _is_lookup(connection: Connection) -> bool:
    return connection.protocol == "unix" and os.fsencode(connection.address).startswith(LOOKUPS)
