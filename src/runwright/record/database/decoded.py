"""A change as PostgreSQL's `test_decoding` writes it, read.

table public.orders: UPDATE: old-key: id[integer]:1 new-tuple: id[integer]:2 note[text]:'it''s'
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Literal, NamedTuple, cast

from runwright.record.database.values import Cell, Same

Op = Literal["INSERT", "UPDATE", "DELETE", "TRUNCATE"]
LEAD, OLD, NEW, NO_ROW = "table ", " old-key:", " new-tuple:", " (no-tuple-data)"
INTEGERS = ("smallint", "integer", "bigint", "oid")


class Decoded(NamedTuple):
    """One change: of which tables (several in a TRUNCATE), and what is told of the row before and after.

    `old` of an update is None where its key did not change and nothing else is told.
    """

    op: Op
    tables: tuple[tuple[str, str], ...]
    old: Mapping[str, Cell] | None = None
    new: Mapping[str, Cell] | None = None
    flags: str = ""


class Undecodable(ValueError):
    """A line that is not written as this is."""


NAME = r'(?:[a-z_][a-z0-9_$]*|"[^"]*(?:""[^"]*)*")'
TABLE = re.compile(rf"({NAME})\.({NAME})")
OP = re.compile(r": (INSERT|UPDATE|DELETE|TRUNCATE):")
COLUMN = re.compile(rf' ({NAME})\[((?:[^\[\]"]|\[\]|"[^"]*(?:""[^"]*)*")*)\]:')
VALUE = re.compile(r"(B?)'([^']*(?:''[^']*)*)'|[^ ]+")


def decoded(line: str) -> Decoded | None:
    """The change; None for what begins or ends a transaction, and for messages."""
    if not line.startswith(LEAD):
        return None
    at, tables = len(LEAD), []
    while True:
        found = _next(TABLE, line, at)
        tables.append((_name(found[1]), _name(found[2])))
        at = found.end()
        if not line.startswith(", ", at):
            break
        at += 2
    found = _next(OP, line, at)
    op, at = cast("Op", found[1]), found.end()
    if op == "TRUNCATE":
        return Decoded(op, tuple(tables), flags=line[at:].strip().replace("(no-flags)", ""))
    if line.startswith(NO_ROW, at):
        return Decoded(op, tuple(tables))
    old: dict[str, Cell] | None = None
    if line.startswith(OLD, at):
        old, at = _columns(line, at + len(OLD))
        if not line.startswith(NEW, at):
            raise Undecodable("there is no row afterwards")
        at += len(NEW)
    new, at = _columns(line, at)
    if at != len(line):
        raise Undecodable("there is more than columns")
    return Decoded(op, tuple(tables), new if op == "DELETE" else old, None if op == "DELETE" else new)


def _next(pattern: re.Pattern[str], line: str, at: int) -> re.Match[str]:
    found = pattern.match(line, at)
    if found is None:
        raise Undecodable("it is not written as a change")
    return found


def _columns(line: str, at: int) -> tuple[dict[str, Cell], int]:
    """The columns and their values up to what is no column, and where that is."""
    columns: dict[str, Cell] = {}
    while found := COLUMN.match(line, at):
        value = _next(VALUE, line, found.end())
        columns[_name(found[1])] = _value(found[2], value)
        at = value.end()
    return columns, at


def _name(written: str) -> str:
    return written[1:-1].replace('""', '"') if written.startswith('"') else written


def _value(kind: str, found: re.Match[str]) -> Cell:
    if found[2] is not None:
        text = found[2].replace("''", "'")
        return bytes.fromhex(text.removeprefix("\\x")) if kind == "bytea" else text
    word = found[0]
    if word in CONSTANTS:
        return CONSTANTS[word]
    try:
        return int(word) if kind in INTEGERS else _number(word)
    except (InvalidOperation, ValueError):
        raise Undecodable("a value that is no number") from None


CONSTANTS: Mapping[str, Cell] = {"null": None, "true": True, "false": False, "unchanged-toast-datum": Same("unchanged")}


def _number(word: str) -> Cell:
    """A number as JSON has it where that is exact, else its digits as a text."""
    exact, near = Decimal(word), float(word)
    return near if not exact.is_finite() or Decimal(repr(near)) == exact else word
