"""Databases looked at before a run and after it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType, TracebackType

from runwright.record.database.files import Limits, SqliteFiles
from runwright.record.database.model import CONTENT, ROWS, DatabaseChanges
from runwright.record.database.told import Told

NOTHING: Mapping[bytes, bytes] = MappingProxyType({})
NOWHERE: Mapping[bytes, str] = MappingProxyType({})


class Databases:
    """The SQLite databases of a workspace, from the moment that this is entered.

        with Databases(workspace) as databases:
            ...  # the run
            changes = databases.after()

    What is kept of them until then is in a temporary folder, and removed in the end.
    """

    def __init__(self, workspace: Path, *, limits: Limits = Limits(), rows: int = ROWS, content: int = CONTENT) -> None:  # noqa: B008 - it is frozen
        self._workspace, self._limits, self._rows, self._content = workspace, limits, rows, content
        self._stack = ExitStack()
        self._files: SqliteFiles

    def __enter__(self) -> Databases:
        with self._stack:
            self._files = SqliteFiles(os.fsencode(self._workspace), self._limits)
            self._stack.callback(self._files.close)
            self._files.look()
            self._stack = self._stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def after(self, moved: Mapping[bytes, bytes] = NOTHING, outside: Mapping[bytes, str] = NOWHERE) -> DatabaseChanges:
        """What changed since. `moved` are the old real paths of files by their new ones; `outside` are real paths of
        files elsewhere that the run changed, with the names that they have in its trace."""
        told = Told(self._rows, self._content)
        self._files.tell(told, moved, outside)
        return told.changes()
