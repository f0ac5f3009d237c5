"""Landlock: from a domain of its own a process neither traces those outside nor connects to their abstract sockets.

Being in any domain keeps it from tracing; what else the domain holds depends on what the kernel knows of.
"""

from __future__ import annotations

import ctypes
import os
import struct

from .. import kernel
from ..namespaces import checked

CREATE, ADD, RESTRICT = 444, 445, 446
GIVE_VERSION = 1
MOVES, TCP, SOCKETS = 2, 4, 6
"""Versions: 2 can leave moves between folders alone (Linux 5.19), 4 knows TCP (6.7), 6 abstract sockets (6.12)."""
BLOCK_DEVICES, MOVING = 1 << 11, 1 << 13
BIND_AND_CONNECT = 3
ABSTRACT_SOCKETS = 1
BENEATH = 1

_syscall = ctypes.CDLL(None, use_errno=True).syscall
_syscall.restype = ctypes.c_long


def version() -> int:
    """The version that the kernel has; 0 where it has none that lets moves between folders alone."""
    found = int(_syscall(CREATE, None, ctypes.c_size_t(0), GIVE_VERSION))
    return found if found >= MOVES else 0


def apart(known: int) -> None:
    """Put this process into a domain of a version. OSError.

    It may neither bind nor connect a TCP socket itself then: where that is allowed, it is done for it from outside.
    """
    if known >= SOCKETS:
        rules = struct.pack("QQQ", 0, BIND_AND_CONNECT, ABSTRACT_SOCKETS)
    elif known >= TCP:
        rules = struct.pack("QQ", 0, BIND_AND_CONNECT)
    else:
        rules = struct.pack("Q", BLOCK_DEVICES | MOVING)  # a domain has to be about something: this harms nobody
    made = checked(_syscall(CREATE, rules, ctypes.c_size_t(len(rules)), 0))
    if known < TCP:
        _allow_moves(made)
    kernel.prctl(kernel.NO_NEW_PRIVILEGES, 1)
    checked(_syscall(RESTRICT, ctypes.c_int(made), 0))
    os.close(made)


def _allow_moves(made: int) -> None:
    root = os.open("/", os.O_PATH | os.O_CLOEXEC)
    checked(_syscall(ADD, ctypes.c_int(made), BENEATH, struct.pack("=Qi", MOVING, root), 0))
    os.close(root)
