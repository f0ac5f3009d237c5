"""Landlock: from a domain of its own a process neither traces those outside nor connects to their abstract sockets."""

from __future__ import annotations

import ctypes
import os
import struct

from . import kernel
from .namespaces import checked

CREATE, RESTRICT = 444, 446
ABSTRACT_SOCKETS = 1
NO_RULES = 1
ABLE = 6

_syscall = ctypes.CDLL(None, use_errno=True).syscall
_syscall.restype = ctypes.c_long


def available() -> bool:
    """Whether the kernel has such domains (Linux 6.12)."""
    return bool(_syscall(CREATE, None, ctypes.c_size_t(0), NO_RULES) >= ABLE)


def apart() -> None:
    """Put this process into such a domain, where there are any. OSError."""
    if not available():
        return
    rules = struct.pack("QQQ", 0, 0, ABSTRACT_SOCKETS)
    made = checked(_syscall(CREATE, rules, ctypes.c_size_t(len(rules)), 0))
    kernel.prctl(kernel.NO_NEW_PRIVILEGES, 1)
    checked(_syscall(RESTRICT, ctypes.c_int(made), 0))
    os.close(made)
