"""What is defined in a PostgreSQL database, since its changes are not decoded: two looks are compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from runwright.record.database.net import Identity, Name, table_name
from runwright.record.database.told import Told
from runwright.trace.model import JSON

KINDS = {
    "r": "table", "p": "partitioned table", "f": "foreign table", "v": "view", "m": "materialized view",
    "i": "index", "I": "index",
}  # fmt: skip
TABLES = ("r", "p", "f")
COLUMNS = """
    SELECT string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod))
        || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
        || coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), ''), ', ' ORDER BY a.attnum)
    FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped"""
KEY = """
    SELECT array_agg(a.attname::text ORDER BY k.n)
    FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k(at, n)
    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.at
    WHERE i.indrelid = c.oid AND k.n <= i.indnkeyatts
        AND CASE WHEN c.relreplident = 'i' THEN i.indisreplident ELSE i.indisprimary END"""
NAMES = """
    SELECT array_agg(a.attname::text ORDER BY a.attnum)
    FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped"""
QUERY = f"""
    SELECT c.oid::bigint, n.nspname::text, c.relname::text,
        c.relkind::text, c.relpersistence::text, c.relreplident::text,
        CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid)
            WHEN c.relkind IN ('i', 'I') THEN pg_get_indexdef(c.oid)
            ELSE ({COLUMNS}) END,
        ({KEY}), ({NAMES})
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
        AND c.relkind IN ('r', 'p', 'f', 'v', 'm', 'i', 'I')
    ORDER BY n.nspname, c.relname"""  # noqa: S608 - nothing in it is given


class Defined(NamedTuple):
    """A table, view or index."""

    name: Name
    kind: str
    unlogged: bool
    definition: str
    identity: Identity


Catalog = Mapping[int, Defined]
"""What is defined, by the number that it keeps when it is renamed."""


def catalog_of(rows: Iterable[tuple[object, ...]]) -> dict[int, Defined]:
    """The answer to QUERY."""
    found: dict[int, Defined] = {}
    for oid, schema, name, kind, persistence, identity, definition, key, names in rows:
        columns = tuple(map(str, names)) if isinstance(names, list) else ()
        keyed = tuple(map(str, key)) if isinstance(key, list) else ()
        found[int(str(oid))] = Defined(
            (str(schema), str(name)), str(kind), persistence == "u" and kind == "r", str(definition or ""),
            Identity(columns, keyed, identity == "f"),
        )  # fmt: skip
    return found


def identities(before: Catalog, after: Catalog) -> dict[Name, Identity]:
    """What tells the rows of each table apart; as it is now, and of those that are gone as it was."""
    return {each.name: each.identity for catalog in (before, after) for each in catalog.values() if each.kind in TABLES}


def tell_definitions(lead: str, before: Catalog, after: Catalog, told: Told) -> None:
    """What was made, dropped or altered; with a table that is dropped go all of its rows."""
    for oid in sorted({*before, *after}, key=lambda each: (after.get(each) or before[each]).name):
        old, new = before.get(oid), after.get(oid)
        if old is None and new is not None:
            told.whole(_target(lead, new), "create", None, new.definition, _detail(new))
        elif new is None and old is not None:
            told.whole(_target(lead, old), "drop", old.definition, None, _detail(old))
            if old.kind in TABLES:
                told.every(_target(lead, old), "delete")
        elif old is not None and new is not None and (old.name, old.definition) != (new.name, new.definition):
            renamed: dict[str, JSON] = {} if old.name == new.name else {"renamed": table_name(*new.name)}
            told.whole(_target(lead, old), "alter", old.definition, new.definition, _detail(new) | renamed)


def _target(lead: str, defined: Defined) -> str:
    return f"{lead}/{table_name(*defined.name)}"


def _detail(defined: Defined) -> dict[str, JSON]:
    return {"type": KINDS[defined.kind]}
