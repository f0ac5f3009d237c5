"""PostgreSQL, row by row, on a real server: scripts/postgres starts one, and names it in the environment."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from runwright.cli.app import main
from runwright.errors import CapabilityError, RunwrightError, UsageError
from runwright.flow import FlowResult, Word
from runwright.record.database import DatabaseChanges, Databases, Limits
from runwright.record.database.model import UNDONE
from runwright.run import RunOptions, run_flow
from runwright.secrets import gate_trace
from runwright.trace import Header, Trace, dumps_trace
from tests.record.database.look import lines, row
from tests.run.story import shop as made
from tests.run.test_effects import BARE
from tests.secrets.planted import TYPED

SERVER = os.environ.get("RUNWRIGHT_TEST_POSTGRES", "")
REPLICA = os.environ.get("RUNWRIGHT_TEST_POSTGRES_REPLICA", "")
SOCKETS = os.environ.get("RUNWRIGHT_TEST_POSTGRES_SOCKET", "")
pytestmark = pytest.mark.skipif(not SERVER, reason="no PostgreSQL server is given: scripts/postgres starts one")
psycopg = pytest.importorskip("psycopg")

ORDERS = "CREATE TABLE orders(id int PRIMARY KEY, who text, total numeric(10,2));"
THREE = f"{ORDERS} INSERT INTO orders VALUES (1, 'ann', 1.5), (2, 'bob', 2), (3, 'cy', NULL);"


class Shop:
    """A database of a test's own."""

    def __init__(self, address: str) -> None:
        self.address = address

    def run(self, statements: str) -> None:
        """Statements, of which each is a transaction of its own."""
        with psycopg.connect(self.address, autocommit=True) as connection:
            for each in filter(str.strip, statements.split(";")):
                connection.execute(each)

    def changes(self, before: str, after: str | Callable[[], object], **options: int) -> DatabaseChanges:
        self.run(before)
        with Databases(None, [self.address], **options) as databases:
            if isinstance(after, str):
                self.run(after)
            else:
                after()
            return databases.after()


def asked(query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(SERVER, autocommit=True) as connection:
        return connection.execute(query).fetchall()


def dropped_soon() -> bool:
    """Whether there is no slot in a while: a server notices a little later that a client is gone."""
    for _ in range(100):
        if not asked("SELECT slot_name FROM pg_replication_slots"):
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def shop() -> Iterator[Shop]:
    with psycopg.connect(SERVER, autocommit=True) as connection:
        connection.execute("CREATE DATABASE shop")
    yield Shop(SERVER.rpartition("/")[0] + "/shop")
    assert dropped_soon()
    with psycopg.connect(SERVER, autocommit=True) as connection:
        connection.execute("DROP DATABASE shop WITH (FORCE)")


def targets(found: DatabaseChanges) -> list[tuple[str | None, str]]:
    return [(each.op, each.target.removeprefix("postgresql/shop/public.")) for each in found.effects]


def test_rows_by_key(shop: Shop) -> None:
    found = shop.changes(
        THREE,
        "UPDATE orders SET total = 9.25 WHERE id = 2; DELETE FROM orders WHERE id = 1; INSERT INTO orders VALUES (7)",
    )
    assert lines(found) == [
        'update postgresql/shop/public.orders/2 is {"id": 2, "who": "bob", "total": 9.25} {"before": "key alone"}',
        'delete postgresql/shop/public.orders/1 {"before": "key alone", "key": {"id": 1}}',
        'insert postgresql/shop/public.orders/7 is {"id": 7, "who": null, "total": null}',
    ]
    assert (found.faults, dict(found.counted)) == ((), {})


def test_rows_before_where_the_table_logs_them(shop: Shop) -> None:
    found = shop.changes(
        f"{THREE} ALTER TABLE orders REPLICA IDENTITY FULL",
        "UPDATE orders SET total = 9 WHERE id = 3; DELETE FROM orders WHERE id = 1; UPDATE orders SET who = who",
    )
    assert lines(found) == [
        'update postgresql/shop/public.orders/3 was {"id": 3, "who": "cy", "total": null} '
        'is {"id": 3, "who": "cy", "total": 9.0} {"columns": ["total"]}',
        'delete postgresql/shop/public.orders/1 was {"id": 1, "who": "ann", "total": 1.5}',
    ]


NOTHING = [
    "SELECT * FROM orders",
    "BEGIN; DELETE FROM orders; ROLLBACK",
    "DELETE FROM orders WHERE id = 99",
    "CREATE TEMP TABLE t(x int); INSERT INTO t VALUES (1)",
    "VACUUM FULL orders; ANALYZE",
    "CREATE TABLE t(x int PRIMARY KEY); INSERT INTO t VALUES (1); DROP TABLE t",
]


@pytest.mark.parametrize("statements", NOTHING)
def test_what_changes_no_row_is_no_effect(shop: Shop, statements: str) -> None:
    def act() -> None:
        with psycopg.connect(shop.address, autocommit=True) as connection:
            for each in statements.split(";"):
                connection.execute(each)

    found = shop.changes(THREE, act)
    assert [each for each in targets(found) if not each[1].startswith("t/")] == []
    assert found.faults == ()


def test_a_transaction_is_told_for_what_of_it_was_kept(shop: Shop) -> None:
    def act() -> None:
        with psycopg.connect(shop.address) as connection, connection.transaction():
            connection.execute("DELETE FROM orders WHERE id = 1")
            with contextlib.suppress(ZeroDivisionError), connection.transaction():
                connection.execute("DELETE FROM orders WHERE id = 2")
                raise ZeroDivisionError
        with psycopg.connect(shop.address) as left_open:
            left_open.execute("DELETE FROM orders WHERE id = 3")
            left_open.rollback()

    assert targets(shop.changes(THREE, act)) == [("delete", "orders/1")]


def test_a_transaction_that_is_open_in_the_end_is_no_effect(shop: Shop) -> None:
    shop.run(THREE)
    with psycopg.connect(shop.address) as left_open, Databases(None, [shop.address]) as databases:
        left_open.execute("DELETE FROM orders WHERE id = 3")
        assert databases.after() == DatabaseChanges()
        left_open.rollback()


def test_one_net_change_a_row(shop: Shop) -> None:
    found = shop.changes(
        f"{THREE} CREATE TABLE f(id int PRIMARY KEY, v text); ALTER TABLE f REPLICA IDENTITY FULL;"
        "INSERT INTO f VALUES (1, 'a'), (2, 'b')",
        "INSERT INTO orders VALUES (8, 'x', 1); UPDATE orders SET who = 'y' WHERE id = 8;"  # an insertion
        "INSERT INTO orders VALUES (9, 'x', 1); DELETE FROM orders WHERE id = 9;"  # nothing
        "UPDATE orders SET who = 'z' WHERE id = 1; DELETE FROM orders WHERE id = 1;"  # a deletion
        "DELETE FROM orders WHERE id = 2; INSERT INTO orders VALUES (2, 'new', 0);"  # an update
        "UPDATE f SET v = 'x' WHERE id = 1; UPDATE f SET v = 'a' WHERE id = 1;"  # nothing
        "DELETE FROM f WHERE id = 2; INSERT INTO f VALUES (2, 'c')",  # an update
    )
    assert targets(found) == [
        ("insert", "orders/8"), ("delete", "orders/1"), ("update", "orders/2"), ("update", "f/2"),
    ]  # fmt: skip
    assert row(found.effects[0]) == {"id": 8, "who": "y", "total": 1.0}
    assert (row(found.effects[3], "before")["v"], row(found.effects[3])["v"]) == ("b", "c")
    assert found.counted == {UNDONE: 2}


def test_another_key_is_another_row(shop: Shop) -> None:
    found = shop.changes(THREE, "UPDATE orders SET id = 5 WHERE id = 1; UPDATE orders SET id = 1 WHERE id = 2")
    assert targets(found) == [("update", "orders/1"), ("insert", "orders/5"), ("delete", "orders/2")]
    assert row(found.effects[0]) == {"id": 1, "who": "bob", "total": 2.0}


IDENTITIES = {
    "NOTHING": [("update", "t/1"), ("delete", "t/(no key)")],
    "USING INDEX other": [("update", "t/10"), ("delete", "t/20")],
    "DEFAULT": [("update", "t/1"), ("delete", "t/2")],
}


@pytest.mark.parametrize("identity", IDENTITIES)
def test_every_replica_identity(shop: Shop, identity: str) -> None:
    found = shop.changes(
        "CREATE TABLE t(id int PRIMARY KEY, o int NOT NULL, v int); CREATE UNIQUE INDEX other ON t(o);"
        f"ALTER TABLE t REPLICA IDENTITY {identity}; INSERT INTO t VALUES (1, 10, 0), (2, 20, 0)",
        "UPDATE t SET v = 1 WHERE id = 1; DELETE FROM t WHERE id = 2",
    )
    assert targets(found) == IDENTITIES[identity]
    assert {each.detail["before"] for each in found.effects} == {"key alone"}


def test_a_table_without_a_key(shop: Shop) -> None:
    found = shop.changes(
        "CREATE TABLE t(v text); INSERT INTO t VALUES ('a'), (NULL); ALTER TABLE t REPLICA IDENTITY FULL",
        "INSERT INTO t VALUES ('a'), ('a'); UPDATE t SET v = 'b' WHERE v IS NULL; DELETE FROM t WHERE v = 'b'",
    )
    assert lines(found) == [
        'insert postgresql/shop/public.t/(no key) is {"v": "a"}',
        'insert postgresql/shop/public.t/(no key) is {"v": "a"}',
        'update postgresql/shop/public.t/(no key) was {"v": null} is {"v": "b"} {"columns": ["v"]}',
        'delete postgresql/shop/public.t/(no key) was {"v": "b"}',
    ]


TYPES = {
    "boolean": ("true", True),
    "smallint": ("-5", -5),
    "bigint": ("9223372036854775807", 9223372036854775807),
    "numeric": ("12345678901234567890.123456789", "12345678901234567890.123456789"),
    "numeric(6,2)": ("10.50", 10.5),
    "double precision": ("'Infinity'", {"real": "inf"}),
    "real": ("1.5", 1.5),
    "text": ("E'it''s\\n[a]:\\'b\\' new-tuple: \\\\ ü'", "it's\n[a]:'b' new-tuple: \\ ü"),
    "varchar(9)": ("''", ""),
    "bytea": (
        "'\\x00ff'",
        {"blob": "blake3:1878e767f1a09c64a9e3b73ffc1af306482097367e3809bbc800350d2b255dc0", "size": 2},
    ),
    "timestamptz": ("'2026-03-01 12:00:00+02'", "2026-03-01 10:00:00+00"),
    "interval": ("'90 minutes'", "01:30:00"),
    "jsonb": ("'{\"a\": [1]}'", '{"a": [1]}'),
    "integer[]": ("'{1,2}'", "{1,2}"),
    "text[][]": ("'{{a},{\"b c\"}}'", '{{a},{"b c"}}'),
    "bit(3)": ("B'101'", "101"),
    "uuid": ("'00000000-0000-0000-0000-000000000001'", "00000000-0000-0000-0000-000000000001"),
    "mood": ("'sad'", "sad"),
    '"odd ]: ""type"': ("'x'", "x"),
}


def test_values_of_every_type(shop: Shop) -> None:
    columns = ", ".join(f'"c {n}" {name}' for n, name in enumerate(TYPES))
    values = ", ".join(value for value, _ in TYPES.values())
    kinds = 'CREATE TYPE mood AS ENUM (\'sad\'); CREATE DOMAIN "odd ]: ""type" AS text'
    made = f"{kinds}; CREATE TABLE t(id int PRIMARY KEY, {columns})"
    with psycopg.connect(SERVER, autocommit=True) as connection:
        connection.execute("ALTER DATABASE shop SET datestyle = 'German'")
        connection.execute("ALTER DATABASE shop SET timezone = 'Asia/Tokyo'")
        connection.execute("ALTER DATABASE shop SET bytea_output = 'escape'")
    shop.run(made)
    with Databases(None, [shop.address]) as databases:
        with psycopg.connect(shop.address, autocommit=True) as connection:
            connection.execute(f"INSERT INTO t VALUES (1, {values})".encode())
            connection.execute("INSERT INTO t VALUES (2)")
        full, empty = databases.after().effects
    assert {name: row(full)[f"c {n}"] for n, name in enumerate(TYPES)} == {
        name: told for name, (_, told) in TYPES.items()
    }
    assert set(row(empty).values()) == {2, None}


def test_names_and_keys_of_every_kind(shop: Shop) -> None:
    name = '"my schema"."a:b/c, d.""e"'
    found = shop.changes(
        f'CREATE SCHEMA "my schema";'
        f'CREATE TABLE {name}("old-key:" text, "x[y]:" int, PRIMARY KEY("x[y]:", "old-key:"))',
        f"""INSERT INTO {name} VALUES ('p,q/r%', 7); UPDATE {name} SET "x[y]:" = 8""",
    )
    assert [each.target for each in found.effects] == ['postgresql/shop/my schema.a:b%2Fc%2C d."e/8,p%2Cq%2Fr%25']


def test_long_values_that_did_not_change(shop: Shop) -> None:
    made = (
        "CREATE TABLE {0}(id int PRIMARY KEY, long text, v int); ALTER TABLE {0} ALTER long SET STORAGE EXTERNAL;"
        "INSERT INTO {0} VALUES (1, repeat('x', 9000), 0)"
    )
    found = shop.changes(
        f"{made.format('t')}; {made.format('f')}; ALTER TABLE f REPLICA IDENTITY FULL",
        "UPDATE t SET v = 1; UPDATE f SET v = 1; INSERT INTO t VALUES (2, repeat('y', 9000), 0);"
        "UPDATE t SET v = 2 WHERE id = 2",
    )
    first, second, third = (row(each)["long"] for each in found.effects)
    assert first == {"unchanged": True}
    assert isinstance(second, dict)
    assert second["size"] == 9000
    assert isinstance(third, dict)
    assert third["size"] == 9000


def test_truncate(shop: Shop) -> None:
    found = shop.changes(
        f"{THREE} CREATE TABLE a(id int PRIMARY KEY); CREATE TABLE b(id int PRIMARY KEY REFERENCES a)",
        "INSERT INTO orders VALUES (9); UPDATE orders SET who = 'x'; TRUNCATE orders; INSERT INTO orders VALUES (1);"
        "INSERT INTO a VALUES (1); TRUNCATE a RESTART IDENTITY CASCADE",
    )
    assert [line.removeprefix("truncate postgresql/shop/public.") for line in lines(found)] == [
        'orders/* {"rows": "all"}',
        'insert postgresql/shop/public.orders/1 is {"id": 1, "who": null, "total": null}',
        'a/* {"flags": "restart_seqs cascade", "rows": "all"}',
        'b/* {"flags": "restart_seqs cascade", "rows": "all"}',
    ]
    assert found.counted == {UNDONE: 2}


def test_what_is_defined_is_told_by_two_looks(shop: Shop) -> None:
    found = shop.changes(
        f"{THREE} CREATE TABLE old(x int); CREATE VIEW v AS SELECT 1 AS one; CREATE TABLE was(x int)",
        "ALTER TABLE orders ADD COLUMN paid boolean DEFAULT false; DROP TABLE old; CREATE INDEX i ON orders(who);"
        "CREATE OR REPLACE VIEW v AS SELECT 2 AS one; ALTER TABLE was RENAME TO now;"
        "CREATE TABLE new(id int PRIMARY KEY);"
        "INSERT INTO new VALUES (1); UPDATE orders SET paid = true WHERE id = 3",
    )
    assert targets(found) == [
        ("create", "i"), ("create", "new"), ("create", "new_pkey"), ("alter", "was"), ("drop", "old"),
        ("delete", "old/*"), ("alter", "orders"), ("alter", "v"), ("insert", "new/1"), ("update", "orders/3"),
    ]  # fmt: skip
    assert found.effects[3].detail == {"type": "table", "renamed": "public.now"}
    assert row(found.effects[-1])["paid"] is True


def test_rows_of_every_other_way_in(shop: Shop) -> None:
    def act() -> None:
        with psycopg.connect(shop.address, autocommit=True) as connection:
            with connection.cursor().copy("COPY orders FROM STDIN") as copy:
                copy.write("10\tcopied\t1\n")
            connection.execute("INSERT INTO orders VALUES (1) ON CONFLICT (id) DO UPDATE SET who = 'merged'")
            connection.execute(
                "WITH gone AS (DELETE FROM orders WHERE id = 2 RETURNING *) INSERT INTO archive SELECT * FROM gone"
            )
            connection.execute("DO $$ BEGIN UPDATE orders SET who = 'done' WHERE id = 3; END $$")
            connection.execute("INSERT INTO parted VALUES (5)")
            connection.execute("SET synchronous_commit = off")
            connection.execute("INSERT INTO orders VALUES (11)")

    made = (
        f"{THREE} CREATE TABLE archive(LIKE orders);"
        "CREATE TABLE parted(id int PRIMARY KEY) PARTITION BY RANGE (id);"
        "CREATE TABLE p1 PARTITION OF parted FOR VALUES FROM (0) TO (9)"
    )
    assert targets(shop.changes(made, act)) == [
        ("insert", "orders/10"), ("update", "orders/1"), ("delete", "orders/2"), ("update", "orders/3"),
        ("insert", "orders/11"), ("insert", "archive/(no key)"), ("insert", "p1/5"),
    ]  # fmt: skip


def test_more_rows_than_are_told_are_counted_and_a_fault(shop: Shop) -> None:
    many = "INSERT INTO orders SELECT n, 'x', 0 FROM generate_series(10, 29) n; DELETE FROM orders WHERE id < 4"
    found = shop.changes(THREE, many, rows=5)
    assert targets(found) == [
        *(("insert", f"orders/{n}") for n in range(10, 15)),
        ("insert", "orders/*"),
        ("delete", "orders/*"),
    ]
    assert [each.detail["rows"] for each in found.effects[-2:]] == [15, 3]
    assert len(found.faults) == 2


def test_a_large_transaction_takes_little_memory(shop: Shop) -> None:
    import resource

    shop.run("CREATE TABLE t(id int PRIMARY KEY, v text)")
    with Databases(None, [shop.address]) as databases:
        shop.run("INSERT INTO t SELECT n, repeat('x', 600) FROM generate_series(1, 100000) n")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        found = databases.after()
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert (len(found.effects), found.effects[-1].detail) == (10_001, {"rows": 90_000})
    assert grown < 60 << 10  # KiB; the rows have 60 MB


def test_an_unlogged_table_is_a_fault_when_it_changed(shop: Shop) -> None:
    made = "CREATE UNLOGGED TABLE {0}(x int); INSERT INTO {0} VALUES (1);"
    found = shop.changes(made.format("u") + made.format("w"), "UPDATE u SET x = 1")
    assert found.faults == (
        "postgresql/shop/public.u: the table is unlogged, and what changed in its rows is not told",
    )


def test_secrets_in_rows_become_tokens(shop: Shop) -> None:
    key = TYPED["github classic"][1]
    found = shop.changes(
        "CREATE TABLE users(id int PRIMARY KEY, password text, note text)",
        f"INSERT INTO users VALUES (1, 'hunter2!', '{key}')",
    )
    trace = Trace(header=Header(kind="run", trace_id="0" * 32), records=found.records())
    text = dumps_trace(gate_trace(trace, redact=True, name="t")).decode()
    assert "[[redacted:" in text
    for secret in (key, "hunter2!", str(found.effects[0].after and found.effects[0].after.digest)):
        assert secret not in text


AGENT = """
import os, psycopg
psycopg.connect(os.environ['SHOP'], autocommit=True).execute('DELETE FROM orders WHERE id = 2')
"""


def test_a_command_is_observed_and_no_word_of_the_address_is_told(
    shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shop.run(THREE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHOP", shop.address)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    command = ["observe", "--postgres", "$SHOP", "--json", "-o", "t.jsonl", "--", sys.executable, "-c", AGENT]
    assert main(command) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    parts = urlsplit(shop.address)
    told = [(each["op"], each["target"].rpartition(".")[2]) for each in found["effects"]]
    assert told == [("delete", "orders/2"), ("connect", f"1:{parts.port}")]
    assert found["observation"]["db_change"] == "observed"
    said = out + err + (tmp_path / "t.jsonl").read_text()
    for word in (str(parts.password), "tester", f"@127.0.0.1:{parts.port}"):
        assert word not in said


def test_a_flow_asserts_rows_of_a_server(shop: Shop, tmp_path: Path) -> None:
    shop.run(THREE)
    story = made(tmp_path)
    act = "psycopg.connect(os.environ['SHOP'], autocommit=True).execute('DELETE FROM orders WHERE id = 2')"
    work = f"import psycopg\n    {act}"
    story.agent(('return {"order_id"', f'{work}\n    return {{"order_id"'))
    port = urlsplit(shop.address).port
    story.spec(
        (
            "tools: real}",
            f'tools: real, env: {{SHOP: "${{SHOP}}"}}, allow_local: [{port}]}}\neffects: {{databases: ["${{SHOP}}"]}}',
        ),
        (
            "- assert: reply contains refunded",
            "- assert_no_side_effect: {kind: db_change, except: ['postgresql/shop/public.orders/2']}\n"
            "  - assert_no_side_effect: {kind: db_change, target: postgresql/shop/public.refunds/*}",
        ),
    )

    def verdict(address: str) -> FlowResult:
        return run_flow(story.flow, RunOptions(environment={**BARE, "SHOP": address}, timeout=30))

    first = verdict(shop.address)
    assert first.word is Word.PASS, first.summary
    shop.run(
        "CREATE RULE more AS ON DELETE TO orders DO ALSO INSERT INTO orders VALUES (9); INSERT INTO orders VALUES (2)"
    )
    other = verdict(shop.address)
    assert (other.word, "public.orders/9" in other.summary) == (Word.FAIL, True), other.summary
    refused = verdict(REPLICA)
    assert refused.word is Word.CAPABILITY
    assert "wal_level" in refused.summary
    assert str(urlsplit(REPLICA).password) not in repr(refused)


# --- slots, servers and what they refuse -----------------------------------------------------------


def slots() -> list[tuple[object, ...]]:
    return asked("SELECT plugin, temporary, database FROM pg_replication_slots")


HELD = """
import time
from runwright.record.database import Databases
with Databases(None, [input()]):
    print(1, flush=True)
    time.sleep(60)
"""


def test_the_slot_goes_whatever_happens(shop: Shop) -> None:
    with Databases(None, [shop.address]):
        assert slots() == [("test_decoding", True, "shop")]
    assert dropped_soon()
    with pytest.raises(ZeroDivisionError), Databases(None, [shop.address]):
        raise ZeroDivisionError
    assert dropped_soon()
    with pytest.raises(CapabilityError), Databases(None, [shop.address, f"{shop.address}-not"]):
        pass
    assert dropped_soon()
    with subprocess.Popen(
        [sys.executable, "-c", HELD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{shop.address}\n")
        process.stdin.flush()
        assert process.stdout.readline() == "1\n"
        assert len(slots()) == 1
        process.send_signal(signal.SIGKILL)
    assert dropped_soon()


def test_a_connection_that_is_lost_is_a_fault(shop: Shop) -> None:
    shop.run(THREE)
    with Databases(None, [shop.address]) as databases:
        shop.run("DELETE FROM orders")
        asked("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots")
        found = databases.after()
    assert found.effects == ()
    assert len(found.faults) == 1
    assert found.faults[0].startswith("postgresql/shop: what changed could not be read in the end")


def test_a_server_by_its_socket_and_one_database_named_twice(shop: Shop) -> None:
    parts = urlsplit(shop.address)
    by_socket = f"host={SOCKETS} port={parts.port} user={parts.username} password={parts.password} dbname=shop"
    shop.run(THREE)
    with Databases(None, [by_socket, by_socket]) as databases:
        shop.run("DELETE FROM orders WHERE id = 1")
        assert targets(databases.after()) == [("delete", "orders/1")]


def told_of(error: RunwrightError) -> str:
    return f"{error}\n{error.hint}"


def test_what_a_server_refuses_is_told_with_a_remedy_and_without_its_address(shop: Shop) -> None:
    parts = urlsplit(shop.address)
    with psycopg.connect(SERVER, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS reader")
        connection.execute("CREATE ROLE reader LOGIN PASSWORD 'hunter2'")
    wrong = {
        shop.address.replace("tester", "reader").replace(str(parts.password), "hunter2"): "REPLICATION",
        shop.address.replace(str(parts.password), "hunter2"): "password",
        shop.address.replace("/shop", "/hunter2"): "name",
        shop.address.replace(f":{parts.port}", ":1"): "running",
        REPLICA: "wal_level = logical",
    }
    for address, remedy in wrong.items():
        with pytest.raises(CapabilityError) as caught, Databases(None, [address]):
            pass
        said = told_of(caught.value)
        assert remedy in caught.value.hint, said
        assert caught.value.__cause__ is None
        for word in ("hunter2", "127.0.0.1", str(parts.password), "tester", "reader", str(parts.port)):
            assert word not in said
    with psycopg.connect(SERVER, autocommit=True) as connection:
        connection.execute("ALTER ROLE reader REPLICATION")
    shop.run(THREE)
    with Databases(None, [next(iter(wrong))]) as databases:  # which is all the rights that it takes
        shop.run("DELETE FROM orders WHERE id = 1")
        assert (targets(databases.after()), databases.after()) == ([("delete", "orders/1")], DatabaseChanges())
    with pytest.raises(UsageError) as told, Databases(None, ["host=hunter2 is no address"]):
        pass
    assert "hunter2" not in told_of(told.value)


def test_slots_that_are_all_taken_and_transactions_that_stay_open(shop: Shop) -> None:
    names = [f"taken_{n}" for n in range(4)]
    try:
        for each in names:
            asked(f"SELECT pg_create_logical_replication_slot('{each}', 'test_decoding')")
        with pytest.raises(CapabilityError) as caught, Databases(None, [shop.address]):
            pass
        assert "max_replication_slots" in caught.value.hint
    finally:
        asked("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots")
    shop.run(THREE)
    with psycopg.connect(shop.address) as left_open:
        left_open.execute("DELETE FROM orders")
        with pytest.raises(CapabilityError) as late, Databases(None, [shop.address], limits=Limits(setup=1)):
            pass
        assert "open" in str(late.value)
