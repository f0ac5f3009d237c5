"""The filter that tells which calls are looked at: classic BPF for seccomp."""

from __future__ import annotations

import errno
import struct

from .syscalls import BIND, BLIND, CALLS, CONNECT, OPEN, OPENAT, REFUSED, ROOTS, TIMES, WRITING

ALLOW, NOTIFY, ERRNO = 0x7FFF0000, 0x7FC00000, 0x00050000
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
X86_64 = 0xC000003E
X32 = 0x40000000
REFUSE = ERRNO | errno.ENOSYS


def program(*, times: bool = False) -> list[bytes]:
    """The instructions: calls of another architecture and of io_uring do not exist, others are told or let pass."""
    out = [
        _step(LOAD, ARCHITECTURE), _step(EQUAL, X86_64, 1, 0), _step(RETURN, REFUSE),
        _step(LOAD, NUMBER), _step(AT_LEAST, X32, 0, 1), _step(RETURN, REFUSE),
    ]  # fmt: skip
    for number, argument in ((OPENAT, 2), (OPEN, 1)):
        out += [
            _step(EQUAL, number, 0, 4), _step(LOAD, ARGUMENTS + 8 * argument), _step(ANY_BIT, WRITING, 0, 1),
            _step(RETURN, NOTIFY), _step(RETURN, ALLOW),
        ]  # fmt: skip
    for number in sorted({*CALLS, *BLIND, *ROOTS, CONNECT, BIND, *(TIMES if times else ())} - {OPEN, OPENAT}):
        out += [_step(EQUAL, number, 0, 1), _step(RETURN, NOTIFY)]
    for number in REFUSED:
        out += [_step(EQUAL, number, 0, 1), _step(RETURN, REFUSE)]
    return [*out, _step(RETURN, ALLOW)]


def _step(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("HBBI", code, then, otherwise, value)
