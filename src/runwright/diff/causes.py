"""What comes after what in a trace, by the edges of its records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from runwright.diff.coarse import Notes
from runwright.diff.side import Prepared
from runwright.trace.model import PolicyRecord, Record, SideEffectRecord

STEPS = 500_000
"""Edges that are followed in all: some seconds. In runs so unlike each other that this is not enough, the rest counts
as unordered by its edges, and is ordered by its lines."""


class Causes:
    """The causal order of two traces."""

    def __init__(self, left: Prepared, right: Prepared, notes: Notes) -> None:
        self.sides = (left, right)
        self._notes = notes
        self._steps = 0

    @cached_property
    def ids(self) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """The line of each record, by its id."""
        left, right = ({record.id: line for line, record in enumerate(side.records)} for side in self.sides)
        return left, right

    def comes_after(self, side: int, line: int, earlier: int) -> bool:
        """Whether the record on a line comes after an earlier one; False too where it is not known any more."""
        records, ids = self.sides[side].records, self.ids[side]
        waiting, seen = [line], {line}
        while waiting:
            if self._steps >= STEPS:
                self._notes.add("causes")
                return False
            causes = lines_of(causes_of(records[waiting.pop()]), ids)
            self._steps += 1 + len(causes)
            for cause in causes:
                if cause == earlier:
                    return True
                if cause > earlier and cause not in seen:
                    seen.add(cause)
                    waiting.append(cause)
        return False


def lines_of(names: Iterable[str], ids: Mapping[str, int]) -> list[int]:
    """The lines of the records so named; names that no record has are passed over."""
    return [ids[name] for name in names if name in ids]


def causes_of(record: Record) -> Iterator[str]:
    """The records that this one says it comes after, whatever the reason."""
    yield from record.after
    yield from record.after_inferred
    if isinstance(record, SideEffectRecord) and record.side_effect.caused_by is not None:
        yield record.side_effect.caused_by
    if isinstance(record, PolicyRecord) and record.on is not None:
        yield record.on
