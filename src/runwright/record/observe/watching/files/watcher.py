"""What becomes of each call: the file it meant, the state before, and by a look afterwards what it did."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import struct
import time

from .. import kernel
from ..journal import Journal
from ..world.world import World
from .looks import Pending, done_to, is_file, looked, moved
from .places import HERE, Places, of_descriptor
from .refusals import refused
from .state import state
from .syscalls import AT_CALLS, BIND, BLIND, CALLS, CONNECT, LINKS, OPENAT2, ROOTS, TIMES, WRITING, Call

UNIX = 1
FAILS = frozenset(
    (
        errno.ENOENT,
        errno.EACCES,
        errno.ENOTDIR,
        errno.ELOOP,
        errno.ENAMETOOLONG,
        errno.EFAULT,
        errno.EBADF,
        errno.EINVAL,
    )
)
"""What keeps a path from being followed keeps the call itself from doing anything."""
BINDING = Call("bind")
TEMPORARY = getattr(os, "O_TMPFILE", 0o20200000)
SYMLINK_NOFOLLOW = 0x100
IN_ROOT = 0x10
"""openat2's RESOLVE_IN_ROOT: the folder is the root of the path."""


class Watcher:
    """Sees the calls of one process tree, and writes down what they did."""

    def __init__(self, listener: int, journal: Journal, workspace: bytes | None, world: World | None = None) -> None:
        self.listener = listener
        self._journal = journal
        self._watching = workspace is not None
        self._inside = (workspace or b"").rstrip(b"/") + b"/"
        self._world = world
        self._calls = CALLS if world is None else CALLS | TIMES
        self._places = Places()
        self._pending: dict[int, Pending] = {}
        self._threads: dict[bytes, int] = {}
        self._touched: set[bytes] = set()
        self._opened: dict[bytes, Pending] = {}
        self._bound: set[bytes] = set()
        self._faults: set[tuple[str, bytes]] = set()
        self._began = time.monotonic()

    def take(self, notice: kernel.Notice) -> None:
        """Note a call, and let it go on."""
        try:
            self._note(notice)
        except OSError as error:
            if error.errno not in FAILS and kernel.waits(self.listener, notice):
                name = CALLS[notice.number].name if notice.number in CALLS else str(notice.number)
                self.fault(f"what {name} meant could not be read: {(error.strerror or str(error)).lower()}")
        finally:
            if not kernel.proceed(self.listener, notice):
                self._pending.pop(notice.thread, None)  # a signal or its end took it back

    def fault(self, detail: str, path: bytes = b"") -> None:
        """Write down, once, what may hide an effect."""
        if (detail, path) not in self._faults:
            self._faults.add((detail, path))
            self._journal.add("fault", detail, path)

    def finish(self) -> None:
        """Look at whatever is left to be looked at, now that nothing changes any more."""
        for pending in list(self._pending.values()):
            self._settle(pending)
        for pending in self._opened.values():
            word = done_to(pending.before, looked(pending.path))
            self._tell(pending, word)

    def _note(self, notice: kernel.Notice) -> None:
        number, arguments = notice.number, notice.arguments
        call = self._calls.get(number)
        if call is not None:
            self._call(notice, call)
        elif number in (CONNECT, BIND):
            self._socket(notice)
        elif not self._watching:
            return
        elif number in ROOTS:
            self._places.own_roots = True
        elif number in BLIND and (number != 304 or arguments[2] & WRITING):  # open_by_handle_at may be for reading
            self.fault(f"{BLIND[number]} was called, after which files may change unseen")

    def _call(self, notice: kernel.Notice, call: Call) -> None:
        flags = self._flags(notice, call)
        if notice.number == OPENAT2 and not flags & WRITING:
            return
        if notice.number not in AT_CALLS and flags & TEMPORARY == TEMPORARY and call.flags != 4:
            if self._world is not None:
                self._refuse(notice, call, self._paths(notice, call, flags), flags, nameless=True)
            return  # it has no name until linkat gives it one
        paths = self._paths(notice, call, flags)
        if self._world is not None:
            self._refuse(notice, call, paths, flags)
            if notice.number in TIMES or not self._watching:
                return
        thread = notice.thread
        self._settle_of(thread)
        for path in paths:
            if path in self._threads:
                self._settle_of(self._threads[path])
            self._touch(path)
        first, second = paths[0], paths[1] if len(paths) > 1 else None
        seen, found = self._places.seen
        before = found if seen == first else looked(first)
        before_to = looked(second) if second is not None else None
        self._places.seen = (b"", None)
        if call.name.startswith("symlink") or (second is not None and not is_file(before)):
            self._places.forget()
        if second is not None and before is not None and stat.S_ISDIR(before.st_mode):
            for other in list(self._pending):
                self._settle_of(other)  # what was done in the folder can soon not be looked at where it was done
        self._pending[thread] = Pending(self._clock(), call.name, first, second, before, before_to)
        for path in paths:
            self._threads[path] = thread

    def _refuse(
        self, notice: kernel.Notice, call: Call, paths: list[bytes], flags: int, *, nameless: bool = False
    ) -> None:
        """Write down a call that would change what can only be read."""
        world = self._world
        if world is None:
            return
        path = refused(world, call, paths, flags, nameless=nameless)
        if path is None and notice.number in LINKS:  # a name elsewhere is one by which it could be changed
            with contextlib.suppress(OSError):
                (was,) = self._paths(notice, LINKS[notice.number], flags)
                path = was if world.held.of(was) and os.path.lexists(was) else None
        if path is not None:
            self._journal.refusal((self._clock(), call.name, path))

    def _clock(self) -> float:
        return round(time.monotonic() - self._began, 6)

    def _flags(self, notice: kernel.Notice, call: Call) -> int:
        if notice.number == OPENAT2:
            return int(struct.unpack("Q", kernel.memory(notice.thread, notice.arguments[2], 8))[0])
        return notice.arguments[call.flags] & 0xFFFFFFFF if call.flags is not None else 0

    def _resolved(self, notice: kernel.Notice) -> int:
        return int(struct.unpack("Q", kernel.memory(notice.thread, notice.arguments[2] + 16, 8))[0])

    def _paths(self, notice: kernel.Notice, call: Call, flags: int) -> list[bytes]:
        process, arguments = notice.thread, notice.arguments
        if call.descriptor is not None:
            return [of_descriptor(process, _signed(arguments[call.descriptor]))]
        if notice.number == OPENAT2 and self._resolved(notice) & IN_ROOT:
            return [self._places.within(process, _signed(arguments[0]), kernel.text(process, arguments[1]))]
        follow = call.follow and not _nofollow(notice.number, flags)
        found = []
        for at, path in call.paths:
            folder = HERE if at is None else _signed(arguments[at])
            text = kernel.text(process, arguments[path]) if arguments[path] else b""
            found.append(self._places.real(process, folder, text, follow=follow))
        return found

    def _touch(self, path: bytes) -> None:
        """Keep what a file outside the workspace was before the first call that may change it."""
        if path in self._touched or path.startswith(self._inside):
            return
        self._touched.add(path)
        found = state(path)
        self._journal.add("touched", path, None if found is None else tuple(found))

    def _settle_of(self, thread: int) -> None:
        pending = self._pending.pop(thread, None)
        if pending is not None:
            self._settle(pending)

    def _settle(self, pending: Pending) -> None:
        self._threads.pop(pending.path, None)
        if pending.to is not None:
            self._threads.pop(pending.to, None)
            word = moved(pending)
            self._tell(pending, word)
            if not word:
                self._kept_apart(pending)
            return
        word = done_to(pending.before, looked(pending.path))
        if self._world is not None and self._world.coarse:
            self._torn(pending, self._world) if word else self._others(pending, self._world)
        if not word and pending.before is not None and pending.name.startswith(("open", "creat")):
            self._opened.setdefault(pending.path, pending)  # it may be written to later
            return
        self._tell(pending, word)

    def _torn(self, pending: Pending, world: World) -> None:
        """Of a file with several names such a layer changes the one that is used."""
        several = pending.before is not None and stat.S_ISREG(pending.before.st_mode) and pending.before.st_nlink > 1
        if (several or pending.name.startswith("link")) and world.held.root(pending.path) in world.coarse:
            self.fault("a layer gives each name of it a file of its own, as the disk would not", pending.path)

    def _others(self, pending: Pending, world: World) -> None:
        """What belongs to others, and may be changed by anybody, such a layer cannot take over (EOVERFLOW)."""
        root = world.held.root(pending.path)
        for path in (pending.path, os.path.dirname(pending.path)) if root in world.coarse else ():
            found = looked(path)
            if found is None or path == root or stat.S_ISLNK(found.st_mode) or not os.access(path, os.W_OK):
                continue
            if (found.st_uid, found.st_gid) != (os.geteuid(), os.getegid()):
                self.fault("a layer cannot change what belongs to another user, as the disk would", pending.path)

    def _kept_apart(self, pending: Pending) -> None:
        """A layer refuses (EXDEV) to rename an older folder, or to another layer, where a disk would not."""
        world, to = self._world, pending.to
        if world is None or not world.layered or to is None or pending.before is None:
            return
        one, other = world.held.root(pending.path), world.held.root(to)
        if world.held.of(pending.path) or world.held.of(to) or to.startswith(pending.path + b"/"):
            return
        folder = stat.S_ISDIR(pending.before.st_mode) and pending.before_to is None
        if one != other or (folder and one in world.coarse):
            self.fault("a layer cannot rename it, as the disk would, and told the command so (EXDEV)", pending.path)

    def _tell(self, pending: Pending, word: str) -> None:
        self._journal.operation((pending.t, pending.name, pending.path, pending.to, word))

    def _socket(self, notice: kernel.Notice) -> None:
        """A socket's name is a file; and one of somebody else's may hand over files that nobody was seen to open."""
        process, arguments = notice.thread, notice.arguments
        size = min(arguments[2], 110)
        address = kernel.memory(process, arguments[1], size) if size > 2 else b""
        if len(address) < 3 or struct.unpack_from("H", address)[0] != UNIX:
            return
        name = address[2:]
        if name[:1] != b"\0":
            name = self._places.real(process, HERE, name.split(b"\0")[0], follow=notice.number == CONNECT)
        if self._world is not None and name[:1] != b"\0" and notice.number == BIND:
            self._refuse(notice, BINDING, [name], 0)
        if not self._watching:
            return
        if notice.number == BIND:
            self._bound.add(name)
            if name[:1] != b"\0":
                self._touch(name)
                self._settle_of(notice.thread)
                before = looked(name)
                self._pending[notice.thread] = Pending(self._clock(), "bind", name, None, before, None)
        elif name not in self._bound and (name[:1] == b"\0" or os.path.lexists(name)):
            self._journal.add("socket", name)


def _nofollow(number: int, flags: int) -> bool:
    if number in AT_CALLS:
        return bool(flags & SYMLINK_NOFOLLOW)
    return bool(flags & os.O_NOFOLLOW) or flags & (os.O_CREAT | os.O_EXCL) == os.O_CREAT | os.O_EXCL


def _signed(value: int) -> int:
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value
