"""What an agent might do otherwise: the mutants of one side of a replay. Pure, and the same every time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from runwright.perturb.conduct import (
    call_mutants,
    effect_mutants,
    one_more,
    order_mutants,
    outcome_mutants,
    reply_mutants,
)
from runwright.perturb.messages import history_mutants, message_mutants
from runwright.perturb.mutant import KINDS, Affect, Drop, End, Follow, Kind, Mutant, Request, Run, Say, mutate
from runwright.perturb.requests import request_mutants, tool_mutants
from runwright.perturb.side import Ended, Ran, Sent, Side
from runwright.trace import with_edges
from runwright.trace.model import Message, Trace

__all__ = [
    "KINDS",
    "Affect",
    "Drop",
    "End",
    "Ended",
    "Follow",
    "Kind",
    "Mutant",
    "Ran",
    "Request",
    "Run",
    "Say",
    "Sent",
    "Side",
    "answered",
    "mutants",
    "mutate",
]


def mutants(side: Side, cassette: Trace, calls: Sequence[Ran] = ()) -> Iterator[Mutant]:
    """Every mutant of a side that was recorded in the cassette; `calls` are the calls that it might make besides.

    What changes nothing is no mutant: cache marks, the order of parallel calls and of tools, transport settings.
    """
    yield from order_mutants(side, answered(cassette))
    yield from one_more(side, {record.id: record for record in cassette.models})
    seen = _Seen()
    for at, sent in enumerate(side.sent):
        if sent.of is not None:
            yield from _of_request(sent, at, seen)
    yield from reply_mutants(side)
    yield from call_mutants(side, calls)
    yield from effect_mutants(side)
    yield from outcome_mutants()


def answered(cassette: Trace) -> dict[str, tuple[str, ...]]:
    """For each exchange those whose answers its request holds, by what the records say and by what they contain."""
    models = {record.id for record in cassette.models}
    found: dict[str, tuple[str, ...]] = {}
    for record, again in zip(cassette.records, with_edges(cassette.records), strict=True):
        named: dict[str, None] = {}
        for name in (*record.after, *again.after):
            named |= {name: None} if name in models else dict.fromkeys(found.get(name, ()))
        found[record.id] = tuple(named)
    return {name: found[name] for name in found if name in models}


def _of_request(sent: Sent, at: int, seen: _Seen) -> Iterator[Mutant]:
    new = [index for index, each in enumerate(sent.request.messages) if seen.new(index, each)]
    repeated = [index for index in range(len(sent.request.messages)) if index not in set(new)]
    yield from request_mutants(sent)
    fresh = seen.new(None, sent.request.tools)
    yield from tool_mutants(sent, None if fresh else [at % max(len(sent.request.tools), 1)])
    yield from message_mutants(sent, new)
    yield from history_mutants(sent, repeated)


class _Seen:
    """What earlier requests held: a growing conversation repeats all but its end."""

    def __init__(self) -> None:
        self._keys: set[tuple[int | None, bytes]] = set()
        self._read: dict[int, tuple[object, bytes]] = {}

    def new(self, index: int | None, value: Message | Sequence[object]) -> bool:
        """Whether no earlier request held this at this index."""
        known = self._read.get(id(value))
        if known is None or known[0] is not value:
            known = self._read[id(value)] = (value, msgspec.msgpack.encode(value))
        key = (index, known[1])
        fresh = key not in self._keys
        self._keys.add(key)
        return fresh
