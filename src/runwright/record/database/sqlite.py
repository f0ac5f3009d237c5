"""One SQLite database before and after a run: its tables, everything else with a definition, and every row."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

from runwright.record.database.model import INTERNAL
from runwright.record.database.rows import differs, tell_both, tell_one_side
from runwright.record.database.tables import Schema, Table, Thing, schema_of
from runwright.record.database.told import Told
from runwright.record.database.values import Text, part
from runwright.trace.model import JSON

SECONDS = 120.0
"""Time that one database may take."""
STEPS = 100_000
OLDEST = (3, 37)
COLUMNS = 990


class NotCompared(Exception):
    """Why the rows of a database are not told."""


def tell(name: str, before: bytes | None, after: bytes | None, told: Told, seconds: float = SECONDS) -> None:
    """What became of a database that is called `name`, by copies of it. NotCompared for what cannot be read."""
    if sqlite3.sqlite_version_info < OLDEST:
        raise NotCompared(f"this Python has SQLite {sqlite3.sqlite_version}, and 3.37 is needed")
    try:
        _tell(name, before, after, told, time.monotonic() + seconds)
    except (sqlite3.Error, UnicodeEncodeError) as error:
        raise NotCompared(_reason(error, seconds)) from None


def _reason(error: Exception, seconds: float) -> str:
    text = str(error)
    if text == "interrupted":
        return f"comparing it took more than {seconds:g} seconds"
    return f"it cannot be read as a database ({text})"


def _tell(name: str, before: bytes | None, after: bytes | None, told: Told, until: float) -> None:
    if before is None or after is None:
        path, op = (after, "create") if before is None else (before, "drop")
        if path is not None:
            with _opened(path, until) as connection:
                told.whole(name, op)
                _Databases(connection, name, told).one_side(schema_of(connection, "main"), op)
        return
    with _opened(before, until) as connection:
        if _attached(connection, after):
            _Databases(connection, name, told).both(schema_of(connection, "main"), schema_of(connection, "new"))
            return
        told.whole(name, "alter", detail={"encoding": "another"})
        _Databases(connection, name, told).one_side(schema_of(connection, "main"), "drop")
    with _opened(after, until) as connection:
        _Databases(connection, name, told).one_side(schema_of(connection, "main"), "create")


@contextmanager
def _opened(path: bytes, until: float) -> Iterator[sqlite3.Connection]:
    """A copy opened; what its schema names is not trusted, and what stands in a journal is rolled back or in."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.text_factory = Text
        for setting in ("trusted_schema = OFF", "cell_size_check = ON", "query_only = ON", "temp_store = FILE"):
            connection.execute(f"PRAGMA {setting}")
        connection.set_progress_handler(lambda: time.monotonic() > until, STEPS)
        yield connection


def _attached(connection: sqlite3.Connection, path: bytes) -> bool:
    """Whether the other database could be attached: not where texts are encoded otherwise in it."""
    try:
        connection.execute("ATTACH ? AS new", (path.decode(),))
    except sqlite3.OperationalError as error:
        if "encoding" not in str(error):
            raise
        return False
    return True


class _Databases:
    """What is told of one database, or of one before and after."""

    def __init__(self, connection: sqlite3.Connection, name: str, told: Told) -> None:
        self._connection, self._name, self._told = connection, name, told

    def one_side(self, schema: Schema, op: str) -> None:
        """All of a database that is only there before, or only afterwards."""
        for (kind, name), thing in schema.things.items():
            self._define(op, kind, name, thing)
        for table in schema.tables.values():
            self._one_table("main", table, "insert" if op == "create" else "delete")

    def both(self, old: Schema, new: Schema) -> None:
        """What is different between the two."""
        if old.settings != new.settings:
            detail: dict[str, JSON] = {
                each: {"before": old.settings[each], "after": new.settings[each]}
                for each in old.settings
                if old.settings[each] != new.settings[each]
            }
            self._told.whole(self._name, "alter", detail=detail)
        self._definitions(old, new)
        for name in sorted({*old.tables, *new.tables}):
            self._table(old.tables.get(name), new.tables.get(name))
        for name in sorted(old.internal.keys() & new.internal.keys()):
            if differs(self._connection, old.internal[name], new.internal[name]):
                self._told.counted[INTERNAL] += 1

    def _definitions(self, old: Schema, new: Schema) -> None:
        for at in sorted({*old.things, *new.things}):
            before, after = old.things.get(at), new.things.get(at)
            if before is None and after is not None:
                self._define("create", *at, after)
            elif after is None and before is not None:
                self._define("drop", *at, before)
            elif before is not None and after is not None and before.sql != after.sql:
                detail = _detail(at[0], after) | _columns(old.tables.get(at[1]), new.tables.get(at[1]))
                self._told.whole(self._target(at[1]), "alter", before.sql, after.sql, detail)

    def _define(self, op: str, kind: str, name: str, thing: Thing) -> None:
        before, after = (None, thing.sql) if op == "create" else (thing.sql, None)
        self._told.whole(self._target(name), op, before, after, _detail(kind, thing))

    def _table(self, old: Table | None, new: Table | None) -> None:
        if old is not None and new is not None and old.same_rows == new.same_rows:
            for each in (old, new):
                self._can_be_read(each)
            tell_both(self._connection, old, new, self._target(new.name), self._told)
            return
        if old is not None:
            self._one_table("main", old, "delete")
        if new is not None:
            self._one_table("new", new, "insert")

    def _one_table(self, side: str, table: Table, op: str) -> None:
        self._can_be_read(table)
        tell_one_side(self._connection, side, table, self._target(table.name), self._told, op)

    def _can_be_read(self, table: Table) -> None:
        if len(table.columns) > COLUMNS:
            raise NotCompared(f"{part(table.name.encode())} has more than {COLUMNS} columns")
        if not table.key and table.rowid is None:
            raise NotCompared(f"nothing tells the rows of {part(table.name.encode())} apart")

    def _target(self, name: str) -> str:
        return f"{self._name}/{part(name.encode('utf-8', 'surrogateescape'))}"


def _detail(kind: str, thing: Thing) -> dict[str, JSON]:
    return {"type": kind, "table": thing.table} if kind in ("index", "trigger") else {"type": kind}


def _columns(old: Table | None, new: Table | None) -> dict[str, JSON]:
    """The columns that a table has and had not, and the other way round."""
    if old is None or new is None:
        return {}
    before, after = [each.name for each in old.columns], [each.name for each in new.columns]
    added: list[JSON] = [each for each in after if each not in before]
    dropped: list[JSON] = [each for each in before if each not in after]
    return {word: names for word, names in (("added", added), ("dropped", dropped)) if names}
