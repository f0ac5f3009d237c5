"""What was observed of a command, databases included: their files give way to their rows."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from runwright.record.database.copies import BESIDE
from runwright.record.database.databases import Databases
from runwright.record.database.model import CHANGE, FILE, DatabaseChanges
from runwright.record.observe.model import SEEN, Observed
from runwright.record.observe.names import OUTSIDE, readable
from runwright.trace.model import JSON, FaultRecord, Header, Record, SideEffect, SideEffectRecord

ROWS_TELL = ("create", "append", "modify", "truncate")
"""What is done to a database's file that its rows tell."""
ASIDE = tuple(os.fsdecode(each) for each in BESIDE if each)
ESCAPE = re.compile(r"\\(?:\\|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})")
SOCKET = "a process outside of the run was talked to"


def with_databases(
    observed: Observed, databases: Databases, *, world: bytes = b"", everything: bool = False
) -> Observed:
    """The same with changes of databases. `world` stands before a path to see what the command saw there."""
    root = databases.root or b""
    moved = dict(_moved(observed, root))
    outside = {written(real): token for token, real in observed.outside.items()}
    found = databases.after(moved, outside, world)
    counted: Counter[str] = Counter(observed.filtered)
    counted.update(found.counted)
    names = frozenset(outside.get(each) or readable(os.path.relpath(each, root)) for each in found.covered)
    files = [each for each in observed.trace.effects if _told_by_rows(each.side_effect, names)]
    left_out = set() if everything else {each.id for each in files}
    kept = [each for each in observed.trace.records if each.id not in left_out]
    counted.update({FILE: len(left_out)} if left_out else {})
    filtered = dict(sorted(counted.items()))
    header = _header(observed.trace.header, filtered, databases.servers)
    numbered = _numbered(kept, found, servers=bool(databases.servers))
    records = tuple(_timed(numbered, {_database(each.side_effect.target): each.t for each in files}))
    return observed._replace(trace=replace(observed.trace, header=header, records=records), filtered=filtered)


def written(name: str) -> bytes:
    """The bytes of a name that was made readable."""
    return os.fsencode(ESCAPE.sub(lambda found: _unescaped(found.group()), name))


def _unescaped(escape: str) -> str:
    if escape == "\\\\":
        return "\\"
    code = int(escape[2:], 16)
    return chr(code + 0xDC00 if escape[1] == "x" and code >= 0x80 else code)


def _moved(observed: Observed, root: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The old paths of files that moved within the workspace, by their new ones."""
    for record in observed.trace.effects:
        old, new = record.side_effect.target, record.side_effect.detail.get("to")
        if record.side_effect.op == "move" and not old.startswith(OUTSIDE) and not str(new).startswith(OUTSIDE):
            yield os.path.join(root, written(str(new))), os.path.join(root, written(old))


def _told_by_rows(effect: SideEffect, covered: frozenset[str]) -> bool:
    if effect.kind not in SEEN or effect.target not in covered:
        return False
    return effect.op in ROWS_TELL or (effect.op == "delete" and effect.target.endswith(ASIDE))


def _database(file: str) -> str:
    """The database that a file is a part of."""
    return next((file.removesuffix(each) for each in ASIDE if file.endswith(each)), file)


def _timed(records: Iterable[Record], times: Mapping[str, float | None]) -> Iterator[Record]:
    """The records; rows at the time of the last call that wrote to their file."""
    for record in records:
        if isinstance(record, SideEffectRecord) and record.side_effect.kind == CHANGE:
            target = record.side_effect.target
            at = (t for name, t in times.items() if target == name or target.startswith(f"{name}/"))
            yield replace(record, t=next(at, None))
        else:
            yield record


def _header(header: Header, filtered: Mapping[str, int], servers: tuple[str, ...]) -> Header:
    told = header.ext.get("observe")
    ext: dict[str, JSON] = {**header.ext}
    if isinstance(told, dict):
        ext["observe"] = {**told, "filtered": dict(filtered), **({"servers": list(servers)} if servers else {})}
    return replace(header, observation={**header.observation, CHANGE: "observed"}, ext=ext)


def _numbered(kept: list[Record], found: DatabaseChanges, *, servers: bool) -> Iterator[Record]:
    """All records, effects and faults numbered anew; what may have hidden files may have hidden databases in them."""
    effects = faults = 0
    for record in kept:
        if isinstance(record, SideEffectRecord):
            effects += 1
            yield replace(record, id=f"e{effects}")
        elif isinstance(record, FaultRecord):
            faults += 1
            explained = servers and record.detail.startswith(SOCKET)
            hides = (*record.hides, CHANGE) if {*SEEN} <= {*record.hides} and not explained else record.hides
            yield replace(record, id=f"f{faults}", hides=hides)
        else:
            yield record
    yield from found.records(effects + 1)
    yield from found.fault_records(faults + 1)
