"""The alignment: as many equal items as can be, in order, for sequences of any length."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from runwright.diff import align
from runwright.diff.align import Pairs, common

ITEMS = st.lists(st.integers(0, 3), max_size=12)


def longest(left: Sequence[int], right: Sequence[int]) -> int:
    """The textbook table."""
    row = [0] * (len(right) + 1)
    for one in left:
        before = row
        row = [0]
        for at, other in enumerate(right):
            row.append(before[at] + 1 if one == other else max(before[at + 1], row[at]))
    return row[-1]


def holds(pairs: Pairs, left: Sequence[int], right: Sequence[int]) -> bool:
    rising = all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))
    return rising and all(left[a] == right[b] for a, b in pairs)


@given(ITEMS, ITEMS)
def test_as_many_as_can_be(left: list[int], right: list[int]) -> None:
    pairs = common(left, right)
    assert holds(pairs, left, right)
    assert len(pairs) == longest(left, right)


@given(ITEMS, ITEMS)
def test_a_sequence_too_long_for_the_table_is_cut(left: list[int], right: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(align, "MAX_CELLS", 4)
        patch.setattr(align, "WINDOW", 4)
        assert holds(common(left, right), left, right)


def test_a_long_sequence_of_few_kinds_is_still_aligned() -> None:
    chance = random.Random(3)
    left = [chance.randrange(12) for _ in range(30_000)]
    right = [item for item in left if chance.random() > 0.02]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(align, "MAX_CELLS", 1_000_000)
        patch.setattr(align, "WINDOW", 1000)
        pairs = common(left, right)
    assert holds(pairs, left, right)
    assert len(pairs) > 0.98 * len(right)
