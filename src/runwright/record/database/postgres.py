"""A PostgreSQL database, observed through a logical slot that the server drops with the connection.

The plugin is `test_decoding`: it comes with the server's contrib modules and needs nothing in the database, where
`pgoutput` would need a publication, which only an owner may make, and which would stay behind if this were killed.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, LiteralString

from runwright.errors import CapabilityError, RunwrightError, UsageError
from runwright.record.database.address import HINT
from runwright.record.database.catalog import QUERY, Catalog, Defined, catalog_of, identities, tell_definitions
from runwright.record.database.decoded import Undecodable, decoded
from runwright.record.database.net import Net, table_name
from runwright.record.database.told import Told
from runwright.record.database.values import part

if TYPE_CHECKING:
    import psycopg

SETTINGS = {
    "timezone": "UTC", "datestyle": "ISO", "intervalstyle": "postgres", "bytea_output": "hex",
    "extra_float_digits": "1", "search_path": "pg_catalog", "synchronous_commit": "on", "lock_timeout": "0",
    "idle_session_timeout": "0", "idle_in_transaction_session_timeout": "0",
}  # fmt: skip
"""How values are written, whatever the server is set to; and that a connection may wait for a run to end."""
READING = 120
"""Seconds that reading the changes may take."""
BATCH = 500
MARK = "runwright"
CHANGES = """
    SELECT data FROM pg_logical_slot_get_changes(%s, NULL, NULL, 'include-xids', '0', 'skip-empty-xacts', '1')"""

Refusal = tuple[str, str]
REFUSALS: Mapping[str, Refusal] = {
    "28": ("does not let this user in", "look at the user and the password of the connection"),
    "3D": ("has no database of that name", "look at the name in the connection"),
    "42501": ("does not let this user decode changes", "ALTER ROLE ... REPLICATION"),
    "53400": ("has no replication slot left", "raise max_replication_slots, and restart the server"),
    "53": ("has no connection left", "raise max_connections, or end some"),
    "58P01": ("does not have test_decoding", "install the contrib modules of the server"),
    "57014": (
        "did not make a slot in time: it waits for transactions that are open",
        "end what is open: SELECT * FROM pg_stat_activity WHERE xact_start IS NOT NULL",
    ),
}
"""What is said to be wrong, by the beginning of the error's code; never in the server's words, which name the host."""
SAID = {
    "password authentication failed": "28P01", "no password supplied": "28P01", "no pg_hba.conf entry": "28000",
    "is not permitted to log in": "28000", "too many clients": "53300", "too many connections": "53300",
}  # fmt: skip
DATABASE, ROLE = (re.compile(rf'{each} "[^"]*" does not exist') for each in ("database", "role"))


class PostgresDatabase:
    """One database; `look` at it before the run, `tell` after it, `close` in any case."""

    def __init__(self, dsn: str, which: str, setup: int) -> None:
        self._which, self._setup = which, setup
        self._lead = ""
        self._slot = f"{MARK}_{secrets.token_hex(8)}"
        self._before: Catalog = {}
        self._unlogged: dict[int, object] = {}
        self._connection = _connected(dsn, which, setup)

    @property
    def name(self) -> str:
        """What its rows are told under, once it was looked at: `postgresql/shop`."""
        return self._lead

    def close(self) -> None:
        """Leave; with the connection goes the slot."""
        self._connection.close()

    def look(self) -> None:
        """Begin to keep what changes. CapabilityError where the server does not let it."""
        import psycopg

        try:
            self._prepare()
            self._execute("SELECT pg_create_logical_replication_slot(%s, 'test_decoding', true)", self._slot)
            self._before = self._catalog()
            self._unlogged = self._of_unlogged(self._before)
            self._within(READING)
        except psycopg.Error as error:
            raise refused(error, self._which) from None

    def tell(self, told: Told) -> None:
        """What changed since; where the server does not tell, a fault."""
        import psycopg

        try:
            self._tell(told)
        except (psycopg.Error, Undecodable, UnicodeError) as error:
            reason = getattr(error, "sqlstate", None) or type(error).__name__
            told.fault(f"{self._lead}: what changed could not be read in the end ({reason}), and is not told")

    def _prepare(self) -> None:
        for setting, value in SETTINGS.items():  # an older server does not have each
            self._execute("SELECT set_config(name, %s, false) FROM pg_settings WHERE lower(name) = %s", value, setting)
        self._within(self._setup)
        ((name, level, standby),) = self._execute(
            "SELECT current_database()::text, current_setting('wal_level'), pg_is_in_recovery()"
        )
        self._lead = f"postgresql/{part(str(name).encode())}"
        if level != "logical":
            raise CapabilityError(
                f"{self._lead}: changes cannot be observed: the server writes its log at wal_level {level}",
                hint="ALTER SYSTEM SET wal_level = logical, and restart the server",
            )
        if standby:
            raise CapabilityError(
                f"{self._lead}: changes cannot be observed on a standby", hint="name the primary server"
            )

    def _within(self, seconds: int) -> None:
        self._execute("SELECT set_config('statement_timeout', %s, false)", f"{seconds}s")

    def _tell(self, told: Told) -> None:
        # what others committed without waiting for the disk is on it once this, which waits, is
        self._execute("SELECT pg_logical_emit_message(true, %s, '')", MARK)
        after = self._catalog()
        net = Net(identities(self._before, after), told.limit)
        ended = False
        for line in self._decoded():
            ended = ended or line.startswith(f"message: transactional: 1 prefix: {MARK},")
            change = decoded(line)
            if change is not None:
                net.add(change, len(line))
        if not ended:
            told.fault(f"{self._lead}: the server did not tell its changes to the end")
        tell_definitions(self._lead, self._before, after, told)
        net.tell(self._lead, told)
        for oid, found in self._of_unlogged(after).items():
            if found is None or found != self._unlogged.get(oid):
                name = table_name(*after[oid].name)
                told.fault(f"{self._lead}/{name}: the table is unlogged, and what changed in its rows is not told")

    def _decoded(self) -> Iterator[str]:
        """The changes, with no more than a few at once in memory here."""
        with self._connection.transaction(), self._connection.cursor(name=MARK) as cursor:
            cursor.itersize = BATCH
            cursor.execute(CHANGES, [self._slot])
            for (data,) in cursor:
                yield str(data)

    def _catalog(self) -> dict[int, Defined]:
        return catalog_of(self._execute(QUERY))

    def _of_unlogged(self, catalog: Catalog) -> dict[int, object]:
        """What changes with any row of a table whose changes are not in the log; None where it may not be read."""
        import psycopg
        from psycopg import sql

        query = sql.SQL(
            "SELECT count(*), coalesce(sum(hashtext(ctid::text || xmin::text)::bigint), 0)::text FROM {}.{}"
        )
        found: dict[int, object] = {}
        for oid, each in catalog.items():
            if each.unlogged:
                try:
                    found[oid] = self._connection.execute(query.format(*map(sql.Identifier, each.name))).fetchone()
                except psycopg.errors.InsufficientPrivilege:
                    found[oid] = None
        return found

    def _execute(self, query: LiteralString, *given: str) -> list[tuple[object, ...]]:
        return self._connection.execute(query, given or None).fetchall()


def _connected(dsn: str, which: str, setup: int) -> psycopg.Connection[tuple[object, ...]]:
    try:
        import psycopg
    except ImportError:
        hint = "pip install 'runwright[postgres]'"
        raise CapabilityError("changes of PostgreSQL cannot be observed: psycopg is not installed", hint=hint) from None
    try:
        return psycopg.connect(
            dsn, autocommit=True, client_encoding="UTF8", application_name=MARK, connect_timeout=setup
        )
    except psycopg.ProgrammingError:
        raise UsageError("it is no address of a PostgreSQL database", place=which, hint=HINT) from None
    except psycopg.Error as error:
        raise refused(error, which) from None


def refused(error: psycopg.Error, which: str) -> RunwrightError:
    """Why a server does not let its changes be observed, without a word of its own."""
    code = error.sqlstate or _code(str(error))
    for begins, (reason, hint) in sorted(REFUSALS.items(), reverse=True):
        if code.startswith(begins):
            return CapabilityError(f"the PostgreSQL server {reason}", place=which, hint=hint)
    if not code:
        return CapabilityError("the PostgreSQL server cannot be reached", place=which, hint="is it running?")
    return CapabilityError(f"the PostgreSQL server refuses to tell its changes ({code})", place=which)


def _code(said: str) -> str:
    """The code of what went wrong while connecting, of which psycopg has the words alone."""
    found = next((code for words, code in SAID.items() if words in said), "")
    return found or ("3D000" if DATABASE.search(said) else "28000" if ROLE.search(said) else "")
