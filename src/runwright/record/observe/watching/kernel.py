"""seccomp's user notification, and reading another process's memory: the calls to the kernel, by ctypes."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import struct
from typing import NamedTuple

from .bpf import Looked, program

SECCOMP, OPENAT2 = 317, 437
NEW_LISTENER, SPEC_ALLOW, WAIT_KILLABLE = 8, 4, 32
RECEIVE, SEND, VALID, SET_FLAGS = 0xC0502100, 0xC0182101, 0x40082102, 0x40082104
CONTINUE = 1
NO_NEW_PRIVILEGES, CHILD_SUBREAPER, PARENT_DEATH_SIGNAL, DUMPABLE = 38, 36, 1, 4
NO_MAGIC_LINKS = 2
OPEN_PROCESS, TAKE_DESCRIPTOR, CLOSE_RANGE = 434, 438, 436
BY_THREAD, CLOSE_ON_EXEC = os.O_EXCL, 4
PAGE = 4096
PATH_MAX = 4096

_libc = ctypes.CDLL(None, use_errno=True)
_syscall = _libc.syscall
_syscall.restype = ctypes.c_long
_NOTICE = struct.Struct("QIIiIQ6Q")
_ANSWER = struct.Struct("QqiI")


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


class _Span(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


class Notice(NamedTuple):
    """A call that waits for an answer: `thread` makes it, `id` names it."""

    id: int
    thread: int
    number: int
    arguments: tuple[int, ...]


def prctl(option: int, value: int) -> None:
    """prctl(2), or OSError."""
    _checked(_libc.prctl(option, value, 0, 0, 0))


def install(looked: Looked) -> int:
    """Filter this process and all that come of it, for good; the listener's descriptor. OSError where it may not."""
    prctl(NO_NEW_PRIVILEGES, 1)
    steps = program(looked)
    buffer = ctypes.create_string_buffer(b"".join(steps))
    filter = _Program(len(steps), ctypes.addressof(buffer))
    flags = NEW_LISTENER | SPEC_ALLOW
    try:
        return _call(SECCOMP, 1, flags | WAIT_KILLABLE, ctypes.byref(filter))
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
        return _call(SECCOMP, 1, flags, ctypes.byref(filter))  # before Linux 5.19: a signal may repeat a notice


def wake_at_once(listener: int) -> None:
    """Let answers be handed over on one processor (Linux 6.6): the two sides take turns, and never work at once."""
    with contextlib.suppress(OSError):
        fcntl.ioctl(listener, SET_FLAGS, 1)


def receive(listener: int) -> Notice | None:
    """The next call; None where its thread has gone meanwhile."""
    buffer = bytearray(80)  # the kernel wants it zeroed
    try:
        fcntl.ioctl(listener, RECEIVE, buffer, True)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.EINTR):
            return None
        raise
    id, thread, _, number, _, _, *arguments = _NOTICE.unpack(buffer)
    return Notice(id, thread, number, tuple(arguments))


def waits(listener: int, notice: Notice) -> bool:
    """Whether the call still waits, so that what was read of its process was its own."""
    try:
        fcntl.ioctl(listener, VALID, struct.pack("Q", notice.id))
    except OSError:
        return False
    return True


def proceed(listener: int, notice: Notice) -> bool:
    """Let the call go on as it was made; false where it waits no more, so that what was read was not its own."""
    try:
        fcntl.ioctl(listener, SEND, _ANSWER.pack(notice.id, 0, 0, CONTINUE))
    except OSError as error:
        if error.errno != errno.ENOENT:
            raise
        return False
    return True


def answer(listener: int, notice: Notice, code: int) -> None:
    """Let the call end with an errno, or with 0, without being made."""
    try:
        fcntl.ioctl(listener, SEND, _ANSWER.pack(notice.id, 0, -code, 0))
    except OSError as error:
        if error.errno != errno.ENOENT:
            raise


def taken(thread: int, descriptor: int) -> int:
    """A descriptor of our own of what one of a thread's is of. OSError: EBADF where it has no such one."""
    try:
        held = _call(OPEN_PROCESS, thread, BY_THREAD)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
        held = _call(OPEN_PROCESS, _process_of(thread), 0)  # before Linux 6.9
    try:
        return _call(TAKE_DESCRIPTOR, held, descriptor, 0)
    finally:
        os.close(held)


def _process_of(thread: int) -> int:
    with open(f"/proc/{thread}/status", "rb") as stream:
        return int(stream.read().partition(b"\nTgid:")[2].split()[0])


def connect(descriptor: int, address: bytes) -> int:
    """connect(2) to an address as it is in memory: the errno, or 0."""
    return ctypes.get_errno() if _libc.connect(descriptor, address, len(address)) < 0 else 0


def bind(descriptor: int, address: bytes) -> int:
    """bind(2), the same."""
    return ctypes.get_errno() if _libc.bind(descriptor, address, len(address)) < 0 else 0


def close_on_exec() -> None:
    """Let no descriptor but the first three outlive the next exec. OSError before Linux 5.11."""
    _call(CLOSE_RANGE, 3, 0x7FFFFFFF, CLOSE_ON_EXEC)


_buffer = ctypes.create_string_buffer(PAGE)
_here = _Span(ctypes.addressof(_buffer), PAGE)
_there = _Span(0, 0)
_read = _libc.process_vm_readv
_read.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_ulong)
_read.restype = ctypes.c_ssize_t
_HERE, _THERE = ctypes.addressof(_here), ctypes.addressof(_there)
_opened: dict[int, int] = {}
OPENED = 64
TOP = 1 << 62
SHORT = 256
"""Bytes that are read of a path at first: nearly all are shorter."""


def memory(process: int, address: int, size: int) -> bytes:
    """Up to a page of the process's memory. OSError where it is not all there, or may not be read.

    It is read through a descriptor that is kept. That reads nothing of a process which has ended or runs another
    program by now, and there may be none: then it is asked for anew, and memory read without.
    """
    opened = _opened.get(process)
    if opened is not None and address < TOP:
        try:
            found = os.pread(opened, size, address)
        except OSError:
            found = b""
        if len(found) == size:
            return found
    _open_memory(process)
    return _memory(process, address, size)


def _open_memory(process: int) -> None:
    if len(_opened) >= OPENED or process in _opened:
        for each in _opened.values():
            os.close(each)
        _opened.clear()
    with contextlib.suppress(OSError):
        _opened[process] = os.open(b"/proc/%d/mem" % process, os.O_RDONLY)


def _memory(process: int, address: int, size: int) -> bytes:
    _here.length = _there.length = size
    _there.base = address
    if _checked(_read(process, _HERE, 1, _THERE, 1, 0)) < size:
        raise OSError(errno.EFAULT, os.strerror(errno.EFAULT))
    return ctypes.string_at(_buffer, size)


def text(process: int, address: int) -> bytes:
    """The path at an address of the process's memory."""
    found = b""
    while len(found) <= PATH_MAX:
        size = min(SHORT, PAGE - (address & (PAGE - 1)))  # never beyond a page: the next one may not be there
        part = memory(process, address, size)
        end = part.find(b"\0")
        if end >= 0:
            return found + part[:end]
        found += part
        address += size
    raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))


_HOW = struct.pack("QQQ", os.O_PATH | os.O_CLOEXEC | os.O_DIRECTORY, 0, NO_MAGIC_LINKS)
_open = ctypes.CDLL(None, use_errno=True).syscall  # one of its own, since it is declared
_open.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_long)
_open.restype = ctypes.c_long


def folder(at: int, path: bytes) -> int:
    """A descriptor of a folder, which no magic link of /proc led to: ELOOP where one would."""
    return _checked(_open(OPENAT2, at, path, _HOW, 24))


def _call(number: int, *arguments: object) -> int:
    passed = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return _checked(_syscall(ctypes.c_long(number), *passed))


def _checked(result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return int(result)
