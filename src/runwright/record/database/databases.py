"""Databases looked at before a run and after it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from runwright.record.database.address import is_server
from runwright.record.database.files import NOTHING, NOWHERE, Limits, SqliteFiles
from runwright.record.database.model import CONTENT, ROWS, DatabaseChanges
from runwright.record.database.postgres import PostgresDatabase
from runwright.record.database.told import Told
from runwright.record.observe.names import readable


class Databases:
    """The SQLite databases of a workspace, and others by their addresses, from the moment that this is entered.

        with Databases(workspace) as databases:
            ...  # the run
            changes = databases.after()

    An address is that of a PostgreSQL database (`postgresql://...`, or `host=... dbname=...`), which is told nowhere,
    or the path of a SQLite file, from the workspace, which may lie outside of it. What is kept of files until then is
    in a temporary folder, and removed in the end. Entering raises CapabilityError for a server that does not let its
    changes be observed.
    """

    def __init__(
        self,
        workspace: Path | None,
        addresses: Sequence[str] = (),
        *,
        limits: Limits = Limits(),  # noqa: B008 - it is frozen
        rows: int = ROWS,
        content: int = CONTENT,
    ) -> None:
        self.root = None if workspace is None else os.fsencode(os.path.realpath(workspace))
        self._dsns = tuple(dict.fromkeys(each for each in addresses if is_server(each)))
        self._named = {self._file(each): readable(os.fsencode(each)) for each in addresses if not is_server(each)}
        self._limits, self._rows, self._content = limits, rows, content
        self._stack = ExitStack()
        self._files: SqliteFiles | None = None
        self._connected: list[PostgresDatabase] = []

    def __enter__(self) -> Databases:
        with self._stack as stack:
            for number, dsn in enumerate(self._dsns, start=1):
                which = "postgresql" if len(self._dsns) == 1 else f"postgresql {number}"
                server = PostgresDatabase(dsn, which, self._limits.setup)
                stack.callback(server.close)
                server.look()
                self._connected.append(server)
            if self.root is not None:
                self._files = SqliteFiles(self.root, self._limits, self._named)
                stack.callback(self._files.close)
                self._files.look()
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    @property
    def servers(self) -> tuple[str, ...]:
        """The names of those that servers hold, as their rows are told."""
        return tuple(dict.fromkeys(each.name for each in self._connected))

    def _file(self, path: str) -> bytes:
        return os.path.realpath(os.path.join(self.root or b".", os.fsencode(path)))

    def after(
        self, moved: Mapping[bytes, bytes] = NOTHING, outside: Mapping[bytes, str] = NOWHERE, world: bytes = b""
    ) -> DatabaseChanges:
        """What changed since; of servers, since it was last asked.

        `moved` are the old real paths of files by their new ones; `outside` are real paths of files elsewhere that the
        run changed, with the names that they have in its trace; `world` stands before a path to see what the run saw
        there, where that was a layer.
        """
        told = Told(self._rows, self._content)
        if self._files is not None:
            self._files.tell(told, moved, outside, world)
        for server in self._connected:
            server.tell(told)
        return told.changes()
