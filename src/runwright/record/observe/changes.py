"""What became of each file between two moments: one change a file, and none where nothing is different."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from runwright.record.observe.snapshot import Entry, begins_with
from runwright.record.observe.watching.files.state import State

Op = Literal[
    "create", "append", "modify", "truncate", "replace", "delete", "rmdir", "move",
    "mkdir", "link", "symlink", "mknod", "chmod", "chown", "setxattr",
]  # fmt: skip
Entries = Mapping[bytes, Entry]
INODE = tuple[int, int]


class Change(NamedTuple):
    """One file's change. `path` is its old path where it moved `to` another, else the path that it has or had."""

    op: Op
    path: bytes
    before: Entry | None = None
    after: Entry | None = None
    to: bytes | None = None
    replaced: Entry | None = None


class Hints(NamedTuple):
    """What two looks cannot tell and the calls can: files that were cut, and names that were made as links.

    `world` stands before a path where it is to be read now.
    """

    cut: frozenset[bytes] = frozenset()
    linked: frozenset[bytes] = frozenset()
    world: bytes = b""


class Compared(NamedTuple):
    """The changes in the order of their paths, and the files that were written to and are what they were."""

    changes: list[Change]
    unchanged: list[bytes]


def compared(before: Entries, after: Entries, moved: Mapping[bytes, bytes], hints: Hints) -> Compared:
    """What changed. `moved` names the old path of what moved by its new one."""
    start = dict(_placed(before, {old: new for new, old in moved.items()}))
    names = _names(start, after, hints.linked)
    changes: list[Change] = []
    unchanged: list[bytes] = []
    for path in sorted({*start, *after}):
        old, old_path = start.get(path, (None, path))
        new = after.get(path)
        change = _change(path, old_path, old, new, path in moved)
        if change is None:
            if old is not None and new is not None and _written(old.state, new.state):
                unchanged.append(path)
            continue
        if change.op == "create" and new is not None:
            change = _as_link(change, new, names)
        elif change.op == "modify" and old is not None and new is not None:
            change = change._replace(op=_how(hints.world + path, old, new, path in hints.cut))
        elif change.op == "move" and path in before and path not in moved.values():
            change = change._replace(replaced=before[path])
        changes.append(change)
    return Compared(changes, unchanged)


def _placed(before: Entries, gone: Mapping[bytes, bytes]) -> Iterator[tuple[bytes, tuple[Entry, bytes]]]:
    """Each earlier file by the path where it has to be looked for: with a folder that moved, what was in it."""
    covered = set(gone.values())
    elsewhere: list[tuple[bytes, tuple[Entry, bytes]]] = []
    for path, entry in before.items():
        place = _place(path, gone)
        if place != path:
            elsewhere.append((place, (entry, path)))
        elif path not in covered:
            yield path, (entry, path)
    yield from elsewhere


def _place(path: bytes, gone: Mapping[bytes, bytes]) -> bytes:
    at = path
    while gone:
        if at in gone:
            return gone[at] + path[len(at) :]
        above = os.path.dirname(at)
        if above == at:
            break
        at = above
    return path


def _change(path: bytes, old_path: bytes, old: Entry | None, new: Entry | None, moved: bool) -> Change | None:
    if old is not None and new is None:
        return Change("rmdir" if stat.S_ISDIR(old.state.mode) else "delete", old_path, before=old)
    if new is None:
        return None
    if old is None:
        return Change(_made(new.state), path, after=new)
    if moved:
        return Change("move", old_path, old, new, to=path)
    op = _differs(old.state, new.state)
    return None if op is None else Change(op, path, old, new)


def _made(state: State) -> Op:
    if stat.S_ISREG(state.mode):
        return "create"
    return "mkdir" if stat.S_ISDIR(state.mode) else "symlink" if stat.S_ISLNK(state.mode) else "mknod"


def _differs(old: State, new: State) -> Op | None:
    """How two states of one path differ; times alone are no difference."""
    if stat.S_IFMT(old.mode) != stat.S_IFMT(new.mode):
        return "replace"
    if stat.S_ISREG(old.mode) and not same_content(old, new):
        return "modify"
    if stat.S_ISLNK(old.mode):
        return None if old.content == new.content else "symlink"
    if old.mode != new.mode:
        return "chmod"
    if old.owner != new.owner:
        return "chown"
    return None if old.attributes == new.attributes else "setxattr"


def same_content(old: State, new: State) -> bool:
    """Whether two regular files hold the same; where one could not be read, or not by the same digest, times tell."""
    if old.size != new.size:
        return False
    if old.content is None or new.content is None or old.content[:7] != new.content[:7]:
        return old.changed[0] == new.changed[0]
    return old.content == new.content


def _written(old: State, new: State) -> bool:
    return stat.S_ISREG(new.mode) and (
        old.changed[0] != new.changed[0] or (old.device == new.device and old.inode != new.inode)
    )  # in a layer every file has another number


def _names(start: Mapping[bytes, tuple[Entry, bytes]], after: Entries, linked: frozenset[bytes]) -> dict[INODE, bytes]:
    """The first name of each file that has several: one that it had before, else one that it was not linked to."""
    several: dict[INODE, list[bytes]] = {}
    for path, each in after.items():
        if each.state.links > 1 and stat.S_ISREG(each.state.mode):
            several.setdefault((each.state.device, each.state.inode), []).append(path)
    return {
        inode: min(paths, key=lambda path: (path not in start, path in linked, path))
        for inode, paths in several.items()
    }


def _as_link(change: Change, new: Entry, names: Mapping[INODE, bytes]) -> Change:
    """A further name of a file is a link."""
    first = names.get((new.state.device, new.state.inode), change.path)
    return change if first == change.path else change._replace(op="link", to=first)


def _how(path: bytes, old: Entry, new: Entry, cut: bool) -> Op:
    """Whether a file was only made longer, only made shorter, or otherwise changed."""
    size, size_now = old.state.size, new.state.size
    if size_now > size and (not size or begins_with(path, size, old.state.content)):
        return "append"
    if size_now < size:
        if old.kept is not None and new.kept is not None:
            return "truncate" if old.kept.startswith(new.kept) else "modify"
        return "truncate" if not size_now or cut else "modify"
    return "modify"
