"""The part of the filter that is about the network: what is decided by registers alone, which nobody can change.

Calls whose argument is an address in memory are told, and carried out by the observer itself on a copy: another thread
may exchange the address, or the descriptor, between a look and the call.
"""

from __future__ import annotations

import errno
import socket

from ..instructions import (
    ALLOW,
    AND,
    ANY_BIT,
    ARGUMENTS,
    EQUAL,
    ERRNO,
    LOAD,
    NOTIFY,
    RETURN,
    step,
)  # fmt: skip

SOCKET, SOCKETPAIR, CONNECT, SENDTO, SENDMSG, SENDMMSG, BIND, LISTEN = 41, 53, 42, 44, 46, 307, 49, 50
RECEIVE_FROM, CONTROL = 45, 16
OTHERS = (101, 311, 438)
"""ptrace, process_vm_writev and pidfd_getfd: with no namespace between, another process could be made to speak."""
KEYS = (248, 249, 250)
"""add_key, request_key and keyctl: a key may be asked of a program of the machine's, which then asks a name server."""
TYPED, PASTED = 0x5412, 0x541C
"""TIOCSTI and TIOCLINUX: they put words into the mouth of whoever uses the terminal."""
KIND = 0xF
FAST_OPEN = 0x20000000
FLAGS = {SENDTO: 3, SENDMSG: 2, SENDMMSG: 3}
"""Which argument holds the flags."""


def observed() -> list[bytes]:
    """Tell what leads somewhere, and answers of name servers, and let it pass."""
    return [*_told(CONNECT), *_addressed(SENDTO), *_addressed(RECEIVE_FROM), *_told(SENDMSG), *_told(SENDMMSG)]


def held(*, apart: bool) -> list[bytes]:
    """Hold it: in a network of its own (`apart`), or in the one of the machine."""
    out = [*_sockets(), *_pairs(), *_told(CONNECT), *_control()]
    for number in KEYS:
        out += _refused(number, errno.ENOSYS)
    if apart:
        return [*out, *_addressed(SENDTO), *_told(SENDMSG), *_told(SENDMMSG)]
    for number, flags in FLAGS.items():
        out += _without_fast_open(number, flags)
    for number in OTHERS:
        out += _refused(number, errno.EPERM)
    return [*out, *_told(BIND), *_told(LISTEN)]


def _told(number: int) -> list[bytes]:
    return [step(EQUAL, number, 0, 1), step(RETURN, NOTIFY)]


def _refused(number: int, code: int) -> list[bytes]:
    return [step(EQUAL, number, 0, 1), step(RETURN, ERRNO | code)]


def _sockets() -> list[bytes]:
    """TCP is let pass at once; all other sockets are told, and decided by what the registers say."""
    return [
        step(EQUAL, SOCKET, 0, 11),
        step(LOAD, ARGUMENTS), step(EQUAL, socket.AF_INET, 1, 0), step(EQUAL, socket.AF_INET6, 0, 7),
        step(LOAD, ARGUMENTS + 8), step(AND, KIND), step(EQUAL, socket.SOCK_STREAM, 0, 4),
        step(LOAD, ARGUMENTS + 16), step(EQUAL, 0, 1, 0), step(EQUAL, socket.IPPROTO_TCP, 0, 1),
        step(RETURN, ALLOW),
        step(RETURN, NOTIFY),
    ]  # fmt: skip


def _pairs() -> list[bytes]:
    return [
        step(EQUAL, SOCKETPAIR, 0, 7), step(LOAD, ARGUMENTS), step(EQUAL, socket.AF_UNIX, 0, 4),
        step(LOAD, ARGUMENTS + 8), step(AND, KIND), step(EQUAL, socket.SOCK_STREAM, 0, 1), step(RETURN, ALLOW),
        step(RETURN, NOTIFY),
    ]  # fmt: skip


def _addressed(number: int) -> list[bytes]:
    """sendto and recvfrom with an address: without one, it goes where connect was asked about."""
    return [
        step(EQUAL, number, 0, 6), step(LOAD, ARGUMENTS + 32), step(EQUAL, 0, 0, 2), step(LOAD, ARGUMENTS + 36),
        step(EQUAL, 0, 1, 0), step(RETURN, NOTIFY), step(RETURN, ALLOW),
    ]  # fmt: skip


def _without_fast_open(number: int, flags: int) -> list[bytes]:
    """A first segment that goes out with its data needs no connect(2) to be asked about."""
    return [
        step(EQUAL, number, 0, 4), step(LOAD, ARGUMENTS + 8 * flags), step(ANY_BIT, FAST_OPEN, 0, 1),
        step(RETURN, ERRNO | errno.EOPNOTSUPP), step(RETURN, ALLOW),
    ]  # fmt: skip


def _control() -> list[bytes]:
    return [
        step(EQUAL, CONTROL, 0, 5), step(LOAD, ARGUMENTS + 8), step(EQUAL, TYPED, 1, 0), step(EQUAL, PASTED, 0, 1),
        step(RETURN, ERRNO | errno.EPERM), step(RETURN, ALLOW),
    ]  # fmt: skip
