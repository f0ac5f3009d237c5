"""The tool calls of recorded records, gathered as a replay's are: requested, answered, executed."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from runwright.flow import Call, Surroundings, evidence_of
from runwright.flow.gather import RECORDED
from runwright.trace.model import Header, Record, Trace


def tool_calls(records: Sequence[Record]) -> tuple[Call, ...]:
    """Every tool call among the records; `requested`, `answered` and `executed` are their ids."""
    named = tuple(msgspec.structs.replace(record, ext={RECORDED: record.id}) for record in records)
    trace = Trace(header=Header(kind="run", trace_id=""), records=named)
    return evidence_of(trace, Surroundings(executions_seen=True)).calls


def cites(call: Call) -> tuple[str, ...]:
    """The ids that show the call, in the order in which it happened."""
    return tuple(dict.fromkeys(each for each in (call.requested, call.executed, call.answered) if each))
