"""How a run ended, decided by what its trace holds."""

from __future__ import annotations

from typing import Literal

from runwright.trace.model import (
    FaultRecord,
    McpRecord,
    ModelRecord,
    PolicyRecord,
    Record,
    RefusalBlock,
    ToolRecord,
    Trace,
    calls_of,
)

OutcomeClass = Literal[
    "truncated", "interrupted", "timeout", "model_error", "denied", "tool_error", "refused", "success", "unknown"
]

TIMEOUT_STATUSES = (408, 504)


def outcome_class(trace: Trace) -> OutcomeClass:
    """The first of these that applies: truncated, interrupted, timeout, model_error, denied, tool_error, refused,
    success, unknown. The run ends with the last line of an exchange that is not nested in another record."""
    ends = outer_exchanges(trace)
    return outcome_at(trace, ends[-1] if ends else None)


def outer_exchanges(trace: Trace) -> list[ModelRecord]:
    """The exchanges that are nested in nothing, in line order; all of them where every one is nested."""
    return [exchange for exchange in trace.models if exchange.parent is None] or trace.models


def outcome_at(trace: Trace, last: ModelRecord | None) -> OutcomeClass:
    """The outcome of a run that ends with this exchange; None for a run without exchanges."""
    faults = {record.kind for record in trace.records if isinstance(record, FaultRecord)}
    if "truncation" in faults or "dropped_spans" in faults or (last is not None and _cut(last)):
        return "truncated"
    if "interruption" in faults or not trace.complete:
        return "interrupted"
    if last is not None and last.error is not None:
        return "timeout" if _timed_out(last) else "model_error"
    if _denied(trace):
        return "denied"
    if any(_tool_failed(record) for record in trace.records):
        return "tool_error"
    return "unknown" if last is None else _ending(last)


def _cut(exchange: ModelRecord) -> bool:
    return exchange.response is not None and exchange.response.stop_reason == "length"


def _timed_out(exchange: ModelRecord) -> bool:
    error = exchange.error
    return error is not None and (error.status in TIMEOUT_STATUSES or "timeout" in (error.kind or "").lower())


def _tool_failed(record: Record) -> bool:
    """A tool that did not end well; MCP tells of a tool's own failure inside a result."""
    if isinstance(record, McpRecord) and record.method == "tools/call":
        told = isinstance(record.result, dict) and record.result.get("isError") is True
        return record.error is not None or told
    return isinstance(record, ToolRecord) and record.outcome != "ok"


def _denied(trace: Trace) -> bool:
    return any(
        (isinstance(record, ToolRecord) and record.outcome == "denied")
        or (isinstance(record, PolicyRecord) and record.verdict in ("deny", "violated"))
        for record in trace.records
    )


def _ending(last: ModelRecord) -> OutcomeClass:
    """How a run ended whose last exchange has an answer: with words, with a refusal, or still asking for tools."""
    reply = last.response
    if reply is None or calls_of(reply.content):
        return "unknown"
    if reply.stop_reason in ("refusal", "content_filter") or any(isinstance(b, RefusalBlock) for b in reply.content):
        return "refused"
    return "success" if reply.content else "unknown"
