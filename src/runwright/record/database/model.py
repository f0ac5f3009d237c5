"""What became of databases, and how much of it is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from runwright.trace.model import EffectKind, FaultRecord, SideEffect, SideEffectRecord

CHANGE: EffectKind = "db_change"
"""The kind of every effect here."""
FILE = "database file"
"""The rule by which a file is left out whose rows are told."""
INTERNAL = "internal table"
"""The rule by which a table is left out that a database keeps for itself."""
UNDONE = "undone row"
"""The rule by which a row is left out that is what it was in the end."""

ROWS = 10_000
"""Rows of one table that are told one by one."""
CONTENT = 8 << 20
"""Bytes of rows, as JSON, that are told in all; of further rows the key is."""


class DatabaseChanges(NamedTuple):
    """The effects, what was left out by rule, and what may have hidden an effect.

    `covered` are the real paths of files whose changes of content are told as rows.
    """

    effects: tuple[SideEffect, ...] = ()
    counted: Mapping[str, int] = {}
    faults: tuple[str, ...] = ()
    covered: frozenset[bytes] = frozenset()

    def records(self, first: int = 1) -> tuple[SideEffectRecord, ...]:
        """The effects as records of a trace, numbered on."""
        return tuple(SideEffectRecord(id=f"e{n}", side_effect=each) for n, each in enumerate(self.effects, first))

    def fault_records(self, first: int = 1) -> tuple[FaultRecord, ...]:
        """The faults as records of a trace, numbered on; each hides changes of databases and nothing else."""
        return tuple(
            FaultRecord(id=f"f{n}", kind="observer_failed", detail=each, hides=(CHANGE,))
            for n, each in enumerate(self.faults, first)
        )
