"""What one record leaves open and another one tells: call ids of tool spans, texts of silent assistant turns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec

from runwright.readers.known import CONTENT, MESSAGES
from runwright.trace.model import (
    ModelRecord,
    Record,
    TextBlock,
    ToolCallBlock,
    ToolError,
    ToolRecord,
    ToolResultBlock,
    calls_of,
    results_of,
    text_of,
)

PLACE = re.compile(r"\$\.request\.messages\[(\d+)\]\.content")


def with_call_ids(records: Sequence[Record]) -> tuple[Record, ...]:
    """Tool records without a call id get that of the latest unclaimed request for their name and arguments."""
    claimed = {record.call_id for record in records if isinstance(record, ToolRecord)}
    if None not in claimed:
        return tuple(records)
    asked: dict[str, list[ToolCallBlock]] = {}
    done: list[Record] = []
    for record in records:
        if isinstance(record, ModelRecord) and record.response is not None:
            for call in reversed(calls_of(record.response.content)):
                asked.setdefault(call.name, []).append(call)
        match = None
        if isinstance(record, ToolRecord) and record.call_id is None:
            match = _latest(asked.get(record.name, []), record, claimed)
        claimed.add(match.id if match else None)
        done.append(msgspec.structs.replace(record, call_id=match.id) if match else record)
    return tuple(done)


def _latest(asked: list[ToolCallBlock], record: ToolRecord, claimed: set[str | None]) -> ToolCallBlock | None:
    """The latest unclaimed call of these that has the record's arguments; claimed ones are not looked at again."""
    while asked and asked[-1].id in claimed:
        asked.pop()
    fits = (call for call in reversed(asked) if call.id and call.arguments == record.arguments)
    return next((call for call in fits if call.id not in claimed), None)


def with_handoffs(records: Sequence[Record], asked_in: Mapping[str, str]) -> tuple[Record, ...]:
    """Tool records that are named by no tool become the one call that their exchange asked for and nothing else ran.

    `asked_in` maps such records to the exchange they stand beside: a handoff is drawn as a tool span with the agents'
    names, while the model asked for a tool of its own name.
    """
    replies = {record.id: record.response for record in records if isinstance(record, ModelRecord)}
    claimed = {record.call_id for record in records if isinstance(record, ToolRecord)}
    done: list[Record] = []
    for record in records:
        response = replies.get(asked_in.get(record.id, ""))
        open_calls = [call for call in calls_of(response.content) if call.id not in claimed] if response else []
        if isinstance(record, ToolRecord) and record.call_id is None and len(open_calls) == 1:
            claimed.add(open_calls[0].id)
            done.append(_as_call(record, open_calls[0]))
        else:
            done.append(record)
    return tuple(done)


def _as_call(record: ToolRecord, call: ToolCallBlock) -> ToolRecord:
    drawn = {"span_name": record.name, "span_input": record.arguments}
    return msgspec.structs.replace(
        record, name=call.name, arguments=call.arguments, call_id=call.id, ext={**record.ext, **drawn}
    )


def with_told_results(records: Sequence[Record]) -> tuple[Record, ...]:
    """Calls that no tool record stands for and that a later request has the result of become tool records.

    Each stands before the first exchange that was told its result; when it ran is not known.
    """
    known = {record.call_id for record in records if isinstance(record, ToolRecord)}
    told: set[str] = set()
    asked: dict[str, tuple[ToolCallBlock, ModelRecord]] = {}
    count = sum(isinstance(record, ToolRecord) for record in records)
    done: list[Record] = []
    for record in records:
        for block in results_of(record.request) if isinstance(record, ModelRecord) else ():
            found = None if block.call_id in known or block.call_id in told else asked.get(block.call_id)
            if found is not None:
                count += 1
                told.add(block.call_id)
                done.append(_told(f"t{count}", *found, block))
        done.append(record)
        if isinstance(record, ModelRecord) and record.response is not None:
            asked |= {call.id: (call, record) for call in calls_of(record.response.content) if call.id}
            told -= {call.id for call in calls_of(record.response.content)}
    return tuple(done)


def _told(id: str, call: ToolCallBlock, asker: ModelRecord, result: ToolResultBlock) -> ToolRecord:
    whole = all(isinstance(block, TextBlock) for block in result.content)
    told = text_of(result.content)
    return ToolRecord(
        id=id,
        parent=asker.parent,
        agent=asker.agent,
        name=call.name,
        arguments=call.arguments_text if call.arguments is None else call.arguments,
        result=told,
        error=ToolError(message=told) if result.is_error else None,
        outcome="error" if result.is_error else "ok",
        call_id=call.id,
        fidelity="reconstructed" if whole else "partial",
        unknown=() if whole else ("$.result",),
        ext={"told_by": asker.id},
    )


def with_silent_turns(records: Sequence[Record]) -> tuple[Record, ...]:
    """Assistant turns whose text was left out beside their calls: there was none if the reply they repeat had none."""
    replies: dict[tuple[str, ...], bool] = {}
    done: list[Record] = []
    for record in records:
        done.append(_settled(record, replies) if isinstance(record, ModelRecord) else record)
        response = record.response if isinstance(record, ModelRecord) else None
        if response is not None and (calls := calls_of(response.content)):
            told = any(isinstance(block, TextBlock) and block.text for block in response.content)
            replies[tuple(call.id for call in calls)] = told
    return tuple(done)


def _settled(record: ModelRecord, replies: dict[tuple[str, ...], bool]) -> ModelRecord:
    known = [path for path in record.unknown if _is_silent(record, path, replies)]
    if not known:
        return record
    unknown = tuple(path for path in record.unknown if path not in known)
    broken = any(path.startswith((f"{MESSAGES}[", CONTENT)) and "*" not in path for path in unknown)
    whole = record.fidelity == "partial" and MESSAGES not in unknown and not broken
    return msgspec.structs.replace(
        record,
        unknown=unknown,
        reconstructed=(*record.reconstructed, *known),
        fidelity="reconstructed" if whole else record.fidelity,
    )


def _is_silent(record: ModelRecord, path: str, replies: dict[tuple[str, ...], bool]) -> bool:
    """The path is an assistant message whose calls repeat a reply that had no text."""
    found = PLACE.fullmatch(path)
    if found is None:
        return False
    message = record.request.messages[int(found.group(1))]
    calls = tuple(call.id for call in calls_of(message.content))
    return message.role == "assistant" and bool(calls) and replies.get(calls) is False
