"""A workspace with one database, changed by a script, and what was told of that."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from runwright.record.database import DatabaseChanges, Databases
from runwright.trace.model import JSON, SideEffect

Act = Callable[[sqlite3.Connection], object]


def connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def script(path: Path, statements: str) -> None:
    """Statements, one after the other, and the database closed."""
    connection = connected(path)
    connection.executescript(statements)
    connection.close()


def changes(workspace: Path, before: str | Act, after: str | Act, name: str = "a.db") -> DatabaseChanges:
    """What a second script, or function, is told to have changed in what the first made."""
    done(workspace / name, before)
    with Databases(workspace) as databases:
        done(workspace / name, after)
        return databases.after()


def done(path: Path, what: str | Act) -> None:
    if isinstance(what, str):
        script(path, what)
        return
    connection = connected(path)
    what(connection)
    connection.close()


def lines(found: DatabaseChanges) -> list[str]:
    """Each effect on a line: op, target, row before, row after, and what else is told."""
    return [line(each) for each in found.effects]


def line(effect: SideEffect) -> str:
    parts: Sequence[str] = [str(effect.op), effect.target]
    for word, state in (("was", effect.before), ("is", effect.after)):
        if state is not None:
            parts = [*parts, word, str(state.content)]
    detail = {name: told for name, told in effect.detail.items() if name != "type"}
    return " ".join([*parts, *([json.dumps(detail, sort_keys=True)] if detail else [])])


def row(effect: SideEffect, word: str = "after") -> dict[str, JSON]:
    state = effect.after if word == "after" else effect.before
    assert state is not None
    assert state.content is not None
    found = json.loads(state.content)
    assert isinstance(found, dict)
    return found
