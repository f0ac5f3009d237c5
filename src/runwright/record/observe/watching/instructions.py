"""Instructions of classic BPF, as seccomp runs them."""

from __future__ import annotations

import struct

ALLOW, NOTIFY, ERRNO = 0x7FFF0000, 0x7FC00000, 0x00050000
LOAD, AND, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16


def step(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    """One instruction; `then` and `otherwise` are how many after it are passed over."""
    return struct.pack("HBBI", code, then, otherwise, value)
