"""Which items of two sequences are the same ones: a longest common subsequence, in time near the length of its inputs.

Bits of an integer stand for the items of one side, so that a step costs a few machine words (H. Hyyrö, "Bit-parallel
LCS-length computation revisited", 2004). Sequences too long for that are cut at what occurs once on both sides
(patience), and where nothing does they are compared a window at a time.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import TypeAlias

from runwright.diff.coarse import Notes

Pairs: TypeAlias = "list[tuple[int, int]]"

MAX_CELLS = 100_000_000
"""Cells of the table that is kept, at a bit each: 12 MB."""

WINDOW = 8192
"""Items of a side that are compared at a time where no item occurs just once."""


def common(left: Sequence[Hashable], right: Sequence[Hashable], notes: Notes | None = None) -> Pairs:
    """Positions of equal items, rising on both sides; as many as can be below MAX_CELLS.

    Beyond, through what occurs once on both sides; and where nothing does a window at a time, which is noted.
    """
    start, end = 0, 0
    least = min(len(left), len(right))
    while start < least and left[start] == right[start]:
        start += 1
    while end < least - start and left[-1 - end] == right[-1 - end]:
        end += 1
    mine, yours = left[start : len(left) - end], right[start : len(right) - end]
    pairs = [(at, at) for at in range(start)]
    pairs += [(start + a, start + b) for a, b in _middle(mine, yours, notes)]
    pairs += [(len(left) - end + at, len(right) - end + at) for at in range(end)]
    return pairs


def _middle(left: Sequence[Hashable], right: Sequence[Hashable], notes: Notes | None) -> Pairs:
    shared = set(left) & set(right)
    mine = [at for at, item in enumerate(left) if item in shared]
    yours = [at for at, item in enumerate(right) if item in shared]
    if not shared:
        return []
    items, others = [left[at] for at in mine], [right[at] for at in yours]
    short = len(items) * len(others) <= MAX_CELLS
    found = _longest(items, others) if short else _anchored(items, others, notes)
    return [(mine[a], yours[b]) for a, b in found]


def _longest(left: Sequence[Hashable], right: Sequence[Hashable]) -> Pairs:
    places: dict[Hashable, int] = {}
    for at, item in enumerate(right):
        places[item] = places.get(item, 0) | 1 << at
    full = (1 << len(right)) - 1
    rows = [full]
    row = full
    for item in left:
        hit = row & places.get(item, 0)
        row = ((row + hit) | (row - hit)) & full
        rows.append(row)
    return _walked(left, right, rows)


def _walked(left: Sequence[Hashable], right: Sequence[Hashable], rows: list[int]) -> Pairs:
    """Back through the table: a zero bit in a row says that its column is where a longer sequence begins."""
    pairs: Pairs = []
    a, b = len(left), len(right)
    while a and b:
        if left[a - 1] == right[b - 1]:
            a, b = a - 1, b - 1
            pairs.append((a, b))
        elif rows[a] >> (b - 1) & 1:
            b -= 1
        else:
            a -= 1
    return pairs[::-1]


def _anchored(left: Sequence[Hashable], right: Sequence[Hashable], notes: Notes | None) -> Iterator[tuple[int, int]]:
    anchors = _rising(_once(left, right))
    if not anchors:
        if notes is not None:
            notes.add("alignment")
        yield from _windowed(left, right)
        return
    a = b = 0
    for next_a, next_b in [*anchors, (len(left), len(right))]:
        for x, y in common(left[a:next_a], right[b:next_b], notes):
            yield a + x, b + y
        if next_a < len(left):
            yield next_a, next_b
        a, b = next_a + 1, next_b + 1


def _once(left: Sequence[Hashable], right: Sequence[Hashable]) -> Pairs:
    """Items that occur once on each side, in the order of the left."""
    mine, yours = Counter(left), Counter(right)
    where = {item: at for at, item in enumerate(right) if yours[item] == 1}
    return [(at, where[item]) for at, item in enumerate(left) if mine[item] == 1 and item in where]


def _windowed(left: Sequence[Hashable], right: Sequence[Hashable]) -> Iterator[tuple[int, int]]:
    """Nothing occurs just once: the longest of a window at a time, of which the first half is kept."""
    a = b = 0
    while a < len(left) and b < len(right):
        found = _longest(left[a : a + WINDOW], right[b : b + WINDOW])
        if a + WINDOW < len(left) or b + WINDOW < len(right):
            found = [(x, y) for x, y in found if max(x, y) < WINDOW // 2]
        yield from ((a + x, b + y) for x, y in found)
        step = found[-1] if found else (WINDOW // 2 - 1, WINDOW // 2 - 1)
        a, b = a + step[0] + 1, b + step[1] + 1


def _rising(pairs: Pairs) -> Pairs:
    """The longest part of the pairs that rises on the right too."""
    ends: list[int] = []
    at: list[int] = []
    before: list[int] = []
    for index, (_, b) in enumerate(pairs):
        length = bisect_left(ends, b)
        before.append(at[length - 1] if length else -1)
        ends[length : length + 1] = [b]
        at[length : length + 1] = [index]
    chain: Pairs = []
    index = at[-1] if at else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]
