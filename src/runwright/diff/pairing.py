"""Which record of one trace is which of the other."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from runwright.diff.align import Pairs, common
from runwright.diff.causes import Causes
from runwright.diff.coarse import Notes
from runwright.diff.compared import encoded, values_of
from runwright.diff.links import Pairing
from runwright.diff.order import Order
from runwright.diff.pair import ALIKE, Item, paired, shared, words
from runwright.diff.side import Prepared
from runwright.trace.model import (
    HttpRecord,
    McpRecord,
    MessageRecord,
    ModelRecord,
    PolicyRecord,
    Record,
    SideEffectRecord,
    ToolRecord,
    lane_of,
)


@dataclass(slots=True)
class Paired:
    """The pairing, and of it the pairs that stand elsewhere though the causal order says where they belong."""

    pairing: Pairing
    moved: set[tuple[int, int]] = field(default_factory=set)
    settled: Pairs = field(default_factory=list)
    """The pairs that rise on both sides."""


LOOKS = 100_000
"""Unequal records that changed places are looked at in so many pairs; in runs more unlike, the rest stays apart."""


def pair_records(causes: Causes, notes: Notes) -> Paired:
    """Equal records first, in order, then equal ones elsewhere, then unequal ones that belong together."""
    left, right = causes.sides
    frame = _frame(left, right, notes)
    equal = list(_between_pairs(frame, left.full, right.full, notes))
    same = list(_between_pairs(equal, left.new, right.new, notes))
    order = Order(causes, same, notes)
    done = Paired(Pairing(len(left.records), len(right.records)))
    for pair in same:
        done.pairing.add(*pair)
    parts, right_parts = _parts(frame, len(left.full), 0), _parts(frame, len(right.full), 1)
    near_by = zip(left.full, parts, strict=True), zip(right.full, right_parts, strict=True)
    for keys, others in (near_by, (left.full, right.full), (left.new, right.new)):
        for a, b in _elsewhere(keys, others, done.pairing):
            done.pairing.add(a, b)
            if not order.is_free(a, b):
                done.moved.add((a, b))
    near = list(_near(left, right, same, done.pairing, notes))
    for pair in near:
        done.pairing.add(*pair)
    done.settled = sorted([*same, *near])
    for a, b in _parallel(left, right, done.pairing, Order(causes, done.settled, notes), notes):
        done.pairing.add(a, b)
    return done


def _frame(left: Prepared, right: Prepared, notes: Notes) -> Pairs:
    """The exchanges that say the same: each holds its conversation, and what ran between two belongs between them."""
    mine, yours = list(left.exchanges), list(right.exchanges)
    found = common([left.full[line] for line in mine], [right.full[line] for line in yours], notes)
    return [(mine[a], yours[b]) for a, b in found]


def _between_pairs(
    pairs: Pairs, left: Sequence[bytes], right: Sequence[bytes], notes: Notes
) -> Iterator[tuple[int, int]]:
    """These pairs, and between each two of them the records with the same keys."""
    a = b = 0
    for next_a, next_b in [*pairs, (len(left), len(right))]:
        if a < next_a and b < next_b:
            yield from ((a + x, b + y) for x, y in common(left[a:next_a], right[b:next_b], notes))
        if next_a < len(left):
            yield next_a, next_b
        a, b = next_a + 1, next_b + 1


def _parts(frame: Pairs, size: int, side: int) -> list[int]:
    """For each line of a side, how many pairs of the frame begin before it."""
    parts: list[int] = []
    for number, pair in enumerate([*frame, (size, size)]):
        parts += [number] * (pair[side] - len(parts))
    return parts


def _elsewhere(keys: Iterable[Hashable], others: Iterable[Hashable], pairing: Pairing) -> Iterator[tuple[int, int]]:
    """Records without a partner that have their equal outside of the common order."""
    waiting: defaultdict[Hashable, deque[int]] = defaultdict(deque)
    for b, key in enumerate(others):
        if pairing.to_left[b] < 0:
            waiting[key].append(b)
    for a, key in enumerate(keys):
        if pairing.to_right[a] < 0 and waiting.get(key):
            yield a, waiting[key].popleft()


def _near(left: Prepared, right: Prepared, same: Pairs, pairing: Pairing, notes: Notes) -> Iterator[tuple[int, int]]:
    """Between two pairs that say the same: unequal records that belong together."""
    a = b = 0
    for next_a, next_b in [*same, (len(left.new), len(right.new))]:
        mine = [line for line in range(a, next_a) if pairing.to_right[line] < 0]
        yours = [line for line in range(b, next_b) if pairing.to_left[line] < 0]
        if mine and yours:
            yield from _between(left, right, mine, yours, notes)
        a, b = next_a + 1, next_b + 1


def _between(
    left: Prepared, right: Prepared, mine: list[int], yours: list[int], notes: Notes
) -> Iterator[tuple[int, int]]:
    """Exchanges that were asked the same last and said the same, then what is most alike."""
    ends, others = [_last(left, line) for line in mine], [_last(right, line) for line in yours]
    x = y = 0
    for next_x, next_y in [*common(ends, others, notes), (len(mine), len(yours))]:
        one, other = mine[x:next_x], yours[y:next_y]
        if one and other:
            found = paired([_item(left, line) for line in one], [_item(right, line) for line in other], notes)
            yield from ((one[a], other[b]) for a, b in found)
        if next_x < len(mine):
            yield mine[next_x], yours[next_y]
        x, y = next_x + 1, next_y + 1


def _last(side: Prepared, line: int) -> bytes:
    """The key of the last messages to an exchange and of its answer, wherever its conversation comes from."""
    exchange = side.exchanges.get(line)
    if exchange is None:
        return side.full[line]
    messages = exchange.record.request.messages
    said = [at for at, message in enumerate(messages) if message.role == "assistant"]
    start = said[-1] + 1 if said else 0
    return exchange.own + b"".join(sorted(exchange.keys[start:]))


def _parallel(
    left: Prepared, right: Prepared, pairing: Pairing, order: Order, notes: Notes
) -> Iterator[tuple[int, int]]:
    """Unequal records that belong together though they changed places, where nothing orders them."""
    mine = [line for line, partner in enumerate(pairing.to_right) if partner < 0]
    yours = [line for line, partner in enumerate(pairing.to_left) if partner < 0]
    waiting: defaultdict[object, list[int]] = defaultdict(list)
    for b in yours:
        waiting[_item(right, b)[:2]].append(b)
    known: dict[int, frozenset[bytes]] = {}
    looks = 0
    for a in mine:
        item = _item(left, a)
        near = waiting.get(item[:2], [])
        said = words(item) if near else frozenset()
        for b in near:
            looks += 1
            if looks > LOOKS:
                notes.add("pairing")
                return
            if b not in known:
                known[b] = words(_item(right, b))
            if shared(said, known[b]) >= ALIKE and order.is_free(a, b):
                near.remove(b)
                yield a, b
                break


def _item(side: Prepared, line: int) -> Item:
    record = side.records[line]
    return Item(lane_of(record), _name(record), lambda: _said(side, line))


def _name(record: Record) -> object:
    """What a record is about, apart from what it says."""
    match record:
        case ModelRecord():
            return record.agent
        case ToolRecord():
            return record.name
        case MessageRecord():
            return record.role
        case McpRecord():
            return record.server, record.method
        case HttpRecord():
            return record.request.method, record.request.url.split("?")[0]
        case SideEffectRecord():
            return record.side_effect.kind, record.side_effect.target
        case PolicyRecord():
            return record.policy
        case _:
            return record.kind if hasattr(record, "kind") else None


def _said(side: Prepared, line: int) -> bytes:
    """The bytes of what is new in a record."""
    exchange = side.exchanges.get(line)
    if exchange is None:
        record = side.records[line]
        return encoded(values_of(type(record))(record))  # without names of fields, which all of a lane share
    request = exchange.record.request
    new = [request.messages[at] for at in exchange.new if at != exchange.echo]
    return encoded((new, exchange.record.response, exchange.record.error, request.model))
