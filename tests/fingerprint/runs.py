"""Runs written down as what an agent did, and rendered as traces in many ways that all mean the same run."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from runwright.trace import (
    JSON,
    Block,
    Header,
    McpRecord,
    Message,
    ModelError,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    Record,
    TextBlock,
    ToolCallBlock,
    ToolRecord,
    ToolResultBlock,
    Trace,
    with_edges,
)


@dataclass(frozen=True)
class Ask:
    """A call that a reply asks for; `inside` is the run of another agent that the tool starts."""

    name: str
    arguments: JSON = field(default_factory=dict)
    inside: tuple[Turn, ...] = ()
    server: str = ""
    outcome: Any = "ok"


@dataclass(frozen=True)
class Turn:
    """An exchange and the calls of its reply, in parallel; the next turn carries their results."""

    asks: tuple[Ask, ...] = ()
    says: str = ""
    model: str = "gpt-4o-mini"
    agent: str | None = None
    error: int | None = None


@dataclass(frozen=True)
class Rendering:
    """How a run is written down. None of it is behaviour."""

    call_id: Callable[[int], str] = "call_{}".format
    record_id: Callable[[str, int], str] = "{}{}".format
    start: float = 0.0
    pace: float = 1.0
    timed: bool = True
    tools: bool = True
    mcp: bool = True
    tool_ids: bool = True
    shuffle: int | None = None


@dataclass
class _Writer:
    how: Rendering
    records: list[Record] = field(default_factory=list)
    clock: float = 0.0
    calls: int = 0
    made: int = 0

    def name(self, letter: str) -> str:
        self.made += 1
        return self.how.record_id(letter, self.made)

    def time(self, step: float = 1.0) -> float:
        self.clock += step * self.how.pace
        return self.how.start + self.clock

    def put(self, record: Any, began: float, ended: float | None = None) -> None:
        if self.how.timed:
            duration = (self.how.start + self.clock if ended is None else ended) - began
            record = msgspec.structs.replace(record, t=began, duration=duration)
        self.records.append(record)

    def run(self, turns: Sequence[Turn], prompt: str, parent: str | None) -> None:
        messages = [Message(role="user", content=(TextBlock(text=prompt),))]
        for turn in turns:
            began = self.time()
            asks = [(ask, self.new_id()) for ask in turn.asks]
            blocks: list[Block] = [TextBlock(text=turn.says)] if turn.says else []
            blocks += [ToolCallBlock(id=call_id, name=ask.name, arguments=ask.arguments) for ask, call_id in asks]
            self.time(0.5)
            self.put(self.exchange(turn, messages, blocks, parent), began)
            messages = [*messages, Message(role="assistant", content=tuple(blocks))]
            began = self.time()
            for ask, call_id in asks:
                self.call(ask, call_id, turn, began, parent)
            results = tuple(ToolResultBlock(call_id=call_id, content=(TextBlock(text="done"),)) for _, call_id in asks)
            messages += [Message(role="tool", content=(each,)) for each in results]

    def new_id(self) -> str:
        self.calls += 1
        return self.how.call_id(self.calls)

    def exchange(self, turn: Turn, messages: list[Message], blocks: list[Block], parent: str | None) -> ModelRecord:
        failed = turn.error is not None
        return ModelRecord(
            id=self.name("m"),
            parent=parent,
            agent=turn.agent,
            request=ModelRequest(api="openai.chat_completions", model=turn.model, messages=tuple(messages)),
            response=None if failed else ModelResponse(content=tuple(blocks), stop_reason=None),
            error=ModelError(message="failed", status=turn.error) if failed else None,
            fidelity="raw",
        )

    def call(self, ask: Ask, call_id: str, turn: Turn, began: float, parent: str | None) -> None:
        shown = call_id if self.how.tool_ids else None
        place, around = len(self.records), parent
        if self.how.tools:
            around = self.name("t")
        if ask.inside:
            self.run(ask.inside, f"do {ask.name} {ask.arguments}", around)
        if self.how.mcp and ask.server:
            params: JSON = {"name": ask.name.split("__")[-1], "arguments": ask.arguments}
            mcp = McpRecord(
                id=self.name("c"), server=ask.server, method="tools/call", params=params, result={}, fidelity="raw",
                parent=around, call_id=shown, agent=turn.agent,
            )  # fmt: skip
            self.put(mcp, began)
        if self.how.tools:
            self.time(0.25)
            tool = ToolRecord(
                id=str(around), parent=parent, agent=turn.agent, name=ask.name, arguments=ask.arguments, result="done",
                outcome=ask.outcome, call_id=shown, fidelity="raw",
            )  # fmt: skip
            later, self.records = self.records[place:], self.records[:place]
            self.put(tool, began)
            self.records += later


def rendered(turns: Sequence[Turn], how: Rendering | None = None, **header: Any) -> Trace:
    """The run as a complete trace with its edges."""
    chosen = how or Rendering()
    writer = _Writer(chosen)
    writer.run(turns, "begin", None)
    records = with_edges(writer.records)
    if chosen.shuffle is not None:
        records = shuffled(records, random.Random(chosen.shuffle))
    return Trace(header=Header(**{"kind": "run", "trace_id": "t", **header}), records=records)


def shuffled(records: Sequence[Record], by: random.Random) -> tuple[Record, ...]:
    """The records in another order in which each still comes after those it names."""
    left = list(records)
    done: list[Record] = []
    placed: set[str] = set()
    while left:
        free = [each for each in left if placed.issuperset((*each.after, *each.after_inferred))]
        chosen = by.choice(free)
        left.remove(chosen)
        placed.add(chosen.id)
        done.append(chosen)
    return tuple(done)


def reordered(turns: Sequence[Turn], by: random.Random) -> tuple[Turn, ...]:
    """The run with the parallel calls of each turn in another order, within nested runs too."""
    return tuple(replace(turn, asks=tuple(by.sample(list(_within(turn, by)), len(turn.asks)))) for turn in turns)


def _within(turn: Turn, by: random.Random) -> Iterator[Ask]:
    for ask in turn.asks:
        yield replace(ask, inside=reordered(ask.inside, by))


def renamed(turns: Sequence[Turn], names: Callable[[str | None], str | None]) -> tuple[Turn, ...]:
    """The run with other names for its agents."""
    return tuple(
        replace(
            turn,
            agent=names(turn.agent),
            asks=tuple(replace(ask, inside=renamed(ask.inside, names)) for ask in turn.asks),
        )
        for turn in turns
    )


Place = tuple[int, ...]
"""Where a call is: the number of its turn and its own in there, and so on into the runs inside calls."""


def places(turns: Sequence[Turn], around: Place = ()) -> Iterator[Place]:
    """Every call of the run, those inside of others too."""
    for number, turn in enumerate(turns):
        for at, ask in enumerate(turn.asks):
            yield (*around, number, at)
            yield from places(ask.inside, (*around, number, at))


def edited(turns: Sequence[Turn], place: Place, edit: Callable[[Ask], tuple[Ask, ...]]) -> tuple[Turn, ...]:
    """The run with the call at the place replaced by any number of others."""
    number, at, *deeper = place

    def changed(ask: Ask) -> tuple[Ask, ...]:
        return (replace(ask, inside=edited(ask.inside, tuple(deeper), edit)),) if deeper else edit(ask)

    asks = turns[number].asks
    turn = replace(turns[number], asks=(*asks[:at], *changed(asks[at]), *asks[at + 1 :]))
    return (*turns[:number], turn, *turns[number + 1 :])
