"""What differs in a pair of records: each difference is told where it came in, not where it is only carried on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import UNSET

from runwright.diff.compared import compared
from runwright.diff.fields import Listed, Steps, aligned, differences, restored
from runwright.diff.links import Links, Pairing
from runwright.diff.model import FieldDifference, Given
from runwright.diff.side import Exchange, Prepared, order_of
from runwright.diff.view import message_view, views
from runwright.trace.model import ModelRequest
from runwright.trace.paths import format_path

HEADS = (
    tuple(name for name in compared(ModelRequest) if name not in ("parameters", "messages", "tools")),
    ("parameters",),
    ("tools",),
)
"""The fields of a request that the keys of its head stand for."""


class Explainer:
    """Explains pairs in the order of their lines; remembers what it told."""

    def __init__(self, left: Prepared, right: Prepared, pairing: Pairing) -> None:
        self._left, self._right, self._pairing = left, right, pairing
        self._links = Links(left, right, pairing)
        self.unordered = self._links.unordered
        self._told: tuple[set[bytes], set[bytes]] = (set(), set())
        self._heads: set[tuple[int, bytes, bytes]] = set()

    def lonely(self, left: int | None, right: int | None) -> None:
        """A record that one side alone has: what it says and what it was told will be carried on."""
        for side, line, told in ((self._left, left, self._told[0]), (self._right, right, self._told[1])):
            exchange = side.exchanges.get(line) if line is not None else None
            if exchange is not None:
                told.update(exchange.keys[at] for at in exchange.new)
                told.add(exchange.said)

    def fields(self, a: int, b: int) -> list[FieldDifference]:
        """The fields that differ on these lines, and did not differ where the conversation comes from."""
        if self._left.full[a] == self._right.full[b]:
            return list(self._links.differences(a, b))
        one, other = self._left.exchanges.get(a), self._right.exchanges.get(b)
        if one is None or other is None:
            found = differences(*views(self._left.records[a], self._right.records[b]))
            return [*found, *self._links.differences(a, b)]
        if self._left.new[a] == self._right.new[b] and self._is_continued(one, other):
            return list(self._links.differences(a, b))
        return [*self._exchange(one, other), *self._links.differences(a, b)]

    def _is_continued(self, one: Exchange, other: Exchange) -> bool:
        """Whether both grow from one conversation, so that what they add is all that can be new."""
        a = _source(self._left, one, self._pairing.to_right)
        b = _source(self._right, other, self._pairing.to_left)
        return (a < 0 and b < 0) or (a >= 0 and self._pairing.to_right[a] == b)

    def _exchange(self, one: Exchange, other: Exchange) -> Iterator[FieldDifference]:
        view, right_view = views(one.record, other.record, "messages")
        request, right_request = view.get("request"), right_view.get("request")
        if isinstance(request, dict) and isinstance(right_request, dict):
            for at in self._carried_heads(one, other):
                for name in HEADS[at]:
                    request.pop(name, None)
                    right_request.pop(name, None)
        yield from differences(view, right_view)
        yield from self._messages(one, other)
        if one.said != other.said:
            self._told[0].add(one.said)
            self._told[1].add(other.said)

    def _carried_heads(self, one: Exchange, other: Exchange) -> Iterator[int]:
        before, right_before = self._left.exchanges.get(one.before), self._right.exchanges.get(other.before)
        for at, (mine, yours) in enumerate(zip(one.head, other.head, strict=True)):
            kept = before is not None and before.head[at] == mine
            right_kept = right_before is not None and right_before.head[at] == yours
            if kept and right_kept and (at, mine, yours) in self._heads:
                yield at
            elif mine != yours:
                self._heads.add((at, mine, yours))

    def _messages(self, one: Exchange, other: Exchange) -> Iterator[FieldDifference]:
        places, others = _middle(one, other)
        left, right = one.record.request.messages, other.record.request.messages
        views: Listed = Listed((message_view(left[at]) for at in places), places)
        right_views: Listed = Listed((message_view(right[at]) for at in others), others)
        for a, b in aligned(views, right_views):
            mine = None if a is None else places[a]
            yours = None if b is None else others[b]
            if self._is_carried(one, mine, self._told[0]) and self._is_carried(other, yours, self._told[1]):
                continue
            if mine is not None:
                self._told[0].add(one.keys[mine])
            if yours is not None:
                self._told[1].add(other.keys[yours])
            yield from _message(
                mine, views[a] if a is not None else UNSET, yours, right_views[b] if b is not None else UNSET
            )

    def _is_carried(self, exchange: Exchange, at: int | None, told: set[bytes]) -> bool:
        """Whether a message was there before, and told; one that is not there is no news."""
        if at is None:
            return True
        return (at not in exchange.new or at == exchange.echo) and exchange.keys[at] in told


def _message(a: int | None, view: Given, b: int | None, right_view: Given) -> Iterator[FieldDifference]:
    path: Steps = ("request", "messages")
    if a is not None and b is not None and isinstance(view, dict) and isinstance(right_view, dict):
        yield from differences(view, right_view, (*path, a), (*path, b))
    elif a is not None:
        yield FieldDifference(format_path((*path, a)), restored(view), UNSET)
    elif b is not None:
        yield FieldDifference(format_path((*path, b)), UNSET, restored(right_view))


def _middle(one: Exchange, other: Exchange) -> tuple[list[int], list[int]]:
    """The messages of both between what they begin with and what they end with alike."""
    places, others = order_of(one), order_of(other)
    keys, right_keys = [one.keys[at] for at in places], [other.keys[at] for at in others]
    least = min(len(keys), len(right_keys))
    start = next((at for at in range(least) if keys[at] != right_keys[at]), least)
    end = next((at for at in range(least - start) if keys[-1 - at] != right_keys[-1 - at]), least - start)
    return places[start : len(places) - end], others[start : len(others) - end]


def _source(side: Prepared, exchange: Exchange, partner: Sequence[int]) -> int:
    """The exchange before that both sides have, -1 for none."""
    line = exchange.before
    while line >= 0 and partner[line] < 0:
        line = side.exchanges[line].before
    return line
