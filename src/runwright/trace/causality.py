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

from runwright.trace.model import (
    BlobRecord,
    FaultRecord,
    McpRecord,
    Message,
    ModelRecord,
    Record,
    ToolRecord,
    ToolResultBlock,
    calls_of,
)


def with_edges(records: Sequence[Record]) -> tuple[Record, ...]:
    """The records, in their order, with `after` and `after_inferred` filled in; edges name earlier records only."""
    data = _DataEdges()
    times = _TimeEdges()
    before: dict[str, tuple[str, ...]] = {}
    positions = {record.id: at for at, record in enumerate(records)}
    done: list[Record] = []
    for record in records:
        known = _reduced(data.of(record), before, positions)
        before[record.id] = known
        guessed = times.of(record, known, before, positions, data.asked_by)
        before[record.id] = (*known, *guessed)
        data.add(record)
        times.add(record, before, positions)
        done.append(replace(record, after=known, after_inferred=guessed))
    return tuple(done)


def _reduced(wanted: Iterable[str], before: dict[str, tuple[str, ...]], positions: dict[str, int]) -> tuple[str, ...]:
    """The wanted predecessors that no other one already comes after, in line order."""
    ordered = sorted(set(wanted), key=positions.__getitem__, reverse=True)
    if len(ordered) < 2:
        return tuple(ordered)
    oldest = positions[ordered[-1]]
    covered: set[str] = set()
    kept: list[str] = []
    for each in ordered:
        if each in covered:
            continue
        kept.append(each)
        waiting = [each]
        while waiting:
            for earlier in before[waiting.pop()]:
                if earlier not in covered and positions[earlier] >= oldest:
                    covered.add(earlier)
                    waiting.append(earlier)
    return tuple(reversed(kept))


class _DataEdges:
    """The answers seen so far, by their content and by the calls they asked for."""

    def __init__(self) -> None:
        self.replies: dict[bytes, dict[str | None, list[str]]] = defaultdict(lambda: defaultdict(list))
        self.asked_by: dict[str, str] = {}
        self.ran: dict[str, str] = {}
        self._read: dict[int, tuple[Message, bytes | None, tuple[str, ...]]] = {}

    def of(self, record: Record) -> set[str]:
        if isinstance(record, ModelRecord):
            return self._of_model(record)
        if isinstance(record, ToolRecord | McpRecord) and record.call_id in self.asked_by:
            return {self.asked_by[record.call_id]}
        return set()

    def _of_model(self, record: ModelRecord) -> set[str]:
        found: set[str] = set()
        seen: dict[bytes, int] = defaultdict(int)
        for message in record.request.messages:
            key, results = self._of_message(message)
            if key is not None:
                earlier = self._alike(key, record.parent)
                found.update(earlier[seen[key] : seen[key] + 1])
                seen[key] += 1
            for call in results:
                found.update(holder[call] for holder in (self.asked_by, self.ran) if call in holder)
        return found

    def _alike(self, key: bytes, parent: str | None) -> list[str]:
        """The exchanges that replied this; those that ran inside the same record, where any did."""
        replies = self.replies.get(key, {})
        return replies.get(parent) or [each for ids in replies.values() for each in ids]

    def _of_message(self, message: Message) -> tuple[bytes | None, tuple[str, ...]]:
        """What an assistant message says, and the calls that a message holds results of; each message is read once."""
        known = self._read.get(id(message))
        if known is None or known[0] is not message:
            key = _key(message.content) if message.role == "assistant" and message.content else None
            results = tuple(block.call_id for block in message.content if isinstance(block, ToolResultBlock))
            known = self._read[id(message)] = (message, key, results)
        return known[1], known[2]

    def add(self, record: Record) -> None:
        if isinstance(record, ModelRecord) and record.response is not None:
            if record.response.content:
                self.replies[_key(record.response.content)][record.parent].append(record.id)
            for call in calls_of(record.response.content):
                self.asked_by[call.id] = record.id
        elif isinstance(record, ToolRecord | McpRecord) and record.call_id is not None:
            self.ran[record.call_id] = record.id


def _key(content: object) -> bytes:
    return msgspec.json.encode(content, order="deterministic")


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
        if record.t is None or isinstance(record, BlobRecord | FaultRecord):
            return ()
        ended = [
            each.id
            for each in self.open[record.agent]
            if _ended(each, record.t) and not _siblings(record, each, asked_by)
        ]
        reduced = _reduced([*ended, *known], before, positions)
        return tuple(each for each in reduced if each not in known)

    def add(self, record: Record, before: dict[str, tuple[str, ...]], positions: dict[str, int]) -> None:
        if record.t is None or isinstance(record, BlobRecord | FaultRecord):
            return
        mine = self.open[record.agent]
        mine.append(record)
        ended = [each for each in mine if _ended(each, record.t)]
        newest = set(_reduced([each.id for each in ended], before, positions))
        self.open[record.agent] = [each for each in mine if each not in ended or each.id in newest]


def _ended(record: Record, t: float) -> bool:
    """Whether the record had ended when another began; of two that took no time, neither comes first."""
    start = record.t or 0.0
    return start < t and start + (record.duration or 0.0) <= t


def _siblings(one: Record, other: Record, asked_by: dict[str, str]) -> bool:
    """Whether both are calls that the same reply asked for: those are parallel, whatever their times say."""
    if not isinstance(one, ToolRecord | McpRecord) or not isinstance(other, ToolRecord | McpRecord):
        return False
    if one.call_id is None or other.call_id is None:
        return False
    return asked_by.get(one.call_id) is not None and asked_by.get(one.call_id) == asked_by.get(other.call_id)
