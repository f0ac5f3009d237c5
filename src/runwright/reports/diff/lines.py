"""What differs in two texts, line by line: for files that no reader knows, so that no change is hidden."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from runwright.diff.align import Pairs, common

CONTEXT = 3
"""Equal lines shown before and after one that differs."""


def unified(left: Sequence[str], right: Sequence[str]) -> Iterator[str]:
    """The hunks of a unified diff, a line at a time, without the names of the files; nothing where they are equal."""
    for hunk in _hunks(common(left, right), len(left), len(right)):
        yield from _shown(left, right, hunk)


def counted(left: Sequence[str], right: Sequence[str]) -> tuple[int, int]:
    """How many lines the left side alone has, and how many the right one."""
    same = len(common(left, right))
    return len(left) - same, len(right) - same


def _hunks(pairs: Pairs, left: int, right: int) -> Iterator[list[tuple[int, int, int, int]]]:
    """The stretches that differ, those that stand near each other together."""
    hunk: list[tuple[int, int, int, int]] = []
    for (a, b), (next_a, next_b) in pairwise([(-1, -1), *pairs, (left, right)]):
        if next_a == a + 1 and next_b == b + 1:
            continue
        if hunk and a + 1 - hunk[-1][1] > 2 * CONTEXT:
            yield hunk
            hunk = []
        hunk.append((a + 1, next_a, b + 1, next_b))
    if hunk:
        yield hunk


def _shown(left: Sequence[str], right: Sequence[str], hunk: list[tuple[int, int, int, int]]) -> Iterator[str]:
    before = min(CONTEXT, hunk[0][0])
    after = min(CONTEXT, len(left) - hunk[-1][1])
    start, end = hunk[0][0] - before, hunk[-1][1] + after
    yield f"@@ -{_range(start, end)} +{_range(hunk[0][2] - before, hunk[-1][3] + after)} @@"
    for a, next_a, b, next_b in hunk:
        yield from (f" {line}" for line in left[start:a])
        yield from (f"-{line}" for line in left[a:next_a])
        yield from (f"+{line}" for line in right[b:next_b])
        start = next_a
    yield from (f" {line}" for line in left[start:end])


def _range(start: int, end: int) -> str:
    """`4,2` as such diffs count: from 1, and from 0 where there is no line."""
    return f"{start + 1 if end > start else start},{end - start}"
