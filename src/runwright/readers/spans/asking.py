"""What the call that a reply asked for tells of the record of its tool's run."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from runwright.trace.model import ModelRecord, Record, ToolCallBlock, ToolRecord, calls_of


def with_whole_arguments(records: Sequence[Record]) -> tuple[Record, ...]:
    """Tool records that show only the value of their one argument get the arguments that their call was asked with."""
    asked: dict[str, ToolCallBlock] = {}
    done: list[Record] = []
    for record in records:
        if isinstance(record, ModelRecord) and record.response is not None:
            asked.update({each.id: each for each in calls_of(record.response.content) if each.id})
        call = asked.get(record.call_id or "") if isinstance(record, ToolRecord) else None
        done.append(_asked_so(record, call) if call is not None and isinstance(record, ToolRecord) else record)
    return tuple(done)


def _asked_so(record: ToolRecord, call: ToolCallBlock) -> ToolRecord:
    given = call.arguments
    if isinstance(record.arguments, dict) or not isinstance(given, dict) or list(given.values()) != [record.arguments]:
        return record
    return msgspec.structs.replace(record, arguments=given, ext={**record.ext, "span_input": record.arguments})


def with_askers(records: Sequence[Record], which: Collection[str]) -> tuple[Record, ...]:
    """Of these tool records, those whose call is known belong to the agent that asked for it."""
    askers: dict[str, str | None] = {}
    done: list[Record] = []
    for record in records:
        if isinstance(record, ModelRecord) and record.response is not None:
            askers.update({each.id: record.agent for each in calls_of(record.response.content) if each.id})
        agent = askers.get(record.call_id or "") if isinstance(record, ToolRecord) and record.id in which else None
        done.append(msgspec.structs.replace(record, agent=agent) if agent else record)
    return tuple(done)
