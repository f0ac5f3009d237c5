"""The ids of a trace's records: all of them, in little memory where they are counted up as this tool does."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

RECENT = 8192
"""Ids that are kept as they are, since edges lead to recent lines nearly always."""


class Ids:
    """A set of ids. Those that come in order, such as m1, m2, m3 with any letter, take no memory; others their own."""

    def __init__(self) -> None:
        self._last: dict[str, int] = {}
        self._next: dict[str, str] = {}
        self._others: set[str] = set()
        self._recent: set[str] = set()

    def add(self, id: str) -> bool:
        """Put the id in; whether it was not in before."""
        letter, others = id[:1], self._others
        if id == self._next.get(letter):
            if id in others:
                return False
            last = self._last[letter] + 1
        elif id in self:
            return False
        elif id[1:] == "1":
            last = 1
        else:
            others.add(id)
            return True
        self._last[letter] = last
        self._next[letter] = letter + str(last + 1)
        if len(self._recent) >= RECENT:
            self._recent.clear()
        self._recent.add(id)
        return True

    def __contains__(self, id: str) -> bool:
        if id in self._recent or id in self._others:
            return True
        number = id[1:]
        if not number.isdecimal() or len(number) > 18:
            return False
        return 1 <= int(number) <= self._last.get(id[:1], 0) and number == str(int(number))

    def holds(self, ids: Collection[str]) -> bool:
        """Whether every one of the ids is in."""
        return self._recent.issuperset(ids) or all(id in self for id in ids)
