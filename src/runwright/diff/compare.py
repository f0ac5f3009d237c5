"""Two traces in, what differs out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from runwright.diff.causes import Causes
from runwright.diff.coarse import Notes
from runwright.diff.compared import encoded
from runwright.diff.content import tells
from runwright.diff.explain import Explainer
from runwright.diff.header import header_differences
from runwright.diff.model import Change, FieldDifference, TraceDiff, Unknown
from runwright.diff.pairing import Paired, pair_records
from runwright.diff.side import Prepared, prepare
from runwright.diff.unknown import Ledger, is_unobserved
from runwright.trace.model import Trace
from runwright.trace.uncollected import uncollected

Spot: TypeAlias = "tuple[int | None, int | None]"
"""The lines of a pair; None on the side that lacks the record."""


def diff(left: Trace, right: Trace) -> TraceDiff:
    """What differs between two traces.

    `diff(b, a)` is `diff(a, b)` with the sides exchanged: pairing always begins at the same one of both.
    """
    with uncollected():
        one, other = prepare(left), prepare(right)
        if (one.full, encoded(left.header)) <= (other.full, encoded(right.header)):
            return _Comparison(left, right, one, other).result()
        return _Comparison(right, left, other, one).result().mirrored()


class _Comparison:
    """Goes through the pairs of two traces in their order, since what was told once is not told again."""

    def __init__(self, left: Trace, right: Trace, one: Prepared, other: Prepared) -> None:
        self._left, self._right, self._one, self._other = left, right, one, other
        self._notes: Notes = set()
        causes = Causes(one, other, self._notes)
        self._paired = pair_records(causes, self._notes)
        self._ledger = Ledger()
        self._explainer = Explainer(causes, self._paired.pairing, self._notes)

    def result(self) -> TraceDiff:
        """What differs."""
        told = [(spot, self._change(*spot)) for spot in _spots(self._paired)]
        equal = [(a, b) for (a, b), change in told if change is None and a is not None and b is not None]
        same = sum(tells(self._left.records[a], self._right.records[b]) for a, b in equal)
        carrying = self._carrying(told)
        carried = self._handed_on(self._one, 0, carrying), self._handed_on(self._other, 1, carrying)
        header = list(header_differences(self._left.header, self._right.header))
        self._note_silence()
        return TraceDiff(
            changes=tuple(_with_carried(change, spot, carried) for spot, change in told if change is not None),
            header=tuple(each for each in header if isinstance(each, FieldDifference)),
            unknown=(*(each for each in header if isinstance(each, Unknown)), *self._ledger.entries()),
            same=same,
            not_compared=len(equal) - same,
            carried=sum(change is None and spot in carrying for spot, change in told),
            left=len(self._left.records),
            right=len(self._right.records),
            coarse=tuple(sorted(self._notes)),
        )

    def _carrying(self, told: list[tuple[Spot, Change | None]]) -> set[Spot]:
        """The pairs of exchanges that go on from a change, and still hold it."""
        changed: tuple[set[int | None], set[int | None]] = (set(), set())
        carrying: set[Spot] = set()
        for (a, b), change in told:
            holds = a is not None and b is not None and self._one.full[a] != self._other.full[b]
            if holds and (self._before(self._one, a) in changed[0] or self._before(self._other, b) in changed[1]):
                carrying.add((a, b))
            if change is not None or (a, b) in carrying:
                changed[0].add(a)
                changed[1].add(b)
        return carrying

    @staticmethod
    def _before(side: Prepared, line: int | None) -> int:
        exchange = side.exchanges.get(line) if line is not None else None
        return exchange.before if exchange is not None else -1

    def _change(self, a: int | None, b: int | None) -> Change | None:
        if a is not None and b is not None:
            return self._pair(a, b)
        self._explainer.lonely(a, b)
        left = self._left.records[a] if a is not None else None
        right = self._right.records[b] if b is not None else None
        if left is not None and is_unobserved(left, self._right):
            self._ledger.note(left, None, "$", "right")
            return None
        if right is not None and is_unobserved(right, self._left):
            self._ledger.note(None, right, "$", "left")
            return None
        return Change("deleted" if right is None else "inserted", left, right)

    def _pair(self, a: int, b: int) -> Change | None:
        left, right = self._left.records[a], self._right.records[b]
        fields = self._ledger.known(left, right, self._explainer.fields(a, b))
        if (a, b) in self._paired.moved:
            return Change("moved", left, right, fields)
        return Change("changed", left, right, fields) if fields else None

    @staticmethod
    def _handed_on(side: Prepared, at: int, carrying: set[Spot]) -> dict[int, int]:
        """For each exchange of a side, how many that go on from it hold a change."""
        lines = {spot[at] for spot in carrying}
        counts: dict[int, int] = {}
        for line, exchange in reversed(side.exchanges.items()):
            if exchange.before >= 0:
                counts[exchange.before] = counts.get(exchange.before, 0) + counts.get(line, 0) + (line in lines)
        return counts

    def _note_silence(self) -> None:
        left, right = self._explainer.unordered
        if left != right and self._left.records and self._right.records:
            self._ledger.note(None, None, "$.after", "left" if left else "right")


def _spots(paired: Paired) -> Iterator[Spot]:
    """Every pair and every record without one: as the right side has them, what the left alone has where it stood."""
    lonely = [line for line, partner in enumerate(paired.pairing.to_right) if partner < 0]
    after: dict[int, list[int]] = {}
    settled = iter(paired.settled)
    pair, last = next(settled, None), -1
    for line in lonely:
        while pair is not None and pair[0] < line:
            last, pair = pair[1], next(settled, None)
        after.setdefault(last, []).append(line)
    for line in range(-1, len(paired.pairing.to_left)):
        if line >= 0:
            partner = paired.pairing.to_left[line]
            yield (partner if partner >= 0 else None), line
        yield from ((each, None) for each in after.get(line, ()))


def _with_carried(change: Change, spot: Spot, counts: tuple[dict[int, int], dict[int, int]]) -> Change:
    """The change with the count of exchanges that carry it on, where it is of the kind that they carry."""
    handed_on = change.kind != "changed" or any(
        field.path.startswith(("$.request", "$.response.content")) for field in change.fields
    )
    if not handed_on or change.kind == "moved":
        return change
    found = [side[line] for side, line in zip(counts, spot, strict=True) if line is not None and line in side]
    return replace(change, carried=max(found)) if found else change
