"""Observing one command: a look at the workspace before and after, and between them at every call that could matter."""

from __future__ import annotations

import os
import shlex
import stat
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from runwright.errors import UsageError
from runwright.record.observe.changes import Change, Compared, Hints, compared
from runwright.record.observe.effects import by_path, effect
from runwright.record.observe.journal import Log
from runwright.record.observe.model import SEEN, Observed
from runwright.record.observe.moves import moves
from runwright.record.observe.names import Names
from runwright.record.observe.noise import LOOKUPS, Rules, cannot_be_compared, of_special
from runwright.record.observe.snapshot import Entry, Snapshot, take
from runwright.record.observe.watching.files.state import State, state
from runwright.record.observe.watching.journal import ENTRIES
from runwright.record.observe.watching.network.contacts import TOO_MANY
from runwright.trace.model import (
    EFFECT_KINDS,
    AgentInfo,
    EffectKind,
    FaultKind,
    FaultRecord,
    Header,
    PolicyRecord,
    SideEffectRecord,
    Trace,
)

WAIT = 5.0
"""Seconds that processes which outlive the command are waited for."""


class Look(NamedTuple):
    """A workspace before a run, and when that began."""

    names: Names
    before: Snapshot
    began: datetime
    clock: float


class End(NamedTuple):
    """How a run ended that was watched. `outputs` are the files (device, number) that its output went to.

    `world` stands before a path to see what the command saw there, where that was a layer.
    """

    log: Log
    interrupted: bool = False
    writable_input: bool = False
    outputs: frozenset[tuple[int, int]] = frozenset()
    world: bytes = b""


def workspace_root(workspace: Path) -> bytes:
    """The real path of a workspace. UsageError where it is no folder, or the whole machine."""
    root = os.fsencode(os.path.realpath(workspace))
    if not os.path.isdir(root):
        raise UsageError("the workspace is no folder", place=str(workspace))
    if root == b"/":
        hint = "--workspace DIR, or effects.workspace in a flow"
        raise UsageError("the workspace is the whole machine", place="/", hint=hint)
    return root


def look(workspace: Path) -> Look:
    """The first look at a workspace. UsageError where it is none."""
    root = workspace_root(workspace)
    began, clock = datetime.now(UTC), time.monotonic()
    return Look(Names(root), take(root), began, clock)


def observed_of(before: Look, end: End, command: Sequence[str], *, everything: bool = False) -> Observed:
    """What a command did to files between the first look and now, told by two looks and by what its log says."""
    names, log = before.names, end.log
    after = take(names.workspace, before.before, end.world)
    found = _found(end, names, before.before, after)
    rules = None if everything else Rules(names, log.touched, end.outputs)
    kept, filtered = _sifted(found, rules)
    filtered.update(_special(log))
    unchanged = tuple(names.of(each) for each in found.unchanged)
    header = Header(
        kind="run",
        trace_id=uuid.uuid4().hex,
        started_at=before.began.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        duration=round(time.monotonic() - before.clock, 6),
        agent=AgentInfo(command=shlex.join(command).encode("utf-8", "backslashreplace").decode()),
        observation={kind: "observed" if kind in SEEN else "not_observed" for kind in EFFECT_KINDS},
        ext={
            "observe": {"status": log.status, "unchanged": list(unchanged), "filtered": dict(sorted(filtered.items()))}
        },
    )
    faults = list(_faults(end, names, (*before.before.closed, *after.closed)))
    return Observed(
        trace=Trace(header=header, records=(*_records(kept, names, log), *_refusals(log, names), *faults)),
        status=log.status,
        unchanged=unchanged,
        filtered=dict(sorted(filtered.items())),
        operations=max(log.counted, len(log.operations)),
        idle=sum(1 for each in log.operations if not each.word),
        outside=names.outside,
        interrupted=end.interrupted,
        began=log.began,
        refused=tuple(dict.fromkeys(names.of(each.path) for each in log.refused)),
    )


def _found(end: End, names: Names, before: Snapshot, after: Snapshot) -> Compared:
    """The changes of the workspace, and of each file outside of it that a call was about to change."""
    log, world = end.log, end.world
    outside = {path: found for path, found in log.touched.items() if not path.startswith((b"/proc/", b"/sys/"))}
    old = before.entries | {path: Entry(found) for path, found in outside.items() if found is not None}
    new = after.entries | {
        path: Entry(found) for path in outside if (found := _as_told(log, state(world + path))) is not None
    }
    moved = _moved(log, old, new, layered=bool(world))
    for now, was in moved.items():
        if not names.inside(now) and names.inside(was) and stat.S_ISDIR(old[was].state.mode):
            new = take(now, world=world).entries | new  # what was in a folder that left the workspace went with it
    hints = Hints(_told_of(log, "truncate", "ftruncate"), _told_of(log, "link", "linkat"), world)
    return compared(old, new, moved, hints)


def _as_told(log: Log, found: State | None) -> State | None:
    """A state with its owner as the watching process would have told it."""
    if found is None or log.user is None:
        return found
    user, group = (one if one == known else NOBODY for one, known in zip(found.owner, log.user, strict=True))
    return found._replace(owner=(user, group))


def _told_of(log: Log, *names: str) -> frozenset[bytes]:
    return frozenset(each.path for each in log.operations if each.word and each.name in names)


def _moved(log: Log, old: Mapping[bytes, Entry], new: Mapping[bytes, Entry], *, layered: bool) -> dict[bytes, bytes]:
    before = {path: each.state for path, each in old.items()}
    return moves(log.operations, before, {path: each.state for path, each in new.items()}, layered=layered)


def _sifted(found: Compared, rules: Rules | None) -> tuple[list[Change], Counter[str]]:
    """The changes that are told, and how many are not, by rule."""
    kept: list[Change] = []
    filtered: Counter[str] = Counter()
    for change in found.changes:
        rule = rules.of(change) if rules else None
        if rule is None:
            kept.append(change)
        else:
            filtered[rule] += 1
    return kept, filtered


def _special(log: Log) -> Counter[str]:
    found = (of_special(path, before) for path, before in log.touched.items())
    return Counter(str(each) for each in found if each is not None)


def _records(changes: Sequence[Change], names: Names, log: Log) -> Iterator[SideEffectRecord]:
    done = by_path(log.operations)
    ordered = sorted(changes, key=lambda each: (not names.inside(each.path), each.path))
    for number, change in enumerate(ordered, start=1):
        operations = done.get(change.to or change.path, []) if change.op == "move" else done.get(change.path, [])
        t = operations[-1].t if operations else None
        yield SideEffectRecord(id=f"e{number}", t=t, side_effect=effect(change, names, operations))


def _refusals(log: Log, names: Names) -> Iterator[PolicyRecord]:
    """What was tried of what can only be read: each thing once."""
    first = {(each.name, each.path): each for each in reversed(log.refused)}
    for number, each in enumerate(sorted(first.values()), start=1):
        reason = f"{each.name} {names.of(each.path)}: it can only be read"
        yield PolicyRecord(id=f"p{number}", t=each.t, policy=CONTAIN, verdict="deny", reason=reason)


def _faults(end: End, names: Names, closed: Sequence[bytes]) -> Iterator[FaultRecord]:
    found = [*([(INTERRUPTED, SEEN)] if end.interrupted else []), *_told(end, names, closed)]
    for number, (detail, hides) in enumerate(found, start=1):
        kind: FaultKind = "interruption" if detail == INTERRUPTED else "observer_failed"
        yield FaultRecord(id=f"f{number}", kind=kind, detail=detail, hides=hides)


CONTAIN = "contain"
NOBODY = 65534
"""How a namespace shows the owners that it has not."""
INTERRUPTED = "the run was interrupted"
ANY: tuple[EffectKind, ...] = (*SEEN, "http_request")
"""What a process may do that nobody sees, or that does as another asks it: it asks others for things, too."""


def _told(end: End, names: Names, closed: Sequence[bytes]) -> Iterator[tuple[str, tuple[EffectKind, ...]]]:
    """Each thing that may have hidden an effect, and of which kinds."""
    log = end.log
    if not log.ended:
        yield "the observer died: what was done outside the workspace after that was not seen", ANY
    for detail, path in log.faults:
        yield f"{detail}: {names.of(path)}" if path else detail, ANY if detail == TOO_MANY else SEEN
    for path in log.sockets:
        if not path.startswith(LOOKUPS):
            name = "an abstract one" if path[:1] == b"\0" else names.of(path)
            yield f"a process outside of the run was talked to, by a socket: {name}", ANY
    if end.writable_input:
        yield "the standard input is a file that the command may write to", SEEN
    for path, before in log.touched.items():
        if of_special(path, before) is None and cannot_be_compared(path, before):
            yield f"opened for writing, and what was written cannot be told: {names.of(path)}", SEEN
    for path in dict.fromkeys(closed):
        yield f"a folder cannot be looked into: {names.of(path)}", SEEN
    if log.counted > ENTRIES:
        yield f"more than {ENTRIES} operations: what was renamed after that is told as deleted and created", SEEN
