"""Paths that can only be read, by mounts of this process's own namespace that what it starts cannot undo."""

from __future__ import annotations

import ctypes
import errno
import os
import re
import stat
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from ..namespaces import checked
from . import CHANGED, MOVED

OPEN_TREE, MOVE_MOUNT, SET_ATTRIBUTES = 428, 429, 442
CLONE, CLOSE_ON_EXEC, FROM_DESCRIPTOR = 1, os.O_CLOEXEC, 4
EMPTY_PATH, WITH_ALL_BELOW, HERE = 0x1000, 0x8000, -100
READ_ONLY, NO_DEVICES = 1, 4

_libc = ctypes.CDLL(None, use_errno=True)
_syscall = _libc.syscall
_syscall.restype = ctypes.c_long


class Held:
    """Which paths cannot be changed: what is said of the longest folder on the way to each."""

    def __init__(self, said: Mapping[bytes, bool]) -> None:
        self._said = dict(said)

    def of(self, path: bytes) -> bool:
        """Whether what is at a real path is held."""
        return self._said.get(self.root(path), False)

    def root(self, path: bytes) -> bytes:
        """The longest path on the way of which something is said; / where there is none."""
        while path not in self._said and path != b"/":
            path = os.path.dirname(path)
        return path


class Protected(NamedTuple):
    """Real paths that are to stay as they are, by what is there (device and number), and the folders between.

    Files among them that have several names, by one of which they can be changed still, with their state. `linked` are
    the names that lead to them through links, which can be made to lead elsewhere.
    """

    paths: Mapping[bytes, tuple[int, int]] = MappingProxyType({})
    pinned: frozenset[bytes] = frozenset()
    several: Mapping[bytes, tuple[int, ...]] = MappingProxyType({})
    linked: Mapping[bytes, bytes] = MappingProxyType({})


def protect(folder: str, paths: Iterable[str]) -> Protected:
    """Make paths, relative to the folder, and all below them such that they can only be read. OSError.

    The folders between are pinned, each mounted on itself: a mount cannot be renamed or removed (EBUSY), else one could
    be put in the place of a folder that something below is protected in.
    """
    named = {
        each: os.path.realpath(each) for each in (os.path.join(os.fsencode(folder), os.fsencode(p)) for p in paths)
    }
    real = list(named.values())
    if b"/" in real:
        raise OSError(errno.EINVAL, "the whole machine cannot be protected")
    for each in real:
        os.lstat(each)
    between = {above for each in real for above in _between(os.fsencode(os.path.realpath(folder)), each)}
    pinned = between - set(real)
    for each in sorted(pinned, key=len):
        place(clone(each), each)
    for each in sorted(set(real), key=len):
        tree = clone(each)
        set_attributes(tree, READ_ONLY)
        place(tree, each)
    several = {path: _written(path) for each in real for path in _with_several_names(each)}
    linked = {name: path for name, path in named.items() if os.path.normpath(name) != path}
    return Protected({each: _file(each) for each in real}, frozenset(pinned), several, linked)


def lost(protected: Protected) -> Iterator[tuple[str, bytes]]:
    """What became of protected paths all the same: a folder above the command's own was moved, or another name used."""
    for path, file in protected.paths.items():
        if _asked(_file, path) != file:
            yield MOVED, path
    for name, path in protected.linked.items():
        if os.path.realpath(name) != path:
            yield MOVED, name
    for path, written in protected.several.items():
        if _asked(_written, path) != written:
            yield CHANGED, path


def _asked(ask: Callable[[bytes], tuple[int, ...]], path: bytes) -> tuple[int, ...] | None:
    try:
        return ask(path)
    except OSError:
        return None


def _file(path: bytes) -> tuple[int, int]:
    found = os.lstat(path)
    return found.st_dev, found.st_ino


def _written(path: bytes) -> tuple[int, ...]:
    found = os.lstat(path)
    return found.st_size, found.st_mtime_ns, found.st_mode, found.st_uid, found.st_gid


def _with_several_names(path: bytes) -> Iterator[bytes]:
    found = os.lstat(path)
    if stat.S_ISDIR(found.st_mode):
        for folder, _, names in os.walk(path):
            for name in names:
                yield from _with_several_names(os.path.join(folder, name))
    elif stat.S_ISREG(found.st_mode) and found.st_nlink > 1:
        yield path


def _between(folder: bytes, path: bytes) -> Iterator[bytes]:
    lead = folder.rstrip(b"/") + b"/"
    above = os.path.dirname(path)
    while above.startswith(lead):
        yield above
        above = os.path.dirname(above)


def clone(path: bytes) -> int:
    """A descriptor of what is mounted at a path and below, as a tree that hangs nowhere yet."""
    flags = CLONE | CLOSE_ON_EXEC | WITH_ALL_BELOW
    return checked(_syscall(OPEN_TREE, HERE, path, flags))


def place(tree: int, at: bytes) -> None:
    """Mount a tree, and close its descriptor."""
    try:
        checked(_syscall(MOVE_MOUNT, tree, b"", HERE, at, FROM_DESCRIPTOR))
    finally:
        os.close(tree)


def set_attributes(tree: int, attributes: int, *, clear: int = 0, below: bool = True) -> None:
    """Set attributes of the mount that a descriptor is of, and of all below it."""
    asked = struct.pack("QQQQ", attributes, clear, 0, 0)
    flags = EMPTY_PATH | (WITH_ALL_BELOW if below else 0)
    checked(_syscall(SET_ATTRIBUTES, tree, b"", flags, asked, ctypes.c_size_t(len(asked))))


def mounted() -> list[bytes]:
    """Where something is mounted, in the order of mounting."""
    return [at for at, _ in _mounts()]


def options(at: bytes) -> bytes:
    """The options of what was mounted last at a path, as the file system tells them; empty for no mount."""
    return next((told for path, told in reversed(list(_mounts())) if path == at), b"")


def _mounts() -> Iterator[tuple[bytes, bytes]]:
    with open("/proc/self/mountinfo", "rb") as stream:
        for line in stream:
            words = line.split()
            yield re.sub(rb"\\([0-7]{3})", _character, words[4]), words[-1]


def _character(found: re.Match[bytes]) -> bytes:
    return bytes((int(found[1], 8),))
