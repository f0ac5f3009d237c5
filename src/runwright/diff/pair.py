"""Which unequal items belong together: by what they are, and by the words they share."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from runwright.diff.align import Pairs, common
from runwright.diff.coarse import Notes

MAX_TABLE = 10_000
"""Pairs that are looked at one by one; a longer stretch of unequal items is paired by what they are alone."""

READ = 2048
"""Bytes at the start and at the end of an item whose words are compared."""

ALIKE = 0.5
"""The share of words in common from which two items of different names are the same one, renamed."""

_WORD = re.compile(rb"\w+")


class Item(NamedTuple):
    """Something to be paired: its kind, its name among its kind, and its bytes where they are asked for."""

    kind: Hashable
    name: Hashable
    data: Callable[[], bytes]


def paired(left: Sequence[Item], right: Sequence[Item], notes: Notes | None = None) -> Pairs:
    """Positions of items that belong together, rising on both sides, so that the sum of likenesses is the greatest.

    Long stretches are paired by what their items are alone, and it is noted.
    """
    if len(left) * len(right) > MAX_TABLE:
        if notes is not None:
            notes.add("pairing")
        return common([item[:2] for item in left], [item[:2] for item in right], notes)
    if len(left) == 1 and len(right) == 1:
        return [(0, 0)] if left[0][:2] == right[0][:2] or likeness(left[0], right[0]) else []
    scores = _scores(left, right)
    best = [[0.0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for a, row in enumerate(scores, start=1):
        for b, score in enumerate(row, start=1):
            best[a][b] = max(best[a - 1][b], best[a][b - 1], best[a - 1][b - 1] + score if score else 0.0)
    return _traced(best, scores)


def _traced(best: list[list[float]], scores: list[list[float]]) -> Pairs:
    pairs: Pairs = []
    a, b = len(best) - 1, len(best[0]) - 1
    while a and b:
        score = scores[a - 1][b - 1]
        if score and best[a][b] == best[a - 1][b - 1] + score:
            a, b = a - 1, b - 1
            pairs.append((a, b))
        elif best[a][b] == best[a - 1][b]:
            a -= 1
        else:
            b -= 1
    return pairs[::-1]


def _scores(left: Sequence[Item], right: Sequence[Item]) -> list[list[float]]:
    known = [words(item) for item in right]
    return [
        [_score(item, other, mine, yours) for other, yours in zip(right, known, strict=True)]
        for item, mine in ((item, words(item)) for item in left)
    ]


def likeness(left: Item, right: Item) -> float:
    """How alike two items are: 0 where they do not belong together, up to 2."""
    return _score(left, right, words(left), words(right))


def _score(left: Item, right: Item, mine: frozenset[bytes], yours: frozenset[bytes]) -> float:
    if left.kind != right.kind:
        return 0.0
    alike = shared(mine, yours)
    if left.name == right.name:
        return 1.0 + alike
    return alike if alike >= ALIKE else 0.0


def shared(mine: frozenset[bytes], yours: frozenset[bytes]) -> float:
    """The share of words in common."""
    return 2 * len(mine & yours) / (len(mine) + len(yours)) if mine or yours else 1.0


def words(item: Item) -> frozenset[bytes]:
    """The words of an item, of a long one those at both ends."""
    data = item.data()
    return frozenset(_WORD.findall(data if len(data) <= 2 * READ else data[:READ] + b" " + data[-READ:]))
