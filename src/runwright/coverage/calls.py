"""The tool calls of a trace with how each ended, what it was given and what it changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import msgspec

from runwright.fingerprint.build import noted
from runwright.fingerprint.calls import Call, union
from runwright.fingerprint.history import new_results
from runwright.trace import JSON, EffectKind, McpRecord, ModelRecord, Outcome, Record, ToolRecord, Trace, covers
from runwright.trace.model import SideEffectRecord, ToolCallBlock, ToolResultBlock

Ending: TypeAlias = Outcome | Literal["untold", "asked"]
"""How a call ended; `untold` where it has a result that does not say, `asked` where nothing shows that it was made."""


@dataclass(frozen=True)
class SeenCall:
    """`arguments` holds what the tool got and what was asked for, as far as known. `turn` is the reply that asked."""

    name: str
    agent: str | None
    turn: str
    ending: Ending
    arguments: tuple[JSON, ...]
    effects: tuple[EffectKind, ...]


def calls_in(trace: Trace) -> Iterator[SeenCall]:
    """Every call once, whichever of replies, tool records and MCP records show it, in order."""
    results = new_results(trace.records)
    by_id = {record.id: record for record in trace.records}
    answers = _answers(trace.records, results)
    effects = _effects(trace)
    for call in union(noted(trace).notes):
        records = [by_id[each] for each in call.records]
        answer = answers[call.call_id].pop(0) if call.call_id and answers.get(call.call_id) else None
        yield SeenCall(
            name=call.name,
            agent=call.agent,
            turn=call.asked_by or call.records[0],
            ending=_ending(records, answer),
            arguments=tuple(_arguments(call, records, by_id)),
            effects=tuple(kind for each in call.records for kind in effects.get(each, ())),
        )


def _answers(records: Sequence[Record], results: Mapping[str, tuple[str, ...]]) -> dict[str, list[ToolResultBlock]]:
    """The results by the ids of their calls, each from the first request that carries it, in order."""
    found: dict[str, list[ToolResultBlock]] = defaultdict(list)
    for record in records:
        if isinstance(record, ModelRecord) and (new := results.get(record.id)):
            blocks = (block for message in record.request.messages for block in message.content)
            last = {block.call_id: block for block in blocks if isinstance(block, ToolResultBlock)}
            for call_id in new:
                found[call_id].append(last[call_id])
    return found


def _effects(trace: Trace) -> dict[str, list[EffectKind]]:
    found: dict[str, list[EffectKind]] = defaultdict(list)
    for record in trace.records:
        if isinstance(record, SideEffectRecord) and (cause := record.side_effect.caused_by or record.parent):
            found[cause].append(record.side_effect.kind)
    return found


def _ending(records: Sequence[Record], answer: ToolResultBlock | None) -> Ending:
    """What the tool's own records say, the worst of them; else what the result says that the model was given."""
    told = [each for record in records if (each := _told(record)) is not None]
    for ending in told:
        if ending != "ok":
            return ending
    if told:
        return "ok"
    if answer is not None:
        return "untold" if answer.is_error is None else "error" if answer.is_error else "ok"
    return "untold" if records else "asked"


def _told(record: Record) -> Outcome | None:
    if isinstance(record, ToolRecord):
        return None if any(covers(path, "$.outcome") for path in record.unknown) else record.outcome
    if isinstance(record, McpRecord):
        if record.error is not None:
            return "error"
        if record.result is None or any(covers(path, "$.result") for path in record.unknown):
            return None
        return "error" if isinstance(record.result, dict) and record.result.get("isError") is True else "ok"
    return None


def _arguments(call: Call, records: Sequence[Record], by_id: Mapping[str, Record]) -> Iterator[JSON]:
    for record in records:
        if isinstance(record, ToolRecord) and not any(covers(path, "$.arguments") for path in record.unknown):
            yield record.arguments
        elif isinstance(record, McpRecord) and isinstance(record.params, dict):
            yield record.params.get("arguments")
    asked = by_id.get(call.asked_by) if call.asked_by else None
    if isinstance(asked, ModelRecord) and asked.response is not None:
        for block in asked.response.content:
            if isinstance(block, ToolCallBlock) and block.id == (call.call_id or "") and block.name == call.name:
                yield _asked(block)
                return


def _asked(block: ToolCallBlock) -> JSON:
    """The arguments that a reply asks for; a text that is no compact JSON is parsed where it is any."""
    if block.arguments is not None or block.arguments_text is None:
        return block.arguments
    try:
        parsed: JSON = msgspec.json.decode(block.arguments_text)
    except (msgspec.DecodeError, RecursionError):
        return None
    return parsed
