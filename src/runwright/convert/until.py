"""Up to which exchange the replay is strict, and what each exchange does (the ids a person chooses from)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from runwright.convert.noise import Dropped
from runwright.errors import UsageError
from runwright.trace.model import McpRecord, ModelRecord, PolicyRecord, Record, ToolRecord, Trace, calls_of

END = "end"


class Until(msgspec.Struct, frozen=True):
    """The last strict exchange, or None for the end; `why` is empty where the caller said so."""

    id: str | None
    why: str = ""


def choose_until(trace: Trace, asked: str | None, dropped: Sequence[Dropped] = ()) -> Until:
    """The caller's exchange (UsageError if unknown), or the one that a failed, denied or violated record points at."""
    if asked == END:
        return Until(None)
    if asked is not None:
        return _named(trace, asked, dropped)
    for at, record in enumerate(trace.records):
        fault = _went_wrong(record)
        exchange = fault and _last_exchange(trace.records[: at + 1], record)
        if fault and exchange:
            return Until(exchange, f"{record.id}: {fault}; --until {END} matches the whole run instead")
    return Until(None)


def _named(trace: Trace, asked: str, dropped: Sequence[Dropped]) -> Until:
    if any(exchange.id == asked for exchange in trace.models):
        return Until(asked)
    noise = next((f" ({each.reason})" for each in dropped if each.id == asked), "")
    ids = "; ".join(f"{exchange.id} {does(exchange)}" for exchange in trace.models)
    raise UsageError(f"--until {asked!r} is no model exchange of this run{noise}", hint=f"one of: {ids}; or {END}")


def _went_wrong(record: Record) -> str:
    """What went wrong at this record, or nothing."""
    if isinstance(record, ToolRecord) and record.outcome in ("error", "denied"):
        return f"{record.name} {'was denied' if record.outcome == 'denied' else 'failed'}"
    if isinstance(record, McpRecord) and record.error is not None:
        return f"{record.server} {record.method} failed"
    if isinstance(record, PolicyRecord) and record.verdict in ("deny", "violated"):
        return f"{record.policy} {'denied it' if record.verdict == 'deny' else 'was violated'}"
    return ""


def _last_exchange(before: Sequence[Record], record: Record) -> str | None:
    """The exchange that asked for the call, or else the last one up to the record."""
    exchanges = [each for each in before if isinstance(each, ModelRecord)]
    call_id = getattr(record, "call_id", None)
    for exchange in reversed(exchanges):
        if call_id and exchange.response and any(call.id == call_id for call in calls_of(exchange.response.content)):
            return exchange.id
    return exchanges[-1].id if exchanges else None


def does(exchange: ModelRecord) -> str:
    """An exchange in a few words: the tools its reply asks for, or `reply`, or how it failed."""
    if exchange.error is not None:
        return f"error {exchange.error.status or exchange.error.kind or 'without a status'}"
    calls = calls_of(exchange.response.content) if exchange.response else []
    return ", ".join(call.name for call in calls) or "reply"
