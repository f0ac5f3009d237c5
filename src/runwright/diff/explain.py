"""What differs in a pair of records: each difference is told where it came in, not where it is only carried on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import UNSET

from runwright.diff.causes import Causes
from runwright.diff.coarse import Notes
from runwright.diff.compared import compared, encoded
from runwright.diff.fields import Listed, Steps, aligned, differences, restored
from runwright.diff.links import Links, Pairing
from runwright.diff.model import FieldDifference, Given
from runwright.diff.side import Exchange, Prepared, order_of
from runwright.diff.view import View, message_view, views
from runwright.trace.model import Message, ModelRequest
from runwright.trace.paths import format_path

EXPLAINED = 500
"""Pairs that DeepDiff explains, at a millisecond each; what differs in more of them our own walk tells: the same."""

HEADS = (
    tuple(name for name in compared(ModelRequest) if name not in ("parameters", "messages", "tools")),
    ("parameters",),
    ("tools",),
)
"""The fields of a request that the keys of its head stand for."""


class Explainer:
    """Explains pairs in the order of their lines; remembers what it told."""

    def __init__(self, causes: Causes, pairing: Pairing, notes: Notes) -> None:
        self._left, self._right = causes.sides
        self._pairing, self._notes = pairing, notes
        self._links = Links(causes, pairing)
        self.unordered = self._links.unordered
        self._told: tuple[set[bytes], set[bytes]] = (set(), set())
        self._explained = 0
        self._views: dict[int, tuple[View, bytes]] = {}
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
            found = self._differences(*views(self._left.records[a], self._right.records[b]))
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
        yield from self._differences(view, right_view)
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
        places, others = self._places(one, other)
        left, right = one.record.request.messages, other.record.request.messages
        known, right_known = [self._view(left[at]) for at in places], [self._view(right[at]) for at in others]
        views: Listed = Listed((view for view, _ in known), places)
        right_views: Listed = Listed((view for view, _ in right_known), others)
        keys, right_keys = [key for _, key in known], [key for _, key in right_known]
        for a, b in aligned(views, right_views, self._notes, keys=keys, others=right_keys):
            mine = None if a is None else places[a]
            yours = None if b is None else others[b]
            if self._is_carried(one, mine, self._told[0]) and self._is_carried(other, yours, self._told[1]):
                continue
            if mine is not None:
                self._told[0].add(one.keys[mine])
            if yours is not None:
                self._told[1].add(other.keys[yours])
            view = views[a] if a is not None else UNSET
            yield from self._message(mine, view, yours, right_views[b] if b is not None else UNSET)

    def _message(self, a: int | None, view: Given, b: int | None, right_view: Given) -> Iterator[FieldDifference]:
        path: Steps = ("request", "messages")
        if a is not None and b is not None and isinstance(view, dict) and isinstance(right_view, dict):
            yield from self._differences(view, right_view, (*path, a), (*path, b))
        elif a is not None:
            yield FieldDifference(format_path((*path, a)), restored(view), UNSET)
        elif b is not None:
            yield FieldDifference(format_path((*path, b)), UNSET, restored(right_view))

    def _view(self, message: Message) -> tuple[View, bytes]:
        """A message as it is shown, and encoded; exchanges share theirs, which the traces hold."""
        known = self._views.get(id(message))
        if known is None:
            view = message_view(message)
            known = self._views[id(message)] = view, encoded(view)
        return known

    def _places(self, one: Exchange, other: Exchange) -> tuple[list[int], list[int]]:
        """The messages in which two exchanges may differ otherwise than those before them.

        Where they go on from one exchange, what that held was told there, unless one side adds what the other had.
        """
        places, others = _middle(one, other)
        a, b = _source(self._left, one, self._pairing.to_right), _source(self._right, other, self._pairing.to_left)
        if a < 0 or self._pairing.to_right[a] != b:
            return places, others
        mine, old = _split(places, one, _since(self._left, one, a))
        yours, right_old = _split(others, other, _since(self._right, other, b))
        if any(one.keys[at] in right_old for at in mine) or any(other.keys[at] in old for at in yours):
            return places, others
        return mine, yours

    def _differences(self, left: View, right: View, *places: Steps) -> list[FieldDifference]:
        found = differences(left, right, *places, notes=self._notes, deep=self._explained < EXPLAINED)
        self._explained += len(found) > 1
        return found

    def _is_carried(self, exchange: Exchange, at: int | None, told: set[bytes]) -> bool:
        """Whether a message was there before, and told; one that is not there is no news."""
        if at is None:
            return True
        return (at not in exchange.new or at == exchange.echo) and exchange.keys[at] in told


def _since(side: Prepared, exchange: Exchange, source: int) -> set[int]:
    """The messages of an exchange that came in after an earlier one of its conversation."""
    new = set(exchange.new)
    while exchange.before > source:
        exchange = side.exchanges[exchange.before]
        new.update(exchange.new)
    return new


def _split(places: list[int], exchange: Exchange, new: set[int]) -> tuple[list[int], set[bytes]]:
    """Of these messages the new ones, and the keys of the others."""
    return [at for at in places if at in new], {exchange.keys[at] for at in places if at not in new}


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
