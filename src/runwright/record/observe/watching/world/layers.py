"""A throw-away world: what is written goes to layers that vanish with the namespace they are mounted in.

Each layer is an overlay whose upper half is in memory, mounted exactly on the folder that it hides. A user's own
renames no folder that was there before and tears hard links, so a small workspace is a copy in memory instead: exact
in both, for a time that grows with it. What is not covered can only be read.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..namespaces import mount, of_users
from .copies import copy, likened
from .mounts import NO_DEVICES, READ_ONLY, clone, mounted, options, place, set_attributes

TEMPORARY = ("/tmp", "/var/tmp")  # noqa: S108 - they are covered
SHARED_MEMORY = b"/dev/shm"
PASSED_BY = (b"/proc", b"/dev/pts")
"""What holds no file of anybody's, and is written to by programs that only look after themselves."""
OF_THE_KERNEL = (b"/proc/sys", b"/proc/sysrq-trigger", b"/proc/irq", b"/proc/bus", b"/proc/acpi")
SOME, FULL = b"userxattr", b"redirect_dir=on,index=on,xino=on"
"""Options of an overlay: with the second folders can be renamed and files keep all their names, which takes attributes
that only root of the machine may set."""


class Layers(NamedTuple):
    """Folders by whether they can only be read, and those whose layer renames no old folder and tears hard links."""

    said: dict[bytes, bool]
    coarse: frozenset[bytes]


def cover(workspace: str, *, copied: bool) -> Layers:
    """Cover all that this process sees, the workspace by a copy or not. OSError where it is not possible."""
    real = os.fsencode(os.path.realpath(workspace))
    if not _may_write(real):
        raise OSError(errno.EACCES, "the workspace may not be written to")
    roots = {each: _opened(each) for each in _roots(real)}
    below = {each: clone(each) for each in dict.fromkeys((*mounted(), *_told_through())) if _is_in(each, roots)}
    passed = [each for each in PASSED_BY if os.path.ismount(each) and not os.statvfs(each).f_flag & os.ST_RDONLY]
    _set(b"/", READ_ONLY)
    mount(b"none", real, b"tmpfs", 0, b"mode=700")
    spare = _opened(real)
    said = {b"/": True}
    coarse = set()
    for number, (each, under) in enumerate(roots.items()):
        try:
            if each == real and copied and of_users():
                mount(b"none", each, b"tmpfs", 0, b"mode=700")
                copy(under, each)
            else:
                _overlay(each, under, b"/proc/self/fd/%d/%d" % (spare, number))
                coarse |= set() if _is_full(each) else {each}
            said[each] = False
        except OSError:  # of another owner, or with something mounted in it that a user may not uncover
            if each == real:
                raise
        os.close(under)
    os.close(spare)
    for each, tree in below.items():
        _again(tree, each)
        said[each] = True
    for each in passed:
        _set(each, 0, READ_ONLY)
        said[each] = False
    if SHARED_MEMORY not in roots and os.path.isdir(SHARED_MEMORY):
        mount(b"none", SHARED_MEMORY, b"tmpfs", 0, b"mode=1777")
        said[SHARED_MEMORY] = False
    if not of_users():
        said |= dict.fromkeys(_settings(), True)
        _close_disks()
    return Layers(said, frozenset(coarse))


def _roots(workspace: bytes) -> list[bytes]:
    """The folders that get a layer, outer ones first: the workspace, the home, and those for temporary files."""
    wanted = [os.fsencode(os.path.realpath(each)) for each in (*TEMPORARY, os.environ.get("TMPDIR", "/tmp"), _home())]  # noqa: S108 - they are covered
    if _is_in(workspace, [SHARED_MEMORY]):
        wanted.append(SHARED_MEMORY)
    others = {each for each in wanted if each != b"/" and _may_write(each) and not _is_in(each, [workspace])}
    return sorted({*others, workspace}, key=len)


def _told_through() -> tuple[bytes, ...]:
    """The folder of the pipe that the command's requests are told on: a pipe under a layer is another pipe."""
    pipe = os.environb.get(b"RUNWRIGHT_SEEN")
    return (os.path.realpath(os.path.dirname(pipe)),) if pipe and os.path.exists(pipe) else ()


def _may_write(folder: bytes) -> bool:
    """Whether files may be made in a folder: its layer's is one's own, so that they could be in any."""
    return os.path.isdir(folder) and os.access(folder, os.W_OK)


def _home() -> str:
    return os.path.expanduser("~")


def _is_in(path: bytes, roots: Iterable[bytes]) -> bool:
    return any(path.startswith(each.rstrip(b"/") + b"/") for each in roots)


def _is_full(at: bytes) -> bool:
    """Whether an overlay has all options that were asked for: it goes without what a disk below it lacks."""
    return set(FULL.split(b",")[:2]) <= set(options(at).split(b","))


def _overlay(at: bytes, under: int, spare: bytes) -> None:
    upper, work = spare + b"/upper", spare + b"/work"
    os.makedirs(work, 0o700)
    os.mkdir(upper)
    likened(b"/proc/self/fd/%d/." % under, upper)  # it is what the layer's root shows
    halves = b"lowerdir=/proc/self/fd/%d,upperdir=%s,workdir=%s" % (under, upper, work)
    mount(b"none", at, b"overlay", 0, b"%s,%s" % (halves, SOME if of_users() else FULL))


def _again(tree: int, at: bytes) -> None:
    """What was mounted in a folder that has a layer now, to read alone."""
    set_attributes(tree, READ_ONLY)
    try:
        place(tree, at)
    except OSError:  # the folder has no layer, and so it is there still
        return


def _settings() -> Iterator[bytes]:
    """What only root could change in the kernel, from here on to read alone."""
    for each in OF_THE_KERNEL:
        if os.path.exists(each):
            tree = clone(each)
            set_attributes(tree, READ_ONLY)
            place(tree, each)
            yield each


def _close_disks() -> None:
    """Disks past their files: no device is opened through a mount that has none."""
    for device in _disks(b"/dev"):
        tree = clone(device)
        set_attributes(tree, NO_DEVICES)
        place(tree, device)


def _disks(folder: bytes) -> Iterator[bytes]:
    with os.scandir(folder) as listed:
        for each in listed:
            if each.is_dir(follow_symlinks=False) and not os.path.ismount(each.path):
                yield from _disks(each.path)
            elif stat.S_ISBLK(each.stat(follow_symlinks=False).st_mode):
                yield each.path


def _opened(path: bytes) -> int:
    return os.open(path, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)


def _set(at: bytes, attributes: int, clear: int = 0) -> None:
    opened = _opened(at)
    set_attributes(opened, attributes, clear=clear, below=not clear)
    os.close(opened)
