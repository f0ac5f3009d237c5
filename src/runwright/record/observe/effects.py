"""A change of a file as a side effect of the run."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable

from runwright.record.observe.changes import Change
from runwright.record.observe.content import difference, shown_text
from runwright.record.observe.journal import Operation
from runwright.record.observe.names import Names
from runwright.record.observe.snapshot import Entry
from runwright.record.observe.watching.files.state import State
from runwright.trace.model import JSON, EffectKind, EffectState, SideEffect

KINDS: dict[str, EffectKind] = {
    "delete": "fs_delete", "rmdir": "fs_delete", "move": "fs_rename", "truncate": "fs_truncate",
}  # fmt: skip
"""Every other op is a write."""
TYPES = {
    stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFLNK: "link", stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket",
}  # fmt: skip
OPERATIONS = 8
"""Operations that an effect lists; of more it says how many."""


def effect(change: Change, names: Names, operations: Iterable[Operation] = ()) -> SideEffect:
    """The side effect; of a file outside the workspace no content, no digest and no path is told."""
    inside = names.inside(change.to if change.op == "move" and change.to is not None else change.path)
    inside = inside and names.inside(change.path)
    return SideEffect(
        kind=KINDS.get(change.op, "fs_write"),
        target=names.of(change.path),
        op=change.op,
        before=_state(change.before, inside),
        after=_state(change.after, inside),
        diff=_diff(change, names) if inside else None,
        detail=_detail(change, names, operations),
    )


def by_path(operations: Iterable[Operation]) -> dict[bytes, list[Operation]]:
    """The operations that did something, by each file that they did it to."""
    found: dict[bytes, list[Operation]] = {}
    for each in operations:
        if each.word:
            for path in {each.path, each.to or each.path}:
                found.setdefault(path, []).append(each)
    return found


def _state(entry: Entry | None, inside: bool) -> EffectState | None:
    if entry is None or not stat.S_ISREG(entry.state.mode):
        return None
    if not inside:
        return EffectState(size=entry.state.size)
    return EffectState(digest=entry.state.content, size=entry.state.size, content=shown_text(entry.kept))


def _diff(change: Change, names: Names) -> str | None:
    if change.op == "link":
        return None
    old, new = _bytes(change.before), _bytes(change.after)
    name, name_now = names.of(change.path), names.of(change.to or change.path)
    return difference(
        old, new, "/dev/null" if change.before is None else f"a/{name}",
        "/dev/null" if change.after is None else f"b/{name_now}",
    )  # fmt: skip


def _bytes(entry: Entry | None) -> bytes | None:
    """The bytes to compare: none at all for a file that is not there, None for what has none or was not kept."""
    return b"" if entry is None else entry.kept


def _detail(change: Change, names: Names, operations: Iterable[Operation]) -> dict[str, JSON]:
    old, new = change.before and change.before.state, change.after and change.after.state
    told: dict[str, JSON] = {}
    if change.to is not None:
        told["to"] = names.of(change.to)
    if change.replaced is not None and change.replaced.state.content and names.inside(change.to or b""):
        told["replaced"] = change.replaced.state.content
    told |= _links(change, names, old, new)
    told |= _modes(old, new)
    if new is not None and stat.S_ISREG(new.mode) and new.links > 1:
        told["links"] = new.links
    done = list(dict.fromkeys(f"{each.name}: {each.word}" for each in operations))
    if done:
        told["operations"] = [
            *done[:OPERATIONS],
            *([f"and {len(done) - OPERATIONS} more"] if done[OPERATIONS:] else []),
        ]
    return told


def _links(change: Change, names: Names, old: State | None, new: State | None) -> dict[str, JSON]:
    """Where symbolic links lead, and led."""
    told: dict[str, JSON] = {}
    for word, state, path in (("led", old, change.path), ("leads", new, change.to or change.path)):
        if state is not None and stat.S_ISLNK(state.mode) and state.content is not None:
            told[word] = names.of_target(path, os.fsencode(state.content))
    return told


def _modes(old: State | None, new: State | None) -> dict[str, JSON]:
    """The mode of what was made executable, and what of mode, owner, type and attributes is not what it was."""
    if new is None:
        return {}
    if old is None:
        return {"mode": _mode(new)} if stat.S_ISREG(new.mode) and new.mode & 0o111 else {}
    told: dict[str, JSON] = {}
    if stat.S_IFMT(old.mode) != stat.S_IFMT(new.mode):
        return {"type": {"before": _type(old), "after": _type(new)}}
    if old.mode != new.mode:
        told["mode"] = {"before": _mode(old), "after": _mode(new)}
    if old.owner != new.owner:
        told["owner"] = {"before": "{}:{}".format(*old.owner), "after": "{}:{}".format(*new.owner)}
    if old.attributes != new.attributes:
        told["attributes"] = "changed"
    return told


def _mode(state: State) -> str:
    return f"{stat.S_IMODE(state.mode):04o}"


def _type(state: State) -> str:
    return TYPES.get(stat.S_IFMT(state.mode), "device")
