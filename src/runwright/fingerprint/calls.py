"""The tool calls of a run: the union of what replies ask for, tool records and MCP records, each call once."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import islice

from runwright.fingerprint.note import Exchange, Shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from runwright.fingerprint.note import Lane, Note
    from runwright.trace.model import JSON

CONSIDERED = 32
"""How many alike calls that nothing was seen of yet are weighed for one record."""


class Call:
    """A tool call. `at` is the line where it is first seen (that of the reply which asks for it), from 0.

    `shapes` are those of its arguments where they are known; more than one where the tool got other arguments than
    the reply asked for. `records` are the ids of the tool and MCP records that show it.
    """

    __slots__ = ("_arguments", "_known", "agent", "asked_by", "at", "call_id", "name", "records", "seen", "shapes")

    def __init__(
        self, name: str, arguments: JSON | bytes, known: bool, agent: str | None, at: int, asked_by: str | None,
        call_id: str | None,
    ) -> None:  # fmt: skip
        self.name = name
        self.agent = agent
        self.at = at
        self.asked_by = asked_by
        self.call_id = call_id
        self.shapes: tuple[str, ...] = ()
        self.records: tuple[str, ...] = ()
        self.seen: tuple[Lane, ...] = ()
        self._arguments = arguments
        self._known = known

    def agrees(self, shown: Shown) -> bool:
        """Whether the record got the arguments that were asked for, as far as both are known."""
        if not self._known or shown.shape is None:
            return True
        return same_arguments(self._arguments, shown.arguments)

    def shaped(self, shape: str) -> None:
        """Its arguments were seen in this shape."""
        if shape not in self.shapes:
            self.shapes = tuple(sorted((*self.shapes, shape)))


def union(notes: Sequence[Note]) -> list[Call]:
    """Every call of the notes once, in the order in which they are first seen.

    Records join a call by its call id, those without one by name, arguments and place. Of two records of one lane
    each is a call, whatever their ids.
    """
    asked = list(_asked(notes))
    exchanges = {note.id: note for note in notes if type(note) is Exchange}
    lines = {id: at for at, id in enumerate(note.id for note in notes)} if exchanges else {}
    for lane in ("tool", "mcp"):
        shown = [(at, note) for at, note in enumerate(notes) if type(note) is Shown and note.lane == lane]
        asked = _joined(asked, shown, _Index(lane, exchanges, lines), exchanges) if shown else asked
    return asked


def _asked(notes: Sequence[Note]) -> Iterator[Call]:
    for at, note in enumerate(notes):
        if type(note) is Exchange:
            for each in note.asks:
                known = each.shape is not None
                call = Call(each.name, each.arguments, known, note.agent, at, note.id, each.call_id)
                if each.shape is not None:
                    call.shapes = (each.shape,)
                yield call


def _joined(
    calls: list[Call], shown: Sequence[tuple[int, Shown]], index: _Index, exchanges: Collection[str]
) -> list[Call]:
    """The calls with the records of one lane: each joins the call it is of, or is a call of its own."""
    made: list[Call] = []
    at = 0
    for line, each in shown:
        while at < len(calls) and calls[at].at < line:
            index.add(calls[at])
            at += 1
        call = index.take(each)
        if call is None:
            call = _own(line, each, exchanges)
            made.append(call)
        _join(call, each)
    return sorted([*calls, *made], key=lambda each: each.at) if made else calls


def _own(line: int, each: Shown, exchanges: Collection[str]) -> Call:
    """A call that no reply is known to ask for; where no time tells otherwise, that of the exchange it lies in did."""
    asked_by = each.parent if each.t is None and each.parent in exchanges else None
    return Call(each.names[0], each.arguments, each.shape is not None, each.agent, line, asked_by, each.call_id)


def _join(call: Call, each: Shown) -> None:
    call.seen += (each.lane,)
    call.records += (each.id,)
    if each.shape is not None and (call.asked_by is None or each.given or not call.shapes):
        call.shaped(each.shape)


class _Index:
    """The calls that a lane has not shown yet, by id and by what they are; the latest is taken first."""

    def __init__(self, lane: Lane, exchanges: Mapping[str, Exchange], lines: Mapping[str, int]) -> None:
        self._lane = lane
        self._by_id: dict[str, list[Call]] = defaultdict(list)
        self._alike: dict[str, list[Call]] = defaultdict(list)
        self._exchanges = exchanges
        self._lines = lines

    def add(self, call: Call) -> None:
        if call.call_id is not None:
            self._by_id[call.call_id].append(call)
        self._alike[call.name].append(call)

    def take(self, each: Shown) -> Call | None:
        """The call that the record is of; it is taken out."""
        given = each.call_id
        for pool in [self._alike[name] for name in each.names] if given is None else [self._by_id[given]]:
            fitting = (place for place in reversed(range(len(pool))) if self._fits(pool[place], each))
            found = _nearest(list(islice(fitting, CONSIDERED)), pool, each)
            if found is not None:
                return pool.pop(found)
        return None

    def _fits(self, call: Call, each: Shown) -> bool:
        if self._lane in call.seen or call.name not in each.names:
            return False
        if each.call_id is not None:
            return True
        agents = {call.agent, each.agent} - {None}
        return len(agents) < 2 and call.agrees(each) and not self._over(call, each)

    def _over(self, call: Call, each: Shown) -> bool:
        """Whether the record comes after a request that holds the call's result: then it is another call."""
        return any(
            edge in self._exchanges and call.call_id in self._exchanges[edge].results and self._lines[edge] > call.at
            for edge in (*each.after, *each.after_inferred)
        )


def _nearest(fitting: Sequence[int], pool: Sequence[Call], each: Shown) -> int | None:
    """The place of the call whose reply or record this one directly comes after or lies in, else of the latest."""
    if len(fitting) < 2:
        return fitting[0] if fitting else None
    near = {*each.after, *each.after_inferred, each.parent}
    for place in fitting:
        if pool[place].asked_by in near - {None} or not near.isdisjoint(pool[place].records):
            return place
    return fitting[0]


def same_arguments(one: JSON | bytes, other: JSON | bytes) -> bool:
    """Whether two calls got the same; of those that are not held any more their digests are compared."""
    if not one and not other:
        return True
    if isinstance(one, bytes) or isinstance(other, bytes):
        return digested(one) == digested(other)
    return _written_alike(one, other) or _key(one) == _key(other)


def digested(arguments: JSON | bytes) -> bytes:
    """What takes the place of arguments that take much memory; the same for the same ones."""
    from blake3 import blake3

    from runwright.trace import canonical

    return arguments if isinstance(arguments, bytes) else blake3(canonical(arguments)).digest()


def _written_alike(one: JSON, other: JSON) -> bool:
    """Whether two values are the same whatever the canonical form makes of them, which takes longer to load."""
    try:
        return json.dumps(one, sort_keys=True, allow_nan=False) == json.dumps(other, sort_keys=True, allow_nan=False)
    except (ValueError, RecursionError):
        return False


def _key(arguments: JSON) -> JSON | bytes:
    from runwright.errors import TraceError
    from runwright.trace import canonical

    try:
        return canonical(arguments)
    except TraceError:  # a lone surrogate or NaN, which only a trace in memory can hold
        return arguments
