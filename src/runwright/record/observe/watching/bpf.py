"""The filter that tells which calls are looked at: classic BPF for seccomp."""

from __future__ import annotations

import errno
from typing import NamedTuple

from .files.syscalls import BIND, BLIND, CALLS, CONNECT, OPEN, OPENAT, REFUSED, ROOTS, TIMES, WRITING
from .instructions import (
    ALLOW,
    ANY_BIT,
    ARCHITECTURE,
    ARGUMENTS,
    AT_LEAST,
    EQUAL,
    ERRNO,
    LOAD,
    NOTIFY,
    NUMBER,
    RETURN,
    step as _step,
)
from .network import bpf as bpf_network

X86_64 = 0xC000003E
X32 = 0x40000000
REFUSE = ERRNO | errno.ENOSYS


class Looked(NamedTuple):
    """Which calls are looked at: those that change files, times too, and those of the network.

    `network` is "observed", or held "apart" in a network of its own, or held in the one that is "shared"; or empty.
    """

    files: bool = True
    times: bool = False
    network: str = ""


def program(looked: Looked) -> list[bytes]:
    """The instructions: calls of another architecture and of io_uring do not exist, others are told or let pass."""
    out = [
        _step(LOAD, ARCHITECTURE), _step(EQUAL, X86_64, 1, 0), _step(RETURN, REFUSE),
        _step(LOAD, NUMBER), _step(AT_LEAST, X32, 0, 1), _step(RETURN, REFUSE),
    ]  # fmt: skip
    if looked.network == "observed":
        out += bpf_network.observed()
    elif looked.network:
        out += bpf_network.held(apart=looked.network == "apart")
    out += _files(times=looked.times) if looked.files else []
    for number in REFUSED:
        out += [_step(EQUAL, number, 0, 1), _step(RETURN, REFUSE)]
    return [*out, _step(RETURN, ALLOW)]


def _files(*, times: bool) -> list[bytes]:
    out = []
    for number, argument in ((OPENAT, 2), (OPEN, 1)):
        out += [
            _step(EQUAL, number, 0, 4), _step(LOAD, ARGUMENTS + 8 * argument), _step(ANY_BIT, WRITING, 0, 1),
            _step(RETURN, NOTIFY), _step(RETURN, ALLOW),
        ]  # fmt: skip
    for number in sorted({*CALLS, *BLIND, *ROOTS, CONNECT, BIND, *(TIMES if times else ())} - {OPEN, OPENAT}):
        out += [_step(EQUAL, number, 0, 1), _step(RETURN, NOTIFY)]
    return out
