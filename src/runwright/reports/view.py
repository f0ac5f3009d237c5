"""A trace as a page of text: one line a record, with the ids that `--until` and `ignore` take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import orjson

from runwright.secrets.shortened import shortened
from runwright.trace import (
    JSON,
    BlobRecord,
    FaultRecord,
    HttpRecord,
    McpRecord,
    MessageRecord,
    ModelRecord,
    PolicyRecord,
    Record,
    SideEffectRecord,
    ToolRecord,
    Trace,
    plain,
)
from runwright.trace.model import calls_of, lane_of, results_of, text_of

WIDTH = 100
"""Characters of a record's own line before it is cut."""


def view_text(trace: Trace) -> str:
    """The whole trace, readable; ends with what it could not keep or does not know."""
    lines = [_title(trace), ""]
    lines += [f"  {record.id:<5}{lane_of(record):<12}{_cut(summary(record))}" for record in trace.records]
    lines += _remarks(trace)
    return "\n".join(lines) + "\n"


def summary(record: Record) -> str:
    """What a record says, in one line."""
    match record:
        case ModelRecord():
            return _model(record)
        case ToolRecord():
            ending = record.error.message if record.error else _json(record.result)
            return f"{record.name}({_arguments(record.arguments)}) -> {record.outcome}: {ending}"
        case MessageRecord():
            return f"{record.role}: {text_of(record.content)}"
        case McpRecord():
            return f"{record.server} {record.method} {_json(record.params)}"
        case HttpRecord():
            status = record.response.status if record.response else record.error or "no answer"
            return f"{record.request.method} {record.request.url} -> {status}"
        case SideEffectRecord():
            return f"{record.side_effect.kind} {record.side_effect.target}"
        case PolicyRecord():
            return f"{record.policy} {record.verdict} {record.reason or ''}".rstrip()
        case BlobRecord():
            return f"{record.size} bytes {record.digest[:19]}"
        case FaultRecord():
            return f"{record.kind}: {record.detail}"


def shortened_summary(record: Record) -> str:
    """What a record says, in one line that is cut where it is too long."""
    return _cut(summary(record))


def view_json(trace: Trace) -> JSON:
    """The trace as one JSON value: header fields, every record whole, and whether the seal held."""
    return {
        "complete": trace.complete,
        "header": plain(trace.header),
        "records": [plain(record) for record in trace.records],
    }


def import_summary(trace: Trace) -> JSON:
    """What an import kept, lost and does not know."""
    return {
        "trace_id": trace.header.trace_id,
        "format": trace.header.source.format if trace.header.source else None,
        "records": dict(Counter(lane_of(record) for record in trace.records)),
        "losses": [plain(loss) for loss in trace.header.losses],
        "unknown": {record.id: list(record.unknown) for record in trace.models if record.unknown},
    }


def _model(record: ModelRecord) -> str:
    answered = [block.call_id for block in results_of(record.request)]
    heard = f" (answers {', '.join(answered[-3:])})" if answered else ""
    return f"{record.request.model}{heard} -> {_reply(record)}"


def _reply(record: ModelRecord) -> str:
    if record.error is not None:
        return f"error {record.error.status or ''} {record.error.message}".replace("  ", " ")
    if record.response is None:
        return "response not captured"
    said = [f"{call.name}({_arguments(call.arguments)})" for call in calls_of(record.response.content)]
    text = text_of(record.response.content)
    return ", ".join(said + ([_json(text)] if text else [])) or "(empty)"


def _arguments(arguments: JSON) -> str:
    if not isinstance(arguments, dict):
        return _json(arguments)
    return ", ".join(f"{name}={_json(value)}" for name, value in arguments.items())


def _remarks(trace: Trace) -> Iterator[str]:
    if not trace.complete:
        yield "\n  incomplete: the seal is missing or wrong; it never replays green"
    for loss in trace.header.losses:
        where = f" at {loss.where}" if loss.where else ""
        yield f"\n  lost: {loss.kind} x{loss.count}{where}: {loss.detail}"
    unknown = sorted({path for record in trace.models for path in record.unknown})
    if unknown:
        yield f"\n  unknown: {', '.join(unknown)}"


def _title(trace: Trace) -> str:
    header = trace.header
    parts = [header.kind, header.trace_id]
    parts += [header.source.format] if header.source else []
    parts += [header.started_at] if header.started_at else []
    return "  ".join(parts)


def _json(value: JSON) -> str:
    return orjson.dumps(value).decode()


def _cut(text: str) -> str:
    return shortened(" ".join(text.split()), WIDTH)
