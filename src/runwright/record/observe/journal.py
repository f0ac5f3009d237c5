"""What the watching process wrote down, read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from runwright.record.observe.names import readable
from runwright.record.observe.watching.files.state import State
from runwright.record.observe.watching.journal import as_state, entries


class Operation(NamedTuple):
    """A call that could change a file: when, which, on what, and what a look afterwards told.

    Words, empty for nothing: created, removed, replaced, changed; of a rename moved and exchanged.
    """

    t: float
    name: str
    path: bytes
    to: bytes | None
    word: str


class Refusal(NamedTuple):
    """A call that the kernel refused, because what it would change can only be read: when, which, on what."""

    t: float
    name: str
    path: bytes


class Connection(NamedTuple):
    """A destination of the command's, when it first reached out to it, and how often.

    `protocol` is tcp, udp, dns (a name that was asked about), unix (`address` is a path), listen, or socket (a kind of
    socket that there is none of); `name` is the host's where it is known. `verdict` is allowed, blocked, or local: on
    this machine's loopback, where the stand-ins are.
    """

    t: float
    protocol: str
    verdict: str
    address: str
    port: int
    name: str
    times: int = 1


class Network(NamedTuple):
    """How the network was looked at (apart, shared, observed), by what, and why it was not held better."""

    how: str
    by: tuple[str, ...]
    why: str


class Log(NamedTuple):
    """All of it. `ended` is false where the watching process died; `unable` says why it could not watch.

    `began` is when operations were counted from, on the machine's monotonic clock. `user` are
    the one user and group by which it told owners, where it could not tell others from one another. `connections` are
    told where the `network` was looked at.
    """

    operations: tuple[Operation, ...] = ()
    touched: Mapping[bytes, State | None] = MappingProxyType({})
    faults: tuple[tuple[str, bytes], ...] = ()
    sockets: tuple[bytes, ...] = ()
    refused: tuple[Refusal, ...] = ()
    unable: str = ""
    failed: int = 0
    ended: bool = False
    status: int | None = None
    counted: int = 0
    began: float = 0.0
    user: tuple[int, int] | None = None
    network: Network | None = None
    connections: tuple[Connection, ...] = ()


def read_log(data: bytes) -> Log:
    """The log of one run; operations in the order they began."""
    operations: list[Operation] = []
    touched: dict[bytes, State | None] = {}
    faults: list[tuple[str, bytes]] = []
    sockets: dict[bytes, None] = {}
    refused: list[Refusal] = []
    connections: dict[tuple[object, ...], Connection] = {}
    rest: dict[str, object] = {}
    for kind, *told in entries(data):
        match kind, told:
            case "operation", [float(t), str(name), bytes(path), bytes() | None as to, str(word)]:
                operations.append(Operation(t, name, path, to, word))
            case "refused", [float(t), str(name), bytes(path)]:
                refused.append(Refusal(t, name, path))
            case "touched", [bytes(path), state]:
                touched[path] = as_state(state)
            case "fault", [str(detail), bytes(path)]:
                faults.append((detail, path))
            case "socket", [bytes(name)]:
                sockets[name] = None
            case "began", [float(at)]:
                rest["began"] = at
            case "user", [int(user), int(group)]:
                rest["user"] = (user, group)
            case "contact", [float(t), str(protocol), str(verdict), str(address), int(port), str(name)]:
                connections[protocol, verdict, address, port, name] = Connection(
                    t, protocol, verdict, readable(os.fsencode(address)), port, readable(os.fsencode(name))
                )
            case "again", [int(times), *contact]:
                if tuple(contact) in connections:
                    connections[tuple(contact)] = connections[tuple(contact)]._replace(times=times)
            case "network", [str(how), tuple(by), str(why)]:
                rest["network"] = Network(how, by, why)
            case "unable", [str(reason)]:
                rest["unable"] = reason
            case "failed", [int(code)]:
                rest["failed"] = code
            case "ended", [status, int(counted)]:
                rest |= {"ended": True, "status": status, "counted": counted}
    operations.sort(key=lambda each: each.t)
    return Log(
        tuple(operations),
        touched,
        tuple(faults),
        tuple(sockets),
        tuple(refused),
        connections=tuple(connections.values()),
        **rest,  # type: ignore[arg-type]
    )
