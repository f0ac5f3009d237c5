"""Changes of rows in their order, taken together: one net change a row, and none for what is as it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from runwright.record.database.decoded import Decoded
from runwright.record.database.model import UNDONE
from runwright.record.database.told import Told
from runwright.record.database.values import Cell, Row, Same, changed, key_text, part
from runwright.trace.model import JSON

KEPT = 64 << 20
"""Bytes of rows, as they are decoded, that are held; of further rows the key is."""
KEY_ALONE = "key alone"
"""What `detail.before` says where of the row before nothing but its key is known."""

Name = tuple[str, str]
"""Schema and table."""


class Identity(NamedTuple):
    """The columns of a table, those that tell its rows apart, and whether the whole row before is logged."""

    columns: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    full: bool = False


@dataclass
class _Row:
    """A row so far. `before` is all of it where that is known; `existed` is whether it was there at first.

    `after` is its key alone where it is `cut`, since there is no more room.
    """

    key: Row
    existed: bool
    before: Row | None = None
    after: Row | None = None
    cut: bool = False


@dataclass
class _Table:
    """The rows of one table, by key; those of a table without one in their order; and what there is no room for."""

    rows: dict[str, _Row] = field(default_factory=dict)
    truncated: str | None = None
    beyond: Counter[str] = field(default_factory=Counter)


class Net:
    """What is known so far."""

    def __init__(self, identities: Mapping[Name, Identity], limit: int, kept: int = KEPT) -> None:
        self._identities, self._limit, self._room = identities, limit, kept
        self._tables: dict[Name, _Table] = {}
        self._undone = 0
        self._number = 0

    def add(self, change: Decoded, size: int) -> None:
        """The next change, of `size` bytes."""
        self._room -= size
        if change.op == "TRUNCATE":
            for name in change.tables:
                self._undone += sum(not each.existed for each in self._tables.get(name, _Table()).rows.values())
                self._tables[name] = _Table(truncated=change.flags)
            return
        (name,) = change.tables
        table = self._tables.setdefault(name, _Table())
        for each in _by_key(change, self._identities.get(name, Identity())):
            self._row(name, table, each)

    def _row(self, name: Name, table: _Table, change: Decoded) -> None:
        identity = self._identities.get(name, Identity())
        key = _key(identity, change.old or change.new)
        at = key_text(key) if key else self._next()
        row = table.rows.get(at)
        if row is None:
            if len(table.rows) >= self._limit:
                table.beyond[change.op.lower()] += 1
                return
            row = table.rows[at] = _Row(key, existed=change.op != "INSERT")
            if change.old is not None and identity.full and self._room > 0:
                row.before = {each: change.old.get(each) for each in identity.columns or change.old}
        known = change.old if identity.full else row.after
        row.cut = self._room <= 0
        row.after = None if change.new is None else key if row.cut else dict(_filled(change.new, known))

    def _next(self) -> str:
        self._number += 1
        return f"\0{self._number}"

    def tell(self, lead: str, told: Told) -> None:
        """All of it, table by table in the order in which they were first changed."""
        undone = self._undone
        for name, table in self._tables.items():
            target = f"{lead}/{table_name(*name)}"
            if table.truncated is not None:
                told.every(target, "truncate", **({"flags": table.truncated} if table.truncated else {}))
            undone += sum(not _tell(target, row, told) for row in table.rows.values())
            for op, rows in table.beyond.items():
                told.more(target, op, rows)
        if undone:
            told.counted[UNDONE] += undone


def _tell(target: str, row: _Row, told: Told) -> bool:
    """Tell a row; false where it is what it was."""
    after = None if row.cut else row.after
    if not row.existed:
        if row.after is not None:
            told.row(target, "insert", row.key, None, after)
        return row.after is not None
    note: dict[str, JSON] = {} if row.before is not None else {"before": KEY_ALONE}
    if row.after is None:
        told.row(target, "delete", row.key, row.before, None, note=note)
        return True
    if row.before is None or row.cut:
        told.row(target, "update", row.key, row.before, after, note=note)
        return True
    columns = changed(row.before, row.after, (each for each in row.after if each in row.before))
    if columns:
        told.row(target, "update", row.key, row.before, row.after, columns)
    return bool(columns)


def _by_key(change: Decoded, identity: Identity) -> Iterator[Decoded]:
    """The change; one that gave a row another key as a deletion and an insertion."""
    if change.op == "UPDATE" and change.old is not None and change.new is not None:
        old, new = _key(identity, change.old), _key(identity, change.new)
        if old and new and old != new:
            yield change._replace(op="DELETE", new=None)
            yield change._replace(op="INSERT", old=None, new=dict(_filled(change.new, change.old)))
            return
    yield change


def _key(identity: Identity, row: Row | None) -> dict[str, Cell]:
    """The values that tell the row apart, if all are known."""
    found = {each: row[each] for each in identity.key if each in row} if row else {}
    return found if len(found) == len(identity.key) else {}


def _filled(row: Row, known: Row | None) -> Iterator[tuple[str, Cell]]:
    """The columns, with the value that is known of what did not change."""
    for name, cell in row.items():
        yield name, known[name] if isinstance(cell, Same) and known and name in known else cell


def table_name(schema: str, name: str) -> str:
    """A table's name as a part of a target."""
    return f"{part(schema.encode())}.{part(name.encode())}"
