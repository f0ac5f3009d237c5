"""SQLite, row by row: what changes, what does not, and what cannot be told."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from blake3 import blake3

from runwright.record.database import DatabaseChanges, Databases, Limits
from runwright.record.database.model import INTERNAL
from tests.record.database.look import changes, connected, lines, row, script

ORDERS = "CREATE TABLE orders(id INTEGER PRIMARY KEY, who TEXT, total REAL);"


def numbers(until: int) -> str:
    """A table `n` of the numbers `i` up to one."""
    return f"WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {until})"


THREE = f"{ORDERS} INSERT INTO orders VALUES (1, 'ann', 1.5), (2, 'bob', 2), (3, 'cy', NULL);"


def test_rows_by_primary_key(tmp_path: Path) -> None:
    found = changes(
        tmp_path, THREE,
        "UPDATE orders SET total = 9 WHERE id = 2; DELETE FROM orders WHERE id = 1;"
        "INSERT INTO orders VALUES (7, NULL, 0)",
    )  # fmt: skip
    assert lines(found) == [
        'update a.db/orders/2 was {"id": 2, "who": "bob", "total": 2.0} is {"id": 2, "who": "bob", "total": 9.0} '
        '{"columns": ["total"]}',
        'insert a.db/orders/7 is {"id": 7, "who": null, "total": 0.0}',
        'delete a.db/orders/1 was {"id": 1, "who": "ann", "total": 1.5}',
    ]
    assert {each.kind for each in found.effects} == {"db_change"}
    assert found.faults == ()
    assert os.fsencode(tmp_path / "a.db") in found.covered
    for effect in found.effects:
        for state in (effect.before, effect.after):
            assert state is None or (state.size == len(state.content or "") and state.digest)


@pytest.mark.parametrize(
    "statements",
    [
        "",
        "SELECT * FROM orders",
        "UPDATE orders SET total = total, who = who",
        "DELETE FROM orders; INSERT INTO orders VALUES (3, 'cy', NULL), (2, 'bob', 2), (1, 'ann', 1.5)",
        "REPLACE INTO orders SELECT * FROM orders",
        "BEGIN; DELETE FROM orders; ROLLBACK",
        "VACUUM",
        "PRAGMA journal_mode = WAL",
        "PRAGMA page_size = 8192; VACUUM",
        "CREATE TEMP TABLE t(x); INSERT INTO t VALUES (1)",
        "CREATE TABLE t(x); DROP TABLE t",
    ],
)
def test_what_leaves_every_row_as_it_is_is_no_effect(tmp_path: Path, statements: str) -> None:
    assert changes(tmp_path, THREE, statements)._replace(covered=frozenset()) == DatabaseChanges()


KEYS = {
    "without rowid": ("CREATE TABLE t(k TEXT PRIMARY KEY, v) WITHOUT ROWID", "a.db/t/b"),
    "text": ("CREATE TABLE t(k TEXT PRIMARY KEY, v)", "a.db/t/b"),
    "no case": ("CREATE TABLE t(k TEXT COLLATE NOCASE PRIMARY KEY, v)", "a.db/t/b"),
    "descending": ("CREATE TABLE t(k TEXT PRIMARY KEY DESC, v)", "a.db/t/b"),
    "none": ("CREATE TABLE t(k TEXT, v)", "a.db/t/rowid=2"),
    "a column of that name": ("CREATE TABLE t(k TEXT, v, rowid)", "a.db/t/rowid=2"),
    "unique alone": ("CREATE TABLE t(k TEXT UNIQUE, v)", "a.db/t/rowid=2"),
    "strict": ("CREATE TABLE t(k TEXT PRIMARY KEY, v ANY) STRICT", "a.db/t/b"),
}


@pytest.mark.parametrize("kind", KEYS)
def test_keys_of_every_kind(tmp_path: Path, kind: str) -> None:
    table, target = KEYS[kind]
    before = f"{table}; INSERT INTO t(k, v) VALUES ('a', 1), ('b', 2), ('c', 3)"
    found = changes(tmp_path, before, "UPDATE t SET v = 5 WHERE k = 'b'")
    assert [(each.op, each.target) for each in found.effects] == [("update", target)]
    assert found.effects[0].detail["columns"] == ["v"]
    gone = changes(tmp_path, "SELECT 1", "DELETE FROM t WHERE k = 'b'")
    assert [(each.op, each.target) for each in gone.effects] == [("delete", target)]
    assert gone.faults == ()


def test_keys_of_several_columns_and_of_every_type(tmp_path: Path) -> None:
    values = [
        "'a', 1",
        "'a', 2",
        "'x/y', 1",
        "'p%,q', 1",
        "x'00ff', 1",
        "9223372036854775807, 1",
        "0.5, 1",
        "'a\nb', 1",
    ]
    before = "CREATE TABLE t(k, n, v, PRIMARY KEY(k, n)); " + "".join(
        f"INSERT INTO t VALUES ({each}, 0);" for each in values
    )
    found = changes(tmp_path, before, "UPDATE t SET v = 1")
    assert [each.target.removeprefix("a.db/t/") for each in found.effects] == [
        "a,1", "a,2", "x%2Fy,1", "p%25%2Cq,1", "x'00ff',1", "9223372036854775807,1", "0.5,1", "a\\x0ab,1",
    ]  # fmt: skip


def test_a_key_that_is_null_stands_for_no_key(tmp_path: Path) -> None:
    before = "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES (NULL, 1), (NULL, 2), ('a', 3), ('b', 4)"
    assert lines(
        changes(tmp_path, before, "UPDATE t SET v = 9 WHERE v IN (2, 3); UPDATE t SET k = NULL WHERE k = 'b'")
    ) == [
        'update a.db/t/a was {"k": "a", "v": 3} is {"k": "a", "v": 9} {"columns": ["v"]}',
        'delete a.db/t/b was {"k": "b", "v": 4}',
        'update a.db/t/rowid=2 was {"k": null, "v": 2} is {"k": null, "v": 9} {"columns": ["v"]}',
        'insert a.db/t/rowid=4 is {"k": null, "v": 4}',
    ]


def test_another_key_is_another_row_and_another_case_the_same(tmp_path: Path) -> None:
    before = "CREATE TABLE t(k TEXT COLLATE NOCASE PRIMARY KEY, v); INSERT INTO t VALUES ('a', 1), ('b', 2)"
    found = changes(tmp_path, before, "UPDATE t SET k = 'A' WHERE k = 'a'; UPDATE t SET k = 'z' WHERE k = 'b'")
    assert lines(found) == [
        'update a.db/t/A was {"k": "a", "v": 1} is {"k": "A", "v": 1} {"columns": ["k"]}',
        'insert a.db/t/z is {"k": "z", "v": 2}',
        'delete a.db/t/b was {"k": "b", "v": 2}',
    ]


VALUES = {
    "1": ("1.0", 1, 1.0),
    "'1'": ("1", "1", 1),
    "'a' ": ("'A'", "a", "A"),
    "NULL": ("''", None, ""),
    "9007199254740993": ("9007199254740992", 9007199254740993, 9007199254740992),
    "-9223372036854775808": ("9223372036854775807", -9223372036854775808, 9223372036854775807),
    "9e999": ("-9e999", {"real": "inf"}, {"real": "-inf"}),
    "'a' || char(0) || 'b'": ("'a' || char(0) || 'c'", "a\0b", "a\0c"),
    "'ä'": ("'a' || char(776)", "ä", "a\u0308"),
}


@pytest.mark.parametrize("old", VALUES)
def test_values_that_sqlite_takes_for_nearly_the_same(tmp_path: Path, old: str) -> None:
    new, before, after = VALUES[old]
    made = f"CREATE TABLE t(id INTEGER PRIMARY KEY, v COLLATE NOCASE); INSERT INTO t VALUES (1, {old})"
    (effect,) = changes(tmp_path, made, f"UPDATE t SET v = {new}").effects
    assert (row(effect, "before")["v"], row(effect)["v"], effect.detail["columns"]) == (before, after, ["v"])
    assert type(row(effect)["v"]) is type(after)


def test_what_json_has_no_word_for(tmp_path: Path) -> None:
    before = "CREATE TABLE t(id INTEGER PRIMARY KEY, b, t, u, n); INSERT INTO t VALUES (1, 0, 0, 0, 0)"
    after = "UPDATE t SET b = x'00ff', t = CAST(x'ff41' AS TEXT), u = printf('%.5000c', 'u'), n = 9e999 - 9e999"
    (effect,) = changes(tmp_path, before, after).effects
    found = row(effect)
    assert found["b"] == {"blob": "blake3:" + blake3(b"\0\xff").hexdigest(), "size": 2}
    assert found["t"] == {"bytes": "blake3:" + blake3(b"\xffA").hexdigest(), "size": 2}
    assert found["u"] == {"text": "blake3:" + blake3(b"u" * 5000).hexdigest(), "size": 5000}
    assert found["n"] is None  # as SQLite keeps it


def test_a_value_too_long_to_be_looked_at(tmp_path: Path) -> None:
    before = "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b); INSERT INTO t VALUES (1, zeroblob(17000000), 'x')"
    (effect,) = changes(tmp_path, before, "UPDATE t SET a = randomblob(17000000)").effects
    assert (row(effect), effect.detail["columns"]) == ({"id": 1, "a": {"size": 17000000}, "b": "x"}, ["a"])


def test_a_long_row_is_told_by_its_key(tmp_path: Path) -> None:
    columns = ", ".join(f"c{n}" for n in range(12))
    before = f"CREATE TABLE t(id INTEGER PRIMARY KEY, {columns})"
    long = ", ".join("printf('%.4000c', 'x')" for _ in range(12))
    (effect,) = changes(tmp_path, before, f"INSERT INTO t VALUES (1, {long})").effects
    assert (effect.target, effect.before, effect.after, effect.detail) == ("a.db/t/1", None, None, {"key": {"id": 1}})


# --- tables and what else has a definition -------------------------------------------------------


def test_a_table_made_and_a_table_dropped_with_their_rows(tmp_path: Path) -> None:
    found = changes(tmp_path, THREE, "DROP TABLE orders; CREATE TABLE t(x); INSERT INTO t VALUES (1)")
    assert lines(found) == [
        f"drop a.db/orders was {ORDERS[:-1]}",
        "create a.db/t is CREATE TABLE t(x)",
        'delete a.db/orders/1 was {"id": 1, "who": "ann", "total": 1.5}',
        'delete a.db/orders/2 was {"id": 2, "who": "bob", "total": 2.0}',
        'delete a.db/orders/3 was {"id": 3, "who": "cy", "total": null}',
        'insert a.db/t/rowid=1 is {"x": 1}',
    ]


def test_views_indexes_and_triggers(tmp_path: Path) -> None:
    before = f"{THREE} CREATE VIEW v AS SELECT 1; CREATE INDEX i ON orders(who); CREATE VIEW w AS SELECT 1"
    after = (
        "DROP VIEW v; DROP INDEX i; CREATE INDEX j ON orders(total); DROP VIEW w; CREATE VIEW w AS SELECT 2;"
        "CREATE TRIGGER r AFTER DELETE ON orders BEGIN SELECT 1; END; PRAGMA user_version = 4"
    )
    found = changes(tmp_path, before, after)
    assert [(each.op, each.target, each.detail) for each in found.effects] == [
        ("alter", "a.db", {"user_version": {"before": 0, "after": 4}}),
        ("drop", "a.db/i", {"type": "index", "table": "orders"}),
        ("create", "a.db/j", {"type": "index", "table": "orders"}),
        ("create", "a.db/r", {"type": "trigger", "table": "orders"}),
        ("drop", "a.db/v", {"type": "view"}),
        ("alter", "a.db/w", {"type": "view"}),
    ]


def test_columns_added_dropped_and_renamed(tmp_path: Path) -> None:
    after = (
        'ALTER TABLE orders ADD COLUMN paid TEXT DEFAULT 0; ALTER TABLE orders ADD COLUMN note DEFAULT "it\'s";'
        "ALTER TABLE orders DROP COLUMN total; UPDATE orders SET paid = 1 WHERE id = 2"
    )
    alter, update = changes(tmp_path, THREE, after).effects
    assert (alter.op, alter.target) == ("alter", "a.db/orders")
    assert alter.detail == {"type": "table", "added": ["paid", "note"], "dropped": ["total"]}
    assert (update.target, update.detail["columns"]) == ("a.db/orders/2", ["paid"])
    (renamed, one) = changes(
        tmp_path, "SELECT 1", "ALTER TABLE orders RENAME COLUMN who TO whom; UPDATE orders SET whom = 'x' WHERE id = 3"
    ).effects
    assert renamed.detail == {"type": "table", "added": ["whom"], "dropped": ["who"]}
    assert (one.target, one.detail["columns"]) == ("a.db/orders/3", ["whom"])


def test_a_default_that_is_called_like_a_column_is_a_text(tmp_path: Path) -> None:
    after = 'ALTER TABLE orders ADD COLUMN a DEFAULT "who"; ALTER TABLE orders ADD COLUMN b DEFAULT who'
    found = changes(tmp_path, THREE, f"{after}; UPDATE orders SET a = 'ann' WHERE id = 1")
    assert [(each.op, each.target) for each in found.effects] == [("alter", "a.db/orders"), ("update", "a.db/orders/1")]
    assert found.effects[1].detail["columns"] == ["a"]


def test_a_table_made_anew_with_another_key_is_another_table(tmp_path: Path) -> None:
    after = (
        "CREATE TABLE n(who TEXT PRIMARY KEY); INSERT INTO n SELECT who FROM orders WHERE id < 3;"
        "DROP TABLE orders; ALTER TABLE n RENAME TO orders"
    )
    found = changes(tmp_path, THREE, after)
    assert [(each.op, each.target) for each in found.effects] == [
        ("alter", "a.db/orders"),
        *(("delete", f"a.db/orders/{n}") for n in (1, 2, 3)),
        ("insert", "a.db/orders/ann"),
        ("insert", "a.db/orders/bob"),
    ]


def test_names_of_every_kind(tmp_path: Path) -> None:
    names = ['a "b"', "select", "x/y", "a.b", "täble", "o@n", "new\nline", "100%"]
    quoted = ['"' + each.replace('"', '""') + '"' for each in names]
    before = "".join(f'CREATE TABLE {each}({each} TEXT PRIMARY KEY, {each[:-1]}2");' for each in quoted)
    after = "".join(f"INSERT INTO {each} VALUES ('k', 1);" for each in quoted)
    found = changes(tmp_path, before, after)
    assert {each.target for each in found.effects} == {
        f"a.db/{each}/k" for each in ('a "b"', "select", "x%2Fy", "a.b", "täble", "o@n", "new\\x0aline", "100%25")
    }
    again = changes(tmp_path, "SELECT 1", "".join(f"DELETE FROM {each};" for each in quoted))
    assert (len(again.effects), {each.op for each in again.effects}, again.faults) == (len(names), {"delete"}, ())


def test_generated_columns_follow_from_the_others(tmp_path: Path) -> None:
    made = "CREATE TABLE t(id INTEGER PRIMARY KEY, a, v AS (a + 1), s AS (a + 2) STORED, z);"
    before = f"{made} INSERT INTO t(id, a) VALUES (1, 1)"
    assert lines(changes(tmp_path, before, "UPDATE t SET a = 5")) == [
        'update a.db/t/1 was {"id": 1, "a": 1, "z": null} is {"id": 1, "a": 5, "z": null} {"columns": ["a"]}'
    ]


def test_what_a_database_keeps_for_itself_is_counted(tmp_path: Path) -> None:
    before = "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, x); INSERT INTO t(x) VALUES (1)"
    found = changes(tmp_path, before, "INSERT INTO t(x) VALUES (2)")
    assert (lines(found), found.counted) == (['insert a.db/t/2 is {"id": 2, "x": 2}'], {INTERNAL: 1})
    assert changes(tmp_path, "SELECT 1", "DELETE FROM t WHERE id = 1").counted == {}


@pytest.mark.parametrize("module", ["fts5(title, body)", "fts4(title, body)"])
def test_full_text_tables_are_told_by_their_own_rows(tmp_path: Path, module: str) -> None:
    before = f"CREATE VIRTUAL TABLE docs USING {module}; INSERT INTO docs VALUES ('a', 'one'), ('b', 'two')"
    after = (
        "UPDATE docs SET body = 'three' WHERE rowid = 2; INSERT INTO docs VALUES ('c', 'x');"
        "DELETE FROM docs WHERE rowid = 1"
    )
    found = changes(tmp_path, before, after)
    assert [(each.op, each.target) for each in found.effects] == [
        ("update", "a.db/docs/rowid=2"), ("insert", "a.db/docs/rowid=3"), ("delete", "a.db/docs/rowid=1"),
    ]  # fmt: skip
    assert found.counted[INTERNAL] > 1
    assert found.faults == ()


def test_a_virtual_table_whose_module_is_not_known_is_told_by_what_it_is_made_of(tmp_path: Path) -> None:
    def made(connection: sqlite3.Connection) -> None:
        connection.executescript("CREATE VIRTUAL TABLE docs USING fts5(title)")
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET sql = replace(sql, 'fts5', 'elsewhere') WHERE name = 'docs'")

    found = changes(tmp_path, made, "INSERT INTO docs_content VALUES (1, 'a')")
    assert [(each.op, each.target) for each in found.effects] == [("insert", "a.db/docs_content/1")]
    assert found.faults == ()


# --- files ----------------------------------------------------------------------------------------


def test_a_new_database_and_one_that_is_gone(tmp_path: Path) -> None:
    script(tmp_path / "old", THREE)
    with Databases(tmp_path) as databases:
        (tmp_path / "old").unlink()
        (tmp_path / "sub").mkdir()
        script(tmp_path / "sub" / "new.data", "CREATE TABLE t(x); INSERT INTO t VALUES (1), (2)")
        found = databases.after()
    assert [(each.op, each.target) for each in found.effects] == [
        ("drop", "old"), ("drop", "old/orders"), *(("delete", f"old/orders/{n}") for n in (1, 2, 3)),
        ("create", "sub/new.data"), ("create", "sub/new.data/t"),
        ("insert", "sub/new.data/t/rowid=1"), ("insert", "sub/new.data/t/rowid=2"),
    ]  # fmt: skip


def test_a_database_that_moved_is_the_same(tmp_path: Path) -> None:
    script(tmp_path / "old.db", THREE)
    old, new = (os.fsencode(tmp_path / each) for each in ("old.db", "new.db"))
    with Databases(tmp_path) as databases:
        (tmp_path / "old.db").rename(tmp_path / "new.db")
        assert databases.after({new: old}).effects == ()
        script(tmp_path / "new.db", "DELETE FROM orders WHERE id = 1")
        assert [each.target for each in databases.after({new: old}).effects] == ["new.db/orders/1"]
        script(tmp_path / "old.db", "CREATE TABLE t(x)")
        told = [(each.op, each.target) for each in databases.after({new: old}).effects]
        assert told == [("delete", "new.db/orders/1"), ("create", "old.db"), ("create", "old.db/t")]


def test_a_database_that_moved_with_its_folder_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "old" / "deep").mkdir(parents=True)
    script(tmp_path / "old" / "deep" / "a.db", THREE)
    with Databases(tmp_path) as databases:
        (tmp_path / "old").rename(tmp_path / "new")
        script(tmp_path / "new" / "deep" / "a.db", "DELETE FROM orders WHERE id = 1")
        moved = {os.fsencode(tmp_path / "new"): os.fsencode(tmp_path / "old")}
        assert [each.target for each in databases.after(moved).effects] == ["new/deep/a.db/orders/1"]


def test_a_file_that_is_cut_to_nothing_is_an_empty_database(tmp_path: Path) -> None:
    found = changes(tmp_path, THREE, lambda _: (tmp_path / "a.db").write_bytes(b""))
    assert [each.op for each in found.effects] == ["drop", "delete", "delete", "delete"]


def test_attached_databases_are_told_each(tmp_path: Path) -> None:
    script(tmp_path / "b.db", THREE)

    def act(connection: sqlite3.Connection) -> None:
        connection.execute("ATTACH ? AS b", (str(tmp_path / "b.db"),))
        connection.executescript("BEGIN; DELETE FROM orders WHERE id = 1; DELETE FROM b.orders WHERE id = 2; COMMIT")

    assert [each.target for each in changes(tmp_path, THREE, act).effects] == ["a.db/orders/1", "b.db/orders/2"]


def test_wal_with_a_reader_that_has_it_open(tmp_path: Path) -> None:
    script(tmp_path / "a.db", f"PRAGMA journal_mode = WAL; {THREE}")
    reader = connected(tmp_path / "a.db")
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM orders").fetchone() == (3,)
    with Databases(tmp_path) as databases:
        script(tmp_path / "a.db", "DELETE FROM orders WHERE id = 2")
        assert (tmp_path / "a.db-wal").stat().st_size > 0
        found = databases.after()
    assert [each.target for each in found.effects] == ["a.db/orders/2"]
    assert {Path(os.fsdecode(each)).name for each in found.covered} == {"a.db", "a.db-wal", "a.db-shm", "a.db-journal"}
    assert reader.execute("SELECT count(*) FROM orders").fetchone() == (3,)
    reader.close()


def test_rows_that_stand_in_the_wal_before_the_run_are_there_before(tmp_path: Path) -> None:
    writer = connected(tmp_path / "a.db")
    writer.executescript(f"PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; {THREE}")
    with Databases(tmp_path) as databases:
        writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert databases.after().effects == ()
        writer.execute("UPDATE orders SET who = 'x' WHERE id = 1")
        assert [each.target for each in databases.after().effects] == ["a.db/orders/1"]
    writer.close()


LEFT_OPEN = """
import os, signal, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.executescript("PRAGMA journal_mode = " + sys.argv[2] + "; PRAGMA cache_size = 5; BEGIN")
connection.execute("UPDATE big SET v = randomblob(900)")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize(("mode", "ending"), [("DELETE", "-journal"), ("WAL", "-wal")])
def test_a_transaction_that_was_never_ended_is_no_effect(tmp_path: Path, mode: str, ending: str) -> None:
    before = (
        f"CREATE TABLE big(id INTEGER PRIMARY KEY, v); {numbers(500)} INSERT INTO big SELECT i, randomblob(900) FROM n"
    )
    script(tmp_path / "a.db", f"PRAGMA journal_mode = {mode}; {before}")
    held = (tmp_path / "a.db").read_bytes()
    with Databases(tmp_path) as databases:
        killed = subprocess.run([sys.executable, "-c", LEFT_OPEN, str(tmp_path / "a.db"), mode], check=False)
        assert killed.returncode == -signal.SIGKILL
        left = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
        assert len(left[f"a.db{ending}"]) > 100_000
        assert mode == "WAL" or left["a.db"] != held
        found = databases.after()
    assert (found.effects, found.faults) == ((), ())
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == left


def test_looking_changes_nothing_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace, temporary = tmp_path / "workspace", tmp_path / "temporary"
    workspace.mkdir()
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    script(workspace / "a.db", f"PRAGMA journal_mode = WAL; {THREE}")
    before = {each.name: (each.read_bytes(), each.stat().st_mtime_ns) for each in workspace.iterdir()}
    with Databases(workspace) as databases:
        assert [each.stat().st_mode & 0o777 for each in temporary.iterdir()] == [0o700]
        databases.after()
    assert {each.name: (each.read_bytes(), each.stat().st_mtime_ns) for each in workspace.iterdir()} == before
    assert list(temporary.iterdir()) == []


def test_a_workspace_that_all_temporary_folders_are_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("runwright.record.database.files.FOLDERS", (str(tmp_path),))
    found = changes(tmp_path, THREE, "DELETE FROM orders")
    assert found.effects == ()
    assert found.faults == (
        "a.db: there is no folder for temporary files outside of the workspace: what changed in its rows is not told",
    )


def test_what_is_written_in_an_encoding_of_its_own(tmp_path: Path) -> None:
    before = "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES ('ä', 'é')"
    assert [each.target for each in changes(tmp_path, before, "UPDATE t SET v = 'x'").effects] == ["a.db/t/ä"]
    (tmp_path / "b.db").unlink(missing_ok=True)

    def anew(_: object) -> None:
        (tmp_path / "a.db").unlink()
        script(tmp_path / "a.db", "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES ('ä', 'x'), ('b', 1)")

    found = changes(tmp_path, "SELECT 1", anew)
    assert [(each.op, each.target) for each in found.effects] == [
        ("alter", "a.db"), ("drop", "a.db/t"), ("delete", "a.db/t/ä"), ("create", "a.db/t"),
        ("insert", "a.db/t/ä"), ("insert", "a.db/t/b"),
    ]  # fmt: skip


# --- faults ---------------------------------------------------------------------------------------


def test_what_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    script(tmp_path / "torn.db", THREE)
    script(tmp_path / "gone.db", THREE)
    script(tmp_path / "fine.db", THREE)
    with Databases(tmp_path) as databases:
        torn = (tmp_path / "torn.db").read_bytes()
        (tmp_path / "torn.db").write_bytes(torn[:4096] + os.urandom(len(torn) - 4096))
        (tmp_path / "gone.db").write_bytes(os.urandom(8192))
        (tmp_path / "secret.sqlite").write_bytes(os.urandom(8192))
        script(tmp_path / "fine.db", "DELETE FROM orders WHERE id = 1")
        found = databases.after()
    assert [each.target for each in found.effects] == ["fine.db/orders/1"]
    assert [each.partition(":")[0] for each in found.faults] == ["gone.db", "torn.db", "secret.sqlite"]
    covered = {Path(os.fsdecode(each)).name for each in found.covered}
    assert "fine.db" in covered
    assert not covered & {"torn.db", "gone.db", "secret.sqlite"}
    assert all(each.hides == ("db_change",) for each in found.fault_records())


def test_files_that_are_only_called_so_are_none(tmp_path: Path) -> None:
    (tmp_path / "old.sqlite").write_bytes(os.urandom(8192))
    with Databases(tmp_path) as databases:
        (tmp_path / "a.db").write_bytes(b"key=value\n" * 512)
        (tmp_path / "b.db").write_bytes(bytes(4096))
        (tmp_path / "c.bin").write_bytes(os.urandom(4096))
        assert databases.after() == DatabaseChanges()


def test_beyond_the_limits_only_what_changed_is_a_fault(tmp_path: Path) -> None:
    script(tmp_path / "a.db", THREE)
    script(tmp_path / "b.db", THREE)
    size = (tmp_path / "a.db").stat().st_size
    for limits, reason in (
        (Limits(file=size - 1), f"it has {size} bytes, and {size - 1} are kept of one database"),
        (Limits(all=size - 1), f"of all databases together {size - 1} bytes are kept"),
    ):
        with Databases(tmp_path, limits=limits) as databases:
            assert databases.after().faults == ()
            script(tmp_path / "a.db", "UPDATE orders SET total = total + 1")
            found = databases.after()
        assert found.effects == ()
        assert found.faults == (f"a.db: {reason}: what changed in its rows is not told",)
        assert os.fsencode(tmp_path / "a.db") not in found.covered
    with Databases(
        tmp_path, limits=Limits(all=2 * size - 1)
    ) as databases:  # of the second nothing, nor what the first became
        for name in ("a.db", "b.db"):
            script(tmp_path / name, "DELETE FROM orders WHERE id = 3")
        assert [each.partition(": of all")[0] for each in databases.after().faults] == ["a.db", "b.db"]


def test_a_comparison_ends_in_time(tmp_path: Path) -> None:
    many = f"CREATE TABLE t(id INTEGER PRIMARY KEY, v); {numbers(50_000)} INSERT INTO t SELECT i, i FROM n"
    script(tmp_path / "a.db", many)
    with Databases(tmp_path, limits=Limits(seconds=0)) as databases:
        script(tmp_path / "a.db", "UPDATE t SET v = 0 WHERE id = 50000")
        assert databases.after().faults == (
            "a.db: comparing it took more than 0 seconds: what changed in its rows is not told",
        )


def test_more_rows_than_are_told_are_counted_and_a_fault(tmp_path: Path) -> None:
    rows = "".join(f"INSERT INTO t VALUES ({n}, 0);" for n in range(30))
    script(tmp_path / "a.db", f"CREATE TABLE t(id INTEGER PRIMARY KEY, v); CREATE TABLE s(x); BEGIN; {rows} COMMIT")
    with Databases(tmp_path, rows=5) as databases:
        script(
            tmp_path / "a.db",
            "UPDATE t SET v = 1 WHERE id < 9; DELETE FROM t WHERE id > 20;"
            "INSERT INTO t SELECT 100 + id, 0 FROM t WHERE id < 7;"
            "INSERT INTO s SELECT id FROM t LIMIT 6; CREATE TABLE u AS SELECT * FROM t",
        )
        found = databases.after()
    told = [(each.op, each.target, each.detail["rows"]) for each in found.effects if "rows" in each.detail]
    assert told == [
        ("insert", "a.db/s/*", 1),
        ("insert", "a.db/t/*", 7), ("update", "a.db/t/*", 4), ("delete", "a.db/t/*", 4),
        ("insert", "a.db/u/*", 23),
    ]  # fmt: skip
    assert len(found.faults) == 5
    assert "a.db/t: 4 more rows (delete) than are told one by one" in found.faults


def test_rows_beyond_the_content_that_is_kept_are_told_by_key(tmp_path: Path) -> None:
    script(tmp_path / "a.db", "CREATE TABLE t(id INTEGER PRIMARY KEY, v)")
    with Databases(tmp_path, content=30) as databases:
        script(tmp_path / "a.db", "INSERT INTO t VALUES (1, 'aaaaaaaaaa'), (2, 'b'), (3, 'c')")
        assert lines(databases.after()) == [
            'insert a.db/t/1 is {"id": 1, "v": "aaaaaaaaaa"}',
            'insert a.db/t/2 is {"id": 2, "v": "b"}',
            'insert a.db/t/3 {"key": {"id": 3}}',
        ]


def test_a_database_outside_that_was_written_to_is_a_fault(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    script(tmp_path / "a.db", THREE)
    (tmp_path / "text").write_text("SQLite is a database")
    with Databases(workspace) as databases:
        names = {os.fsencode(tmp_path / each): f"/outside/{each}" for each in ("a.db", "text")}
        assert databases.after(outside=names).faults == (
            "/outside/a.db: a database outside of the workspace was written to, and its rows are not told",
        )


def test_a_file_that_is_written_to_whenever_it_is_looked_at(tmp_path: Path) -> None:
    for name in ("a.db", "b.db"):
        script(tmp_path / name, THREE)
    times = [0]

    def write(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and times[0] and arguments[:2] == (os.fsencode(tmp_path / "a.db"), "r"):
            times[0] -= 1
            os.utime(tmp_path / "a.db")

    sys.addaudithook(write)
    with Databases(tmp_path) as databases:
        for name in ("a.db", "b.db"):
            script(tmp_path / name, "DELETE FROM orders WHERE id = 1")
        times[0] = 1_000
        found = databases.after()
        times[0] = 3
        later = databases.after()
    times[0] = 0
    assert [each.target for each in found.effects] == ["b.db/orders/1"]
    assert found.faults == (
        "a.db: it was written to all the time while it was looked at: what changed in its rows is not told",
    )
    assert ([each.target for each in later.effects], later.faults) == (["a.db/orders/1", "b.db/orders/1"], ())


def test_many_rows_with_three_changed(tmp_path: Path) -> None:
    many = numbers(200_000)
    script(
        tmp_path / "a.db",
        "CREATE TABLE t(id INTEGER PRIMARY KEY, v); CREATE TABLE u(k TEXT PRIMARY KEY, v);"
        f"{many} INSERT INTO t SELECT i, i FROM n; {many} INSERT INTO u SELECT hex(i * 7919), i FROM n",
    )
    found = changes(
        tmp_path,
        "SELECT 1",
        "UPDATE t SET v = 0 WHERE id = 7; DELETE FROM u WHERE v = 9; INSERT INTO u VALUES ('z', 0)",
    )
    assert [each.op for each in found.effects] == ["update", "insert", "delete"]
