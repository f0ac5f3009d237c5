"""What happened because of what: data edges from contents, inferred edges from times.

B is after A by *data* when B holds A's answer: an assistant message that A replied, the result of a call that A asked
for, the call itself. Else B is after A by *inference* when both belong to one agent and their times do not overlap.
Edges that follow from other edges are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from runwright.trace.growth import Growth
from runwright.trace.model import (
    BlobRecord,
    Block,
    FaultRecord,
    McpRecord,
    Message,
    ModelRecord,
    Record,
    ToolCallBlock,
    ToolRecord,
    ToolResultBlock,
)

ENCODER = msgspec.json.Encoder(order="deterministic")
CALLS = (ToolRecord, McpRecord)
UNTIMED = (BlobRecord, FaultRecord)
"""Records that no time puts after another."""


def with_edges(records: Sequence[Record]) -> tuple[Record, ...]:
    """The records, in their order, with `after` and `after_inferred` filled in; edges name earlier records only."""
    data = _DataEdges()
    times = _TimeEdges()
    before: dict[str, tuple[str, ...]] = {}
    positions = {record.id: at for at, record in enumerate(records)}
    done: list[Record] = []
    for record in records:
        known = before[record.id] = data.of(record, before, positions)
        timed = record.t is not None and not isinstance(record, UNTIMED)
        guessed = times.of(record, known, before, positions, data.asked_by) if timed else ()
        if guessed:
            before[record.id] = (*known, *guessed)
        data.add(record)
        same = known == record.after and guessed == record.after_inferred
        done.append(record if same else replace(record, after=known, after_inferred=guessed))
    return tuple(done)


def _reduced(wanted: Iterable[str], before: dict[str, tuple[str, ...]], positions: dict[str, int]) -> tuple[str, ...]:
    """The wanted predecessors that no other one already comes after, in line order."""
    every = set(wanted)
    if len(every) > 1:
        every.difference_update(*[before[each] for each in every])
    if len(every) < 2:
        return tuple(every)
    ordered = sorted(every, key=positions.__getitem__, reverse=True)
    oldest = positions[ordered[-1]]
    undecided = set(ordered)
    covered: set[str] = set()
    kept: list[str] = []
    for each in ordered:
        if each in covered:
            continue
        kept.append(each)
        undecided.discard(each)
        waiting = [each]
        while waiting and undecided:
            for earlier in before[waiting.pop()]:
                if earlier not in covered and positions[earlier] >= oldest:
                    covered.add(earlier)
                    undecided.discard(earlier)
                    waiting.append(earlier)
    return tuple(reversed(kept))


class _Told:
    """What a conversation has repeated of earlier answers so far, and the exchanges and calls that it came after."""

    def __init__(self, heard: int) -> None:
        self.said: dict[bytes, int] = {}
        self.taken: dict[bytes, tuple[list[str], int]] = {}
        self.results: set[str] = set()
        self.after: tuple[str, ...] = ()
        self.heard = heard


class _DataEdges:
    """The answers seen so far, by their content and by the calls they asked for."""

    def __init__(self) -> None:
        self.replies: dict[bytes, dict[str | None, list[str]]] = defaultdict(lambda: defaultdict(list))
        self.asked_by: dict[str, str] = {}
        self.ran: dict[str, str] = {}
        answered: list[bytes | str] = []
        self._answered = answered
        self._again: dict[str, int] = {}
        self._told: dict[str | None, Growth[_Told]] = defaultdict(
            lambda: Growth(lambda: _Told(len(answered)))  # holds no more than the list: a circle would stay in memory
        )
        self._read: dict[int, tuple[Message, bytes | None, tuple[str, ...]]] = {}
        self._keys: dict[int, tuple[tuple[Block, ...], bytes]] = {}

    def of(self, record: Record, before: dict[str, tuple[str, ...]], positions: dict[str, int]) -> tuple[str, ...]:
        """The records that this one came after, without those that follow from others."""
        if isinstance(record, ModelRecord):
            return self._of_model(record, before, positions)
        if isinstance(record, CALLS) and record.call_id in self.asked_by:
            return (self.asked_by[record.call_id],)
        return ()

    def _of_model(
        self, record: ModelRecord, before: dict[str, tuple[str, ...]], positions: dict[str, int]
    ) -> tuple[str, ...]:
        """Those that the request before it came after, and those of what is new: in the request, or answered since."""
        told, new = self._told[record.parent].of(record.request.messages)
        answered = self._answered[told.heard :]
        since = dict.fromkeys([each for each in answered if each in told.said or each in told.results])
        holds = self._holds(told, since, record.parent) if since else True
        for message in new:
            key, results = self._of_message(message)
            if key is not None:
                told.said[key] = told.said.get(key, 0) + 1
                since[key] = None
            for call in results:
                told.results.add(call)
                since[call] = None
        if holds:
            wanted = {*told.after, *self._holders(told, since, record.parent)}
        else:
            told.taken.clear()
            wanted = self._holders(told, (*told.said, *told.results), record.parent)
        told.heard = len(self._answered)
        told.after = _reduced(wanted, before, positions)
        return told.after

    def _holds(self, told: _Told, since: Iterable[bytes | str], parent: str | None) -> bool:
        """Whether what was taken so far still stands: no call was made again, and equal replies only became more."""
        for each in since:
            if isinstance(each, str):
                if self._again.get(each, 0) > told.heard:
                    return False
            elif each in told.taken and told.taken[each][0] is not self._alike(each, parent):
                return False
        return True

    def _holders(self, told: _Told, answers: Iterable[bytes | str], parent: str | None) -> set[str]:
        """Who gave these answers: of replies alike one for each time that it was repeated, the earliest first."""
        found: set[str] = set()
        for each in answers:
            if isinstance(each, str):
                if each in self.asked_by:
                    found.add(self.asked_by[each])
                if each in self.ran:
                    found.add(self.ran[each])
                continue
            alike, count = self._alike(each, parent), told.said[each]
            _, taken = told.taken.get(each, ((), 0))
            found.update(alike[taken:count])
            if alike:
                told.taken[each] = (alike, min(count, len(alike)))
        return found

    def _alike(self, key: bytes, parent: str | None) -> list[str]:
        """The exchanges that replied this; those that ran inside the same record, where any did."""
        replies = self.replies.get(key)
        if replies is None:
            return []
        if parent in replies:
            return replies[parent]
        if len(replies) == 1:
            return next(iter(replies.values()))
        return [each for ids in replies.values() for each in ids]

    def _of_message(self, message: Message) -> tuple[bytes | None, tuple[str, ...]]:
        """What an assistant message says, and the calls that a message holds results of; each message is read once."""
        known = self._read.get(id(message))
        if known is None or known[0] is not message:
            key = self._key(message.content) if message.role == "assistant" and message.content else None
            results: tuple[str, ...] = ()
            if ToolResultBlock in map(type, message.content):
                results = tuple([block.call_id for block in message.content if isinstance(block, ToolResultBlock)])
            known = self._read[id(message)] = (message, key, results)
        return known[1], known[2]

    def _key(self, content: tuple[Block, ...]) -> bytes:
        """What equal contents share; one that is both a reply and a message is written once."""
        known = self._keys.get(id(content))
        if known is None or known[0] is not content:
            known = self._keys[id(content)] = (content, ENCODER.encode(content))
        return known[1]

    def add(self, record: Record) -> None:
        """Note what a record answers."""
        if isinstance(record, ModelRecord) and record.response is not None:
            if record.response.content:
                key = self._key(record.response.content)
                self.replies[key][record.parent].append(record.id)
                self._answered.append(key)
            for block in record.response.content:
                if isinstance(block, ToolCallBlock):
                    self._note(self.asked_by, block.id, record.id)
        elif isinstance(record, CALLS) and record.call_id is not None:
            self._note(self.ran, record.call_id, record.id)

    def _note(self, holders: dict[str, str], call: str, record: str) -> None:
        self._answered.append(call)
        if call in holders:
            self._again[call] = len(self._answered)
        holders[call] = record


class _TimeEdges:
    """Per agent, the ended records that a later one may come after."""

    def __init__(self) -> None:
        self.open: dict[str | None, list[Record]] = defaultdict(list)

    def of(
        self,
        record: Record,
        known: tuple[str, ...],
        before: dict[str, tuple[str, ...]],
        positions: dict[str, int],
        asked_by: dict[str, str],
    ) -> tuple[str, ...]:
        """The records of the same agent that had ended; those that others of these come after are forgotten."""
        mine = self.open[record.agent]
        ended = [each for each in mine if _ended(each, record.t or 0.0)]
        if isinstance(record, CALLS):
            others = [each.id for each in ended if not _siblings(record, each, asked_by)]
        else:
            others = [each.id for each in ended]
        reduced = _reduced([*others, *known], before, positions) if others else ()
        if len(ended) > 1:
            passed = {each.id for each in ended}.difference(_reduced([each.id for each in ended], before, positions))
            if passed:
                mine[:] = [each for each in mine if each.id not in passed]
        mine.append(record)
        return tuple([each for each in reduced if each not in known])


def _ended(record: Record, t: float) -> bool:
    """Whether the record had ended when another began; of two that took no time, neither comes first."""
    start = record.t or 0.0
    return start < t and start + (record.duration or 0.0) <= t


def _siblings(one: Record, other: Record, asked_by: dict[str, str]) -> bool:
    """Whether both are calls that the same reply asked for: those are parallel, whatever their times say."""
    if not isinstance(one, CALLS) or not isinstance(other, CALLS):
        return False
    if one.call_id is None or other.call_id is None:
        return False
    asker = asked_by.get(one.call_id)
    return asker is not None and asker == asked_by.get(other.call_id)
