"""Repeats: once, twice, many times. Three or more of the same in a row are many, whether it is a step or several."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from operator import eq

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LONGEST = 16
"""The most steps that are looked for as one repeated group."""


class Folded:
    """Some steps as a text, and the positions of the steps that stand for all of them, first and last included."""

    __slots__ = ("kept", "text")

    def __init__(self, text: str, kept: tuple[int, ...]) -> None:
        self.text = text
        self.kept = kept


def times(count: int) -> str:
    """`x1`, `x2` or `xmany`."""
    return f"x{count}" if count < 3 else "xmany"


def folded(steps: Sequence[str]) -> list[Folded]:
    """The steps with every repeat written once: `a xmany` for a row of one step, `(a x1, b x1) x2` for one of several.

    Takes time linear in the number of steps, but for the depth of groups within groups.
    """
    items = _singles(steps)
    while True:
        before = len(items)
        for period in range(1, LONGEST + 1):
            items = _grouped(items, period)
        if len(items) == before:
            return items


def _singles(steps: Sequence[str]) -> list[Folded]:
    found: list[Folded] = []
    at = 0
    while at < len(steps):
        end = at + 1
        while end < len(steps) and steps[end] == steps[at]:
            end += 1
        row = range(at, end)
        found.append(Folded(f"{steps[at]} {times(len(row))}", tuple(row if len(row) < 3 else (at, at + 1, end - 1))))
        at = end
    return found


def _grouped(items: list[Folded], period: int) -> list[Folded]:
    """Rows of equal groups of this many items, each as one item."""
    texts = [item.text for item in items]
    again = bytes(map(eq, texts, islice(texts, period, None)))  # which items come again after one period
    group = b"\x01" * period
    found: list[Folded] = []
    at = 0
    while (start := again.find(group, at)) >= 0:
        found += items[at:start]
        count = 2
        while again.startswith(group, start + (count - 1) * period):
            count += 1
        text = f"({', '.join(texts[start : start + period])}) {times(count)}"
        found.append(Folded(text, _kept(items, start, period, count)))
        at = start + count * period
    return [*found, *items[at:]] if at else items


def _kept(items: Sequence[Folded], at: int, period: int, count: int) -> tuple[int, ...]:
    """The first two and the last of a row of groups."""
    turns = range(count) if count < 3 else (0, 1, count - 1)
    return tuple(
        place for turn in turns for item in items[at + turn * period : at + (turn + 1) * period] for place in item.kept
    )


def counted(names: Iterable[str] | Mapping[str, int]) -> tuple[str, ...]:
    """Each name with how often it is there, sorted."""
    return tuple(f"{name} {times(count)}" for name, count in sorted(Counter(names).items()))
