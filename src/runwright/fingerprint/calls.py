"""The tool calls of a run: the union of what replies ask for, tool records and MCP records, each call once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal, TypeAlias

from runwright.errors import TraceError
from runwright.fingerprint.shape import arguments_of, shape
from runwright.trace import canonical
from runwright.trace.model import JSON, McpRecord, ModelRecord, Record, ToolCallBlock, ToolRecord

Lane: TypeAlias = Literal["tool", "mcp"]

CONSIDERED = 32
"""How many alike calls that nothing was seen of yet are weighed for one record."""

_ARGUMENTS = re.compile(r"\$(?:\.params)?\.arguments\b|\$\.params$")


@dataclass(frozen=True)
class Call:
    """A tool call. `at` is the line where it is first seen (that of the reply which asks for it), from 0.

    `shapes` are those of its arguments where they are known; more than one where the tool got other arguments than
    the reply asked for. `records` are the ids of the tool and MCP records that show it.
    """

    name: str
    shapes: tuple[str, ...]
    agent: str | None
    at: int
    asked_by: str | None
    call_id: str | None
    records: tuple[str, ...]


@dataclass(eq=False)
class _Open:
    """A call while its records are being found."""

    name: str
    arguments: JSON
    known: bool
    agent: str | None
    at: int
    asked_by: str | None = None
    call_id: str | None = None
    shapes: set[str] = field(default_factory=set)
    seen: dict[Lane, str] = field(default_factory=dict)

    def closed(self) -> Call:
        return Call(
            self.name,
            tuple(sorted(self.shapes)),
            self.agent,
            self.at,
            self.asked_by,
            self.call_id,
            tuple(self.seen.values()),
        )


@dataclass(frozen=True)
class _Shown:
    """What a tool or MCP record shows of a call."""

    record: ToolRecord | McpRecord
    lane: Lane
    names: tuple[str, ...]
    arguments: JSON
    known: bool
    at: int


def union(records: Sequence[Record], results: Mapping[str, tuple[str, ...]]) -> list[Call]:
    """Every call of the records once, in the order in which they are first seen; `results` is that of `new_results`.

    Records join a call by its call id, those without one by name, arguments and place. Of two records of one lane
    each is a call, whatever their ids.
    """
    lines = {record.id: at for at, record in enumerate(records)}
    exchanges = {record.id for record in records if isinstance(record, ModelRecord)}
    asked = list(_asked(records))
    for lane in ("tool", "mcp"):
        shown = [each for each in _shown(records) if each.lane == lane]
        asked = _joined(asked, shown, _Index(lane, results, lines), exchanges)
    return [each.closed() for each in asked]


def _asked(records: Sequence[Record]) -> Iterator[_Open]:
    for at, record in enumerate(records):
        if isinstance(record, ModelRecord) and record.response is not None:
            blocks = enumerate(record.response.content)
            for place, block in blocks:
                if isinstance(block, ToolCallBlock):
                    yield _requested(record, block, at, place)


def _requested(record: ModelRecord, block: ToolCallBlock, at: int, place: int) -> _Open:
    inside = f"$.response.content[{place}].arguments"
    known = not any(path.startswith(inside) or "[*].arguments" in path for path in record.unknown)
    arguments = arguments_of(block)
    call = _Open(block.name, arguments, known, record.agent, at, record.id, block.id or None)
    if known:
        call.shapes.add(shape(arguments))
    return call


def _shown(records: Sequence[Record]) -> Iterator[_Shown]:
    for at, record in enumerate(records):
        known = not any(_ARGUMENTS.match(path) for path in getattr(record, "unknown", ()))
        if isinstance(record, ToolRecord):
            yield _Shown(record, "tool", (record.name,), record.arguments, known, at)
        elif isinstance(record, McpRecord) and record.method == "tools/call" and record.direction == "client":
            params = record.params if isinstance(record.params, dict) else {}
            names = _spellings(str(params.get("name")), record.server)
            yield _Shown(record, "mcp", names, params.get("arguments"), known, at)


def _joined(calls: list[_Open], shown: Sequence[_Shown], index: _Index, exchanges: Collection[str]) -> list[_Open]:
    """The calls with the records of one lane: each joins the call it is of, or is a call of its own."""
    waiting = sorted(calls, key=lambda each: each.at)
    made: list[_Open] = []
    at = 0
    for each in shown:
        while at < len(waiting) and waiting[at].at < each.at:
            index.add(waiting[at])
            at += 1
        call = index.take(each)
        if call is None:
            call = _own(each, exchanges)
            made.append(call)
        _join(call, each)
    return sorted([*calls, *made], key=lambda each: each.at)


def _own(each: _Shown, exchanges: Collection[str]) -> _Open:
    """A call that no reply is known to ask for; where no time tells otherwise, that of the exchange it lies in did."""
    record = each.record
    asked_by = record.parent if record.t is None and record.parent in exchanges else None
    return _Open(each.names[0], each.arguments, each.known, record.agent, each.at, asked_by, record.call_id)


def _join(call: _Open, each: _Shown) -> None:
    call.seen[each.lane] = each.record.id
    if each.known and (call.asked_by is None or isinstance(each.arguments, dict) or not call.shapes):
        call.shapes.add(shape(each.arguments))


class _Index:
    """The calls that a lane has not shown yet, by id and by what they are; the latest is taken first."""

    def __init__(self, lane: Lane, results: Mapping[str, tuple[str, ...]], lines: Mapping[str, int]) -> None:
        self._lane = lane
        self._by_id: dict[str, list[_Open]] = defaultdict(list)
        self._alike: dict[str, list[_Open]] = defaultdict(list)
        self._results = results
        self._lines = lines

    def add(self, call: _Open) -> None:
        if call.call_id is not None:
            self._by_id[call.call_id].append(call)
        self._alike[call.name].append(call)

    def take(self, each: _Shown) -> _Open | None:
        """The call that the record is of; it is taken out."""
        given = each.record.call_id
        same_id = self._by_id[given] if given is not None else []
        pools = [same_id] if given is not None else [self._alike[name] for name in each.names]
        for pool in pools:
            fitting = (place for place in reversed(range(len(pool))) if self._fits(pool[place], each))
            found = _nearest(list(islice(fitting, CONSIDERED)), pool, each)
            if found is not None:
                return pool.pop(found)
        return None

    def _fits(self, call: _Open, each: _Shown) -> bool:
        if self._lane in call.seen or call.name not in each.names:
            return False
        if each.record.call_id is not None:
            return True
        agents = {call.agent, each.record.agent} - {None}
        return len(agents) < 2 and _same_arguments(call, each) and not self._over(call, each.record)

    def _over(self, call: _Open, record: Record) -> bool:
        """Whether the record comes after a request that holds the call's result: then it is another call."""
        edges = (*record.after, *record.after_inferred)
        return any(call.call_id in self._results.get(each, ()) and self._lines[each] > call.at for each in edges)


def _nearest(fitting: Sequence[int], pool: Sequence[_Open], each: _Shown) -> int | None:
    """The place of the call whose reply or record this one directly comes after or lies in, else of the latest."""
    near = {*each.record.after, *each.record.after_inferred, each.record.parent}
    for place in fitting:
        if pool[place].asked_by in near - {None} or not near.isdisjoint(pool[place].seen.values()):
            return place
    return fitting[0] if fitting else None


def _spellings(name: str, server: str) -> tuple[str, ...]:
    """A tool of an MCP server as models are told of it: by its own name, or with the server's before it."""
    plain = re.sub(r"[^A-Za-z0-9]", "_", server)
    joined = (f"{each}{mark}{name}" for each in (server, plain) for mark in ("__", "_", ".", "/", ":", "-"))
    return tuple(dict.fromkeys((name, f"mcp__{server}__{name}", f"mcp__{plain}__{name}", *joined)))


def _same_arguments(call: _Open, each: _Shown) -> bool:
    if not call.known or not each.known:
        return True
    if not call.arguments and not each.arguments:
        return True
    try:
        return canonical(call.arguments) == canonical(each.arguments)
    except TraceError:  # a lone surrogate or NaN, which only a trace in memory can hold
        return call.arguments == each.arguments
