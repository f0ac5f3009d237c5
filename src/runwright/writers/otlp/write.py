"""The one public function of this form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import msgspec
import orjson

from runwright import __version__
from runwright.trace import JSON, Header, ModelRecord, Record, ToolRecord, Trace, digest_bytes, lane_of
from runwright.writers.otlp.attributes import attributes
from runwright.writers.otlp.exchange import Drawn, Failure, drawn_exchange
from runwright.writers.otlp.tool import Ran, ran_tool
from runwright.writers.wire import UNSAID
from runwright.writers.writer import Written
from runwright.writers.writing import DETAILS, Writing

Object = dict[str, JSON]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LATEST = 2**63
TRACE_ID = re.compile(r"(?!0{32})[0-9a-f]{32}")
CLIENT, INTERNAL, FAILED = 3, 1, 2
UNTIMED = "a span has a start: one that is not known is written as the latest known"
ENDLESS = "a span has an end: one that is not known is written as its start"
INSIDE = "spans within a span of the same kind, or that began before it, are written beside it"


class Timed(msgspec.Struct, frozen=True):
    """A record with its start in nanoseconds since 1970, and whether that is its own."""

    record: ModelRecord | ToolRecord
    start: int
    known: bool


def write_otlp(trace: Trace) -> Written:
    """One request that exports the run's model and tool calls as spans; what it holds nothing of is a loss."""
    writing = Writing()
    timed = _timed(trace, writing)
    _header(trace, writing)
    writing.numbered(each.record for each in timed)
    starts = {each.record.id: each for each in timed}
    trace_id = _trace_id(trace.header)
    spans = [_span(each, starts, trace_id, writing) for each in timed]
    named = trace.header.agent.name if trace.header.agent else None
    group: Object = {"scope": {"name": "runwright", "version": __version__}, "spans": list(spans)}
    resource: Object = {"resource": {"attributes": attributes({"service.name": named})}, "scopeSpans": [group]}
    return Written(orjson.dumps({"resourceSpans": [resource]}, option=orjson.OPT_INDENT_2), writing.losses())


def _header(trace: Trace, writing: Writing) -> None:
    agent = trace.header.agent
    whole = agent is None or (agent.version is None and agent.command is None)
    named = agent is not None and bool(agent.name) and not str(agent.name).startswith("unknown_service")
    writing.header(trace.header, kept=["agent"])
    if not whole or not named:
        writing.lose("inexact", "a run without a name has that of its first agent", "header", "$.agent")


def _timed(trace: Trace, writing: Writing) -> list[Timed]:
    """The records that become spans, in the order of their starts; no two have the same."""
    base = _base(trace.header, writing)
    found: list[Timed] = []
    latest = base
    for record in trace.records:
        if not isinstance(record, ModelRecord | ToolRecord):
            lane = lane_of(record)
            writing.leave_out(record, UNSAID if lane == "message" else f"{lane} records have no span")
            continue
        start = base + round(record.t * 1e9) if record.t is not None else LATEST
        known = start < LATEST
        latest = start if known else latest
        found.append(Timed(record, latest, known))
    return _apart(sorted(found, key=lambda each: each.start), writing)


def _apart(timed: Sequence[Timed], writing: Writing) -> list[Timed]:
    found: list[Timed] = []
    last = 0
    for each in timed:
        start = max(each.start, last + 1)
        if not each.known or start != each.start:
            writing.lose("inexact", UNTIMED, each.record.id, "$.t")
        found.append(msgspec.structs.replace(each, start=start))
        last = start
    return found


def _base(header: Header, writing: Writing) -> int:
    if header.started_at is not None:
        base = (datetime.fromisoformat(header.started_at) - EPOCH) // timedelta(microseconds=1) * 1000
        if base > 0:
            return base
    writing.lose("inexact", "the run's start is not known: times count from 1970", "header", "$.started_at")
    return 1


def _span(timed: Timed, starts: dict[str, Timed], trace_id: str, writing: Writing) -> Object:
    record = timed.record
    parent = _parent(timed, starts)
    drawn = drawn_exchange(record, writing) if isinstance(record, ModelRecord) else ran_tool(record, writing)
    lasts = record.duration is not None and timed.start + round(record.duration * 1e9) < LATEST
    _placed(record, drawn, parent, writing, lasts=lasts)
    end = timed.start + (round((record.duration or 0) * 1e9) if lasts else 0)
    return {
        "traceId": trace_id,
        "spanId": _span_id(trace_id, record.id),
        "parentSpanId": _span_id(trace_id, parent) if parent else "",
        "name": drawn.name,
        "kind": CLIENT if isinstance(record, ModelRecord) else INTERNAL,
        "startTimeUnixNano": str(timed.start),
        "endTimeUnixNano": str(end),
        "attributes": attributes({**drawn.attributes, "gen_ai.agent.name": record.agent}),
        **_failed(drawn.failure, timed.start),
    }


def _placed(record: Record, drawn: Drawn | Ran, parent: str | None, writing: Writing, *, lasts: bool) -> None:
    held = msgspec.structs.replace(drawn.held, after=(), after_inferred=(), ext={}, parent=parent)
    if record.parent != parent:
        writing.lose("inexact", INSIDE, record.id, "$.parent")
        held = msgspec.structs.replace(held, parent=record.parent)
    if not lasts:
        writing.lose("inexact", ENDLESS, record.id, "$.duration")
        held = msgspec.structs.replace(held, duration=record.duration)
    writing.holds(record, msgspec.structs.replace(held, agent=record.agent or None))
    for field in ("after", "after_inferred"):
        writing.lose(*DETAILS[field], record.id, f"$.{field}")


def _parent(timed: Timed, starts: dict[str, Timed]) -> str | None:
    """The record around this one, where a reader will see it so."""
    around = starts.get(timed.record.parent or "")
    if around is None or around.start > timed.start or type(around.record) is type(timed.record):
        return None
    return around.record.id


def _failed(failure: Failure | None, moment: int) -> Object:
    if failure is None:
        return {"status": {}}
    told = attributes({"exception.type": failure.kind or None, "exception.message": failure.message})
    event: Object = {"name": "exception", "timeUnixNano": str(moment), "attributes": told}
    return {"status": {"code": FAILED, "message": failure.message}, "events": [event]}


def _trace_id(header: Header) -> str:
    """The run's own id where it has the form of one, else one that follows from it."""
    if TRACE_ID.fullmatch(header.trace_id):
        return header.trace_id
    return _hex(header.trace_id, 32)


def _span_id(trace_id: str, id: str) -> str:
    return _hex(f"{trace_id} {id}", 16)


def _hex(text: str, size: int) -> str:
    return digest_bytes(text.encode()).removeprefix("blake3:")[:size]
