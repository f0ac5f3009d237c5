"""The recorded exchange that a missed request most likely meant."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from heapq import nsmallest
from operator import is_
from typing import NamedTuple

from runwright.match.difference import Difference, weight
from runwright.match.exchange import Exchange
from runwright.match.part import Part, Prepared

FULL = 24
"""How many exchanges are compared field by field; all others only by the digests of their parts."""


class Nearest(NamedTuple):
    """An exchange and every field in which a request differs from it."""

    exchange: Exchange
    differences: tuple[Difference, ...]


def nearest(
    request: Prepared,
    exchanges: Sequence[Exchange],
    served: Container[str],
    differences: Callable[[Exchange], tuple[Difference, ...]],
) -> Nearest | None:
    """Unserved before served, ready before waiting; then the fewest and lightest differences, first recorded."""

    def rank(exchange: Exchange) -> int:
        if exchange.record.id in served:
            return 2
        return 0 if all(each in served for each in exchange.before) else 1

    candidates = [(rank(each), each) for each in exchanges if each.request.api == request.api]
    first = min((place for place, _ in candidates), default=0)  # what ranks behind it is not even looked at
    likely = nsmallest(
        FULL, (each for place, each in candidates if place == first), key=lambda each: -_alike(each.request, request)
    )
    found = [Nearest(each, differences(each)) for each in likely]
    return min(found, key=lambda each: (len(each.differences), sum(map(weight, each.differences))), default=None)


def _alike(recorded: Prepared, live: Prepared) -> float:
    """How many parts are the same, the messages by their place; cheap enough for every exchange of a cassette."""
    same = sum(map(_same, recorded.messages, live.messages))
    apart = abs(len(recorded.messages) - len(live.messages))
    return same - apart + _rest(recorded, live)


def _same(one: Part, other: Part) -> bool:
    return is_(one, other) or one.blank == other.blank


def _rest(recorded: Prepared, live: Prepared) -> float:
    return (recorded.model == live.model) + (recorded.parameters.keys() == live.parameters.keys()) / 2
