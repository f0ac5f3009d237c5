"""Which calls each request newly carries the results of."""

from __future__ import annotations

from collections.abc import Sequence

from runwright.trace.model import Message, ModelRecord, Record, ToolResultBlock

NEAR = 64
"""The records that are looked through, backwards along the edges, for the exchange that a request continues."""


def new_results(records: Sequence[Record]) -> dict[str, tuple[str, ...]]:
    """For each exchange the call ids whose results it carries and the exchange it continues did not, in order."""
    by_id = {record.id: record for record in records}
    return {
        record.id: carried(_new(record, _continued(record, by_id)))
        for record in records
        if isinstance(record, ModelRecord)
    }


def carried(messages: Sequence[Message]) -> tuple[str, ...]:
    """The ids of the calls whose results are in the messages, in order."""
    found = (block.call_id for each in messages for block in each.content if isinstance(block, ToolResultBlock))
    return tuple(dict.fromkeys(found))


def _new(record: ModelRecord, before: ModelRecord | None) -> Sequence[Message]:
    return new_messages(record.request.messages, before.request.messages if before is not None else ())


def new_messages(mine: tuple[Message, ...], theirs: tuple[Message, ...]) -> Sequence[Message]:
    """The messages after those that both requests begin with; whole histories are compared once, not read again."""
    return mine[len(theirs) :] if mine[: len(theirs)] == theirs else mine


def _continued(record: ModelRecord, by_id: dict[str, Record]) -> ModelRecord | None:
    """An exchange that this one comes after, with only calls and other lanes between; None where none is near."""
    waiting = [*record.after, *record.after_inferred]
    for _ in range(NEAR):
        if not waiting:
            return None
        each = by_id.get(waiting.pop(0))
        if isinstance(each, ModelRecord):
            return each
        if each is not None:
            waiting += (*each.after, *each.after_inferred)
    return None
