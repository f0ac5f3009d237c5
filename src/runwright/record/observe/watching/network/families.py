"""Which kinds of sockets there are where the network is held: told by registers, which nobody can exchange."""

from __future__ import annotations

import errno
import socket

KIND = 0xF
ROUTES, SOCKETS = 0, 4
"""Kinds of netlink: addresses and routes, which name services ask for, and a list of sockets."""
SMC = 256
PROTOCOLS: dict[int, tuple[int, ...]] = {
    socket.SOCK_STREAM: (0, socket.IPPROTO_TCP, 262),  # 262 is multipath TCP
    socket.SOCK_DGRAM: (0, socket.IPPROTO_UDP),
}
CALLED = {1: "icmp", 132: "sctp", 33: "dccp", 136: "udplite", 58: "icmp", SMC: "smc"}
FAMILIES = {
    17: "packet",
    40: "vsock",
    38: "alg",
    31: "bluetooth",
    29: "can",
    30: "tipc",
    21: "rds",
    44: "xdp",
    43: "smc",
    15: "key",
}


def refused_socket(arguments: tuple[int, ...], *, apart: bool) -> tuple[int, str] | None:
    """The errno that socket(2) fails with, and what was asked for, empty where it leads nowhere; None to let it pass.

    Where the network is shared (not `apart`) there are no datagrams: where each goes cannot be held.
    """
    family, kind, protocol = (each & 0xFFFFFFFF for each in arguments[:3])
    kind &= KIND
    if family == socket.AF_UNIX:
        if kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
            return None
        return errno.EACCES, "unix datagram"
    if family in (socket.AF_INET, socket.AF_INET6):
        if kind == socket.SOCK_RAW:
            return errno.EPERM, "raw"
        if protocol in PROTOCOLS.get(kind, ()) and (apart or kind == socket.SOCK_STREAM):
            return None
        if kind == socket.SOCK_DGRAM and protocol in PROTOCOLS[kind]:
            return errno.EACCES, ""  # looking up a name opens one even for an address: nothing was sent yet
        return errno.EPROTONOSUPPORT, CALLED.get(protocol, f"protocol {protocol}")
    if family == socket.AF_NETLINK:
        return None if protocol in (ROUTES, SOCKETS) else (errno.EPROTONOSUPPORT, "")
    return errno.EAFNOSUPPORT, FAMILIES.get(family, f"family {family}")


def refused_pair(arguments: tuple[int, ...]) -> tuple[int, str] | None:
    """The same of socketpair(2): a datagram of such a pair can be sent to any other socket."""
    if arguments[0] & 0xFFFFFFFF != socket.AF_UNIX:
        return errno.EOPNOTSUPP, ""
    if arguments[1] & KIND in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
        return None
    return errno.EACCES, ""
