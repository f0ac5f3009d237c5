"""Which records stand elsewhere, and whether that matters: records without causal order between them are parallel."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cached_property

from runwright.diff.align import Pairs
from runwright.diff.links import causes_of, comes_after
from runwright.diff.side import Prepared

QUESTIONS = 100_000
"""Pairs that are looked at in all; in runs so unlike each other that this is not enough, the rest counts as ordered."""


class Order:
    """The causal order of two traces, asked about pairs that changed places; made when it is first asked."""

    def __init__(self, left: Prepared, right: Prepared, settled: Pairs) -> None:
        self._sides = (left, right)
        self._settled = settled
        self._questions = 0

    def is_free(self, a: int, b: int) -> bool:
        """Whether the record on line `a`, `b` on the right, is parallel to every pair that it changed places with.

        A record that no edge leads to or from is ordered by its line alone.
        """
        return all(self._parallel(pair, (a, b)) for pair in self._crossed(a, b))

    def _crossed(self, a: int, b: int) -> Iterator[tuple[int, int]]:
        start, end = sorted((bisect_left(self._settled, (a,)), bisect_left(self._rights, b)))
        yield from self._settled[start:end]

    def _parallel(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        self._questions += 1
        if self._questions > QUESTIONS:
            return False
        for side, ids, placed, first, second in zip(self._sides, self._ids, self._placed, one, other, strict=True):
            if first not in placed or second not in placed:
                return False
            if comes_after(side, ids, max(first, second), min(first, second)):
                return False
        return True

    @cached_property
    def _rights(self) -> list[int]:
        return [right for _, right in self._settled]

    @cached_property
    def _ids(self) -> tuple[dict[str, int], ...]:
        return tuple({record.id: line for line, record in enumerate(side.records)} for side in self._sides)

    @cached_property
    def _placed(self) -> tuple[set[int], ...]:
        return tuple(_placed(side, ids) for side, ids in zip(self._sides, self._ids, strict=True))


def _placed(side: Prepared, ids: Mapping[str, int]) -> set[int]:
    """The lines that an edge leads to or from."""
    found: set[int] = set()
    for line, record in enumerate(side.records):
        causes = [ids[each] for each in causes_of(record) if each in ids]
        if causes:
            found.add(line)
            found.update(causes)
    return found
