"""How a run ended, decided by what its trace holds."""

from __future__ import annotations

from typing import Literal

from runwright.trace.ends import close_of, decided, failure_of, is_cut, mcp_failed
from runwright.trace.model import FaultRecord, McpRecord, PolicyRecord, Record, ToolRecord, Trace

OutcomeClass = Literal[
    "truncated", "interrupted", "timeout", "model_error", "denied", "tool_error", "refused", "success", "unknown"
]


def outcome_class(trace: Trace) -> OutcomeClass:
    """The first of these that applies: truncated, interrupted, timeout, model_error, denied, tool_error, refused,
    success, unknown. The run ends with the last line of an exchange that is not nested in another record."""
    models = trace.models
    ends = [exchange for exchange in models if exchange.parent is None] or models
    last = ends[-1] if ends else None
    reply = last.response if last else None
    stop_reason = reply.stop_reason if reply else None
    return decided(
        faults={record.kind for record in trace.records if isinstance(record, FaultRecord)},
        complete=trace.complete,
        cut=is_cut(stop_reason),
        failure=failure_of(last.error.status, last.error.kind) if last and last.error else None,
        denied=any(map(_denied, trace.records)),
        failed=any(map(_failed, trace.records)),
        close=close_of([str(type(each).__struct_config__.tag) for each in reply.content] if reply else (), stop_reason),
    )


def _failed(record: Record) -> bool:
    if isinstance(record, McpRecord):
        return mcp_failed(record.method, record.error, record.result)
    return isinstance(record, ToolRecord) and record.outcome != "ok"


def _denied(record: Record) -> bool:
    if isinstance(record, PolicyRecord):
        return record.verdict in ("deny", "violated")
    return isinstance(record, ToolRecord) and record.outcome == "denied"
