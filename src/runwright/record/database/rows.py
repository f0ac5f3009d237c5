"""The rows of one table before and after, compared inside SQLite: neither is held in memory here."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from runwright.record.database.tables import Column, Table, quoted
from runwright.record.database.told import Told
from runwright.record.database.values import Cell, Long, Number, Row, Text

READ = 16 << 20
"""Bytes of one value up to which it is looked at."""
NUMBER = "rowid"
"""What the number of a row is called in its key."""


class Pair(NamedTuple):
    """A column of both, or of one alone."""

    old: Column | None
    new: Column | None


class Part(NamedTuple):
    """Rows that are told apart in one way: how those of both are joined, and a column that each has a value in.

    `null` is whether those are meant in which one of `names` is NULL, or those in which none is.
    """

    on: str
    present: str
    numbered: bool
    names: Sequence[str] = ()
    null: bool = False


def tell_one_side(connection: sqlite3.Connection, side: str, table: Table, target: str, told: Told, op: str) -> None:
    """All rows of a table that is only there before (`delete`), or only afterwards (`insert`)."""
    source = f"{quoted(side)}.{quoted(table.name)} AS x"
    query = f"SELECT {_selected('x', table)} FROM {source}"  # noqa: S608 - names are quoted, here as below
    for number, cells in enumerate(connection.execute(query)):
        if number == told.limit:
            ((rows,),) = connection.execute(f"SELECT count(*) FROM {source}")  # noqa: S608
            told.more(target, op, rows - told.limit)
            return
        row = _row(table, cells)
        told.row(target, op, _key(table, row, cells[0]), *((row, None) if op == "delete" else (None, row)))


def tell_both(connection: sqlite3.Connection, old: Table, new: Table, target: str, told: Told) -> None:
    """Rows that were inserted, updated and deleted in a table that is attached as `main` before and `new` after."""
    for part in _parts(old, new):
        _tell_new(connection, old, new, part, target, told)
        _tell_gone(connection, old, new, part, target, told)


def differs(connection: sqlite3.Connection, old: Table, new: Table) -> bool:
    """Whether any row is another."""
    queries = (each for part in _parts(old, new) for each in (_new_rows(old, new, part), _gone_rows(old, new, part)))
    return any(connection.execute(f"SELECT 1 FROM {each} LIMIT 1").fetchone() for each in queries)  # noqa: S608


def _tell_new(connection: sqlite3.Connection, old: Table, new: Table, part: Part, target: str, told: Told) -> None:
    both = pairs(old, new)
    marks = _joined(" || ", (f"iif({_differ(pair)}, ' {at}', '')" for at, pair in enumerate(both)))
    rows = _new_rows(old, new, part)
    found: Counter[str] = Counter()
    wanted = f"o{part.present} IS NULL, {marks}, {_selected('o', old)}, {_selected('n', new)}"
    width = 2 + len(old.columns)
    for fresh, changed, *cells in connection.execute(f"SELECT {wanted} FROM {rows}"):  # noqa: S608
        if found.total() == told.limit:
            _count_new(connection, part, rows, target, told, found)
            return
        found["insert" if fresh else "update"] += 1
        row = _row(new, cells[width:])
        if fresh:
            told.row(target, "insert", _key(new, row, cells[width], part.numbered), None, row)
            continue
        columns = [(both[int(at)].new or both[int(at)].old) for at in bytes(changed).split()]
        key = _key(new, row, cells[width], part.numbered)
        told.row(target, "update", key, _row(old, cells[:width]), row, [each.name for each in columns if each])


def _count_new(
    connection: sqlite3.Connection, part: Part, rows: str, target: str, told: Told, found: Counter[str]
) -> None:
    query = f"SELECT count(*), count(*) FILTER (WHERE o{part.present} IS NULL) FROM {rows}"  # noqa: S608
    ((every, fresh),) = connection.execute(query)
    told.more(target, "insert", fresh - found["insert"])
    told.more(target, "update", every - fresh - found["update"])


def _tell_gone(connection: sqlite3.Connection, old: Table, new: Table, part: Part, target: str, told: Told) -> None:
    rows = _gone_rows(old, new, part)
    for number, cells in enumerate(connection.execute(f"SELECT {_selected('o', old)} FROM {rows}")):  # noqa: S608
        if number == told.limit:
            ((every,),) = connection.execute(f"SELECT count(*) FROM {rows}")  # noqa: S608
            told.more(target, "delete", every - told.limit)
            return
        row = _row(old, cells)
        told.row(target, "delete", _key(old, row, cells[0], part.numbered), row, None)


def pairs(old: Table, new: Table) -> list[Pair]:
    """The columns by name; where others stand at the very places of those that went, they have new names."""
    before, after = {each.name: each for each in old.columns}, {each.name: each for each in new.columns}
    found = [Pair(before[name], after[name]) for name in after if name in before]
    gone = {each.at: each for each in old.columns if each.name not in after}
    fresh = {each.at: each for each in new.columns if each.name not in before}
    if gone.keys() == fresh.keys() and len(old.columns) == len(new.columns):
        return found + [Pair(gone[at], fresh[at]) for at in sorted(gone)]
    return found + [Pair(each, None) for each in gone.values()] + [Pair(None, each) for each in fresh.values()]


def _parts(old: Table, new: Table) -> Iterator[Part]:
    """By key; and those whose key is NULL, which SQLite allows, by number."""
    if not new.key:
        yield Part(f"o.{old.rowid} = n.{new.rowid}", f".{new.rowid}", numbered=True)
        return
    names = [quoted(each) for each in new.key]
    on = " AND ".join(f"o.{each} = n.{each}" for each in names)
    if not (old.open or new.open):
        yield Part(on, f".{names[0]}", numbered=False)
        return
    yield Part(on, f".{names[0]}", numbered=False, names=names)
    if old.rowid is not None and new.rowid is not None:
        yield Part(f"o.{old.rowid} = n.{new.rowid}", f".{new.rowid}", numbered=True, names=names, null=True)


def _new_rows(old: Table, new: Table, part: Part) -> str:
    """The rows afterwards that are not there before, or are others."""
    other = f"(o{part.present} IS NULL OR NOT {_same(old, new)})"
    return (
        f"new.{quoted(new.name)} AS n LEFT JOIN main.{quoted(old.name)} AS o ON {part.on} AND {_of('o', part)} "
        f"WHERE {_of('n', part)}{_unless_in_place(old, new, part)} AND {other}"
    )


def _unless_in_place(old: Table, new: Table, part: Part) -> str:
    """Leaves out what is the same under the same number: nearly every row, and far sooner found than by its key."""
    if part.numbered or not new.order or old.rowid is None or new.rowid is None:
        return ""
    within = f"main.{quoted(old.name)} AS o WHERE o.{old.rowid} = n.{new.rowid} AND {_same(old, new)}"
    return f" AND NOT EXISTS (SELECT 1 FROM {within})"  # noqa: S608


def _same(old: Table, new: Table) -> str:
    return _joined(" AND ", (f"NOT {_differ(pair)}" for pair in pairs(old, new) if pair.new))


def _gone_rows(old: Table, new: Table, part: Part) -> str:
    """The rows before that are not there afterwards; by the key's index alone, in its order, where there is one."""
    within = f"SELECT 1 FROM new.{quoted(new.name)} AS n WHERE {part.on} AND {_of('n', part)}"  # noqa: S608
    rows = f"main.{quoted(old.name)} AS o WHERE {_of('o', part)} AND NOT EXISTS ({within})"
    if part.numbered or not old.order or old.rowid is None:
        return rows
    return f"main.{quoted(old.name)} AS o WHERE o.{old.rowid} IN (SELECT o.{old.rowid} FROM {rows})"  # noqa: S608


def _of(side: str, part: Part) -> str:
    if not part.names:
        return "1"
    null = " OR ".join(f"{side}.{each} IS NULL" for each in part.names)
    return f"({null})" if part.null else f"NOT ({null})"


def _differ(pair: Pair) -> str:
    """Whether a column's values differ: by their bytes, whatever its collation, and by their type."""
    if pair.new is None:
        return "0"
    ours = f"n.{quoted(pair.new.name)}"
    if pair.old is None:
        return f"({ours} COLLATE BINARY IS NOT {pair.new.default})"
    theirs = f"o.{quoted(pair.old.name)}"
    return f"({ours} COLLATE BINARY IS NOT {theirs} OR typeof({ours}) <> typeof({theirs}))"


def _joined(word: str, terms: Iterable[str]) -> str:
    """Terms joined as a tree, since SQLite bounds how deep an expression may be."""
    found = list(terms)
    while len(found) > 1:
        found = [f"({word.join(filter(None, two))})" for two in zip_longest(*[iter(found)] * 2)]
    return found[0] if found else "1"


def _selected(side: str, table: Table) -> str:
    """The number of a row, which of its values are too long to be looked at, and the others."""
    names = [f"{side}.{quoted(each.name)}" for each in table.columns]
    sizes = [f"length(CAST({each} AS BLOB))" for each in names]
    long = _joined(" || ", (f"iif({size} > {READ}, ' {at}:' || {size}, '')" for at, size in enumerate(sizes)))
    values = (f"iif({size} > {READ}, NULL, {name})" for size, name in zip(sizes, names, strict=True))
    number = "NULL" if table.rowid is None else f"{side}.{table.rowid}"
    return ", ".join((number, long, *values))


def _row(table: Table, cells: Sequence[Cell]) -> dict[str, Cell]:
    row = dict(zip((each.name for each in table.columns), cells[2:], strict=False))
    long = cells[1]
    for each in bytes(long).split() if isinstance(long, Text) else ():
        at, size = each.split(b":")
        row[table.columns[int(at)].name] = Long(int(size))
    return row


def _key(table: Table, row: Row, number: Cell, numbered: bool = False) -> Row:
    """What tells a row apart: its key, or its number where it has none."""
    if table.key and not numbered and not any(row[each] is None for each in table.key):
        return {each: row[each] for each in table.key}
    return {NUMBER: Number(number) if isinstance(number, int) else number}
