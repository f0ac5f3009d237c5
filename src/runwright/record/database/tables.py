"""What a SQLite database is made of: its tables, what tells their rows apart, and everything that has a definition."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

from runwright.record.database.values import Text

ROWIDS = ("rowid", "_rowid_", "oid")
"""The names that a row's number has, where no column has that name."""
HIDDEN, GENERATED = 1, (2, 3)
WORDS = frozenset(("null", "true", "false", "current_time", "current_date", "current_timestamp"))
NAME = re.compile(r"[^\W\d]\w*")


class Column(NamedTuple):
    """A column that holds a value of its own. `default` is an expression; what a row has that was there before."""

    name: str
    default: str
    at: int


class Table(NamedTuple):
    """A table that can be read. Rows are told apart by `key`, and where that is empty by their number, `rowid`.

    `order` are the collations of the key; `open` is whether the key can be NULL.
    """

    name: str
    kind: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    order: tuple[str, ...]
    open: bool
    rowid: str | None

    @property
    def same_rows(self) -> tuple[object, ...]:
        """What has to be the same for rows to be compared one by one."""
        return self.kind, self.key, self.order, self.rowid is None


class Thing(NamedTuple):
    """Something with a definition: a table, view, index or trigger, and the table that it is of."""

    kind: str
    table: str
    sql: str


class Schema(NamedTuple):
    """What one database is made of. `internal` are tables that it keeps for itself; `settings` of its header."""

    tables: dict[str, Table]
    things: dict[tuple[str, str], Thing]
    internal: dict[str, Table]
    settings: dict[str, int]


def quoted(name: str) -> str:
    """A name as SQL has it, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def rows_of(connection: sqlite3.Connection, query: str, *given: object) -> list[tuple[object, ...]]:
    """All rows, texts as str."""
    return [tuple(_plain(each) for each in row) for row in connection.execute(query, given)]


def _plain(cell: object) -> object:
    return bytes(cell).decode("utf-8", "surrogateescape") if isinstance(cell, Text) else cell


def schema_of(connection: sqlite3.Connection, side: str) -> Schema:
    """What the database that is attached as `side` is made of."""
    listed = rows_of(connection, "SELECT name, type, wr FROM pragma_table_list WHERE schema = ?", side)
    virtual = [str(name) for name, kind, _ in listed if kind == "virtual" and _readable(connection, side, str(name))]
    tables: dict[str, Table] = {}
    internal: dict[str, Table] = {}
    for name, kind, without in sorted((str(name), str(kind), bool(without)) for name, kind, without in listed):
        if kind == "view" or (kind == "virtual" and name not in virtual) or name in ("sqlite_schema", "sqlite_master"):
            continue
        kept = name.lower().startswith("sqlite_") or (kind == "shadow" and _is_of(name, virtual))
        (internal if kept else tables)[name] = _table(connection, side, name, kind, without)
    defined = f"SELECT type, name, tbl_name, sql FROM {quoted(side)}.sqlite_schema WHERE sql IS NOT NULL"  # noqa: S608 - names are quoted
    things = {
        (str(kind), str(name)): Thing(str(kind), str(table), str(sql))
        for kind, name, table, sql in rows_of(connection, defined)
        if str(name) not in internal
    }
    return Schema(tables, things, internal, _settings(connection, side))


def _is_of(name: str, virtual: list[str]) -> bool:
    return any(name.startswith(f"{each}_") for each in virtual)


def _settings(connection: sqlite3.Connection, side: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for name in ("user_version", "application_id"):
        ((value,),) = rows_of(connection, f"PRAGMA {quoted(side)}.{name}")
        found[name] = int(str(value))
    return found


def _readable(connection: sqlite3.Connection, side: str, name: str) -> bool:
    """Whether rows of a virtual table can be read, which needs its module; else the tables that it is made of can."""
    try:
        connection.execute(f"SELECT rowid, * FROM {quoted(side)}.{quoted(name)} LIMIT 1").fetchall()  # noqa: S608 - names are quoted
    except sqlite3.OperationalError as error:
        if "interrupted" in str(error):
            raise
        return False
    return True


def _table(connection: sqlite3.Connection, side: str, name: str, kind: str, without_rowid: bool) -> Table:
    told = rows_of(
        connection, 'SELECT name, "notnull", dflt_value, pk, hidden, cid FROM pragma_table_xinfo(?, ?)', name, side
    )
    names = {str(each[0]).lower() for each in told}
    columns = tuple(
        Column(str(column), default_of(default), int(str(at)))
        for column, _, default, _, hidden, at in told
        if hidden != HIDDEN and hidden not in GENERATED
    )
    rowid = None if without_rowid else next((each for each in ROWIDS if each not in names), None)
    if kind == "virtual":
        return Table(name, kind, columns, (), (), False, rowid)
    keyed = sorted((each for each in told if each[3]), key=lambda each: int(str(each[3])))
    return Table(
        name=name,
        kind="table",
        columns=columns,
        key=tuple(str(each[0]) for each in keyed),
        order=tuple(_collations(connection, side, name)),
        open=not without_rowid and any(not each[1] for each in keyed),
        rowid=rowid,
    )


def _collations(connection: sqlite3.Connection, side: str, name: str) -> Iterator[str]:
    """The collations of the key's columns; none where the key is the row's number."""
    query = "SELECT name FROM pragma_index_list(?, ?) WHERE origin = 'pk'"
    for (index,) in rows_of(connection, query, name, side):
        for (order,) in rows_of(connection, "SELECT coll FROM pragma_index_xinfo(?, ?) WHERE key", str(index), side):
            yield str(order)


def default_of(told: object) -> str:
    """The default of a column as an expression; a bare or quoted word in it is a text."""
    if told is None:
        return "NULL"
    text = str(told).strip()
    if text[:1] == '"' and text[-1:] == '"':
        text = text[1:-1].replace('""', '"')
    elif not NAME.fullmatch(text) or text.lower() in WORDS:
        return f"({text})"
    return "'" + text.replace("'", "''") + "'"
