"""Which records stand elsewhere, and whether that matters: records without causal order between them are parallel."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cached_property

from runwright.diff.align import Pairs
from runwright.diff.causes import Causes, causes_of
from runwright.diff.coarse import Notes
from runwright.diff.side import Prepared


class Order:
    """The causal order of two traces, asked about pairs that changed places; made when it is first asked."""

    def __init__(self, causes: Causes, settled: Pairs, notes: Notes) -> None:
        self._causes = causes
        self._settled = settled
        self._notes = notes

    def is_free(self, a: int, b: int) -> bool:
        """Whether the record on line `a`, `b` on the right, is parallel to every pair that it changed places with.

        A record that no edge leads to or from is ordered by its line alone.
        """
        return all(self._parallel(pair, (a, b)) for pair in self._crossed(a, b))

    def _crossed(self, a: int, b: int) -> Iterator[tuple[int, int]]:
        start, end = sorted((bisect_left(self._settled, (a,)), bisect_left(self._rights, b)))
        yield from self._settled[start:end]

    def _parallel(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        for side, (placed, first, second) in enumerate(zip(self._placed, one, other, strict=True)):
            if first not in placed or second not in placed:
                return False
            if self._causes.comes_after(side, max(first, second), min(first, second)):
                return False
        return "causes" not in self._notes  # beyond the limit a record counts as ordered

    @cached_property
    def _rights(self) -> list[int]:
        return [right for _, right in self._settled]

    @cached_property
    def _placed(self) -> tuple[set[int], ...]:
        return tuple(_placed(side, ids) for side, ids in zip(self._causes.sides, self._causes.ids, strict=True))


def _placed(side: Prepared, ids: Mapping[str, int]) -> set[int]:
    """The lines that an edge leads to or from."""
    found: set[int] = set()
    for line, record in enumerate(side.records):
        causes = [ids[each] for each in causes_of(record) if each in ids]
        if causes:
            found.add(line)
            found.update(causes)
    return found
