"""Namespaces of one's own: this process and all that it starts see the same files, and it may mount over them.

The observer enters them itself, before it starts anything, so that a path means one thing to it and to the command.
"""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Callable

NEW_MOUNTS, NEW_USER, NEW_NETWORK = 0x20000, 0x10000000, 0x40000000
RECURSIVE, PRIVATE = 0x4000, 0x40000
MAY_MOUNT, MAY_READ_ALL, RAW_INPUT, MODULES, INTO_OTHERS, REBOOT, NODES, OF_KERNEL, OF_PROGRAMS, RESTORE = (
    21, 2, 17, 16, 19, 22, 27, 38, 39, 40,
)  # fmt: skip
NETWORKS, RAW_SOCKETS = 12, 13
GIVEN_UP = (
    MAY_MOUNT, MAY_READ_ALL, RAW_INPUT, MODULES, INTO_OTHERS, REBOOT, NODES, OF_KERNEL, OF_PROGRAMS, RESTORE, NETWORKS,
    RAW_SOCKETS,
)  # fmt: skip
"""Rights of root by which it would get out: to mount and to enter namespaces, to look into processes outside (whose
/proc/PID/root is the real one), to open files by number, to make or reach devices, to change the kernel and networks.

Without the first the kernel itself refuses mount, umount, remount, pivot_root, move_mount, fsopen and setns; a user
namespace of the command's own gives it back over copies only, in which what was mounted here is locked.
"""
DROP_BOUND, CLEAR_AMBIENT, AMBIENT = 24, 4, 47
VERSION_3 = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mount.argtypes = (ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_char_p)


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("process", ctypes.c_int))


class _Rights(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


def enter() -> None:
    """Give this process a mount namespace of its own, and one of users where it may not do so otherwise. OSError.

    In that of users there is one user and one group, this one's, under their own numbers.
    """
    try:
        checked(_libc.unshare(NEW_MOUNTS))
    except PermissionError:
        user, group = os.geteuid(), os.getegid()
        checked(_libc.unshare(NEW_USER | NEW_MOUNTS))
        _say("setgroups", "deny")
        _say("uid_map", f"{user} {user} 1")
        _say("gid_map", f"{group} {group} 1")
    mount(None, b"/", None, RECURSIVE | PRIVATE)


def _say(name: str, text: str) -> None:
    with open(f"/proc/self/{name}", "w") as stream:
        stream.write(text)


def checked(result: int) -> int:
    """What a call of the C library gave; OSError where that is -1."""
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def new_network() -> None:
    """Give this thread a network of its own, with nothing in it. OSError.

    That it is another one is looked at as well: what is done in it next would cut this machine off.
    """
    before = os.readlink("/proc/thread-self/ns/net")
    checked(_libc.unshare(NEW_NETWORK))
    if os.readlink("/proc/thread-self/ns/net") == before:
        raise OSError(errno.EPERM, "the network is still the machine's")


def enter_network(descriptor: int) -> None:
    """Move this thread into the network of a descriptor. OSError."""
    checked(_libc.setns(descriptor, NEW_NETWORK))


def of_users() -> bool:
    """Whether this process is in a namespace of users without all of them, where chown to others fails."""
    with open("/proc/self/uid_map") as stream:
        return stream.read().split() != ["0", "0", "4294967295"]


def mount(source: bytes | None, at: bytes, kind: bytes | None, flags: int = 0, options: bytes | None = None) -> None:
    """mount(2), or OSError."""
    checked(_libc.mount(source, at, kind, flags, options))


def give_up() -> None:
    """Lose, for good and with all that is started from here, the rights by which root would get out."""
    for right in GIVEN_UP:
        _libc.prctl(DROP_BOUND, right, 0, 0, 0)  # EPERM without any rights, EINVAL on a kernel that has it not
    _libc.prctl(AMBIENT, CLEAR_AMBIENT, 0, 0, 0)
    header, rights = _Header(VERSION_3, 0), (_Rights * 2)()
    checked(_libc.capget(ctypes.byref(header), rights))
    for right in GIVEN_UP:
        word, bit = divmod(right, 32)
        for name in ("effective", "permitted", "inheritable"):
            setattr(rights[word], name, getattr(rights[word], name) & ~(1 << bit))
    checked(_libc.capset(ctypes.byref(header), rights))


def cannot_enter(further: Callable[[], object] = lambda: None) -> str:
    """Why namespaces cannot be entered here, tried with what is done `further` in them; empty where they can.

    All of it is tried, in a process that is thrown away: where AppArmor restricts them, entering succeeds and what
    follows fails.
    """
    readable, writable = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            os.write(writable, _tried(further).encode())
        finally:
            os._exit(0)
    os.close(writable)
    with os.fdopen(readable, "rb") as stream:
        said = stream.read()
    _, status = os.waitpid(process, 0)
    return said.decode() if said or not status else "trying it ended the process"


def _tried(further: Callable[[], object]) -> str:
    doing = "entered"
    try:
        enter()
        doing = "mounted in"
        mount(b"none", b"/proc/self/fd", b"tmpfs")
        doing = "used"
        further()
        give_up()
    except OSError as error:
        return f"namespaces cannot be {doing}: {(error.strerror or str(error)).lower()}"
    return ""
