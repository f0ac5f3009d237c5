"""What of a run is noise: captured twice, a heartbeat, or a retry whose failure the agent never saw.

A repeated call is never noise, however alike it is: two refunds are the bug, not an echo.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

import msgspec

from runwright.trace.model import JSON, HttpRecord, McpRecord, ModelRecord, Record, Trace, lane_of

HEARTBEATS = frozenset(
    {"/health", "/healthz", "/livez", "/live", "/readyz", "/ready", "/ping", "/heartbeat", "/-/healthy", "/-/ready"}
)
RETRIED = frozenset({408, 409, 425, 429, 529})
"""Statuses below 500 that the official SDKs retry by themselves."""


class Dropped(msgspec.Struct, frozen=True):
    """A record left out, and why."""

    id: str
    reason: str


def noise(trace: Trace) -> tuple[Dropped, ...]:
    """The records that are noise, in line order, each with its reason."""
    found: dict[str, Dropped] = {}
    for each in (*_duplicates(trace.records), *_heartbeats(trace.records), *_hidden_retries(trace.models)):
        found.setdefault(each.id, each)
    return tuple(found[record.id] for record in trace.records if record.id in found)


def _duplicates(records: Sequence[Record]) -> Iterator[Dropped]:
    """Records of one lane that share a span or response id and say the same thing."""
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        for key in _identities(record):
            groups.setdefault((lane_of(record), key), []).append(record)
    for (_, key), group in groups.items():
        if len(group) > 1 and _one_thing(group):
            yield from (Dropped(later.id, f"{group[0].id} captured twice: same {key}") for later in group[1:])


def _identities(record: Record) -> Iterator[str]:
    """The ids that the world gave this exchange."""
    if isinstance(record, ModelRecord) and record.response is not None and record.response.id:
        yield f"response id {record.response.id}"
    for holder in (record.ext, *record.ext.values()):
        if isinstance(holder, dict) and isinstance(span := holder.get("span_id"), str) and span:
            yield f"span id {span}"


def _one_thing(group: Sequence[Record]) -> bool:
    """The id is one exchange's: all records say the same, and none began after another had ended.

    A server that answers every request with one id has not made two requests one.
    """
    said = _content(group[0])
    same = all(_content(later) == said for later in group[1:])
    return same and all(_overlap(group[0], later) for later in group[1:])


def _overlap(first: Record, second: Record) -> bool:
    if first.t is None or second.t is None:
        return True
    first_end, second_end = first.t + (first.duration or 0.0), second.t + (second.duration or 0.0)
    return first.t <= second_end and second.t <= first_end


def _content(record: Record) -> Record:
    """The record without where, when and how well it was seen."""
    blank: dict[str, object] = {
        "id": "",
        "parent": None,
        "after": (),
        "after_inferred": (),
        "agent": None,
        "t": None,
        "duration": None,
    }
    seen: dict[str, object] = {
        "ext": {},
        "fidelity": "raw",
        "unknown": (),
        "reconstructed": (),
        "adopted": (),
        "chunks": None,
    }
    fields = set(record.__struct_fields__)
    return msgspec.structs.replace(record, **{key: value for key, value in (blank | seen).items() if key in fields})


def _heartbeats(records: Sequence[Record]) -> Iterator[Dropped]:
    """Health checks and MCP pings that no other record follows from."""
    needed = {earlier for record in records for earlier in record.after}
    needed |= {record.parent for record in records if record.parent}
    for record in records:
        if record.id in needed:
            continue
        if isinstance(record, McpRecord) and record.method == "ping":
            yield Dropped(record.id, "heartbeat: MCP ping")
        if isinstance(record, HttpRecord) and _is_heartbeat(record):
            yield Dropped(record.id, f"heartbeat: {record.request.method} {urlsplit(record.request.url).path}")


def _is_heartbeat(record: HttpRecord) -> bool:
    path = urlsplit(record.request.url).path.rstrip("/")
    last = "/" + path.rsplit("/", 1)[-1] if path else ""
    reads = record.request.method.upper() in {"GET", "HEAD", "OPTIONS"}
    return reads and (path in HEARTBEATS or last in {"/healthz", "/livez", "/readyz"})


def _hidden_retries(exchanges: Sequence[ModelRecord]) -> Iterator[Dropped]:
    """Failed exchanges that the client sent again by itself, so that the agent saw only the answer."""
    for at, failed in enumerate(exchanges):
        if not _sdk_retries(failed):
            continue
        answer = _answered_retry(exchanges[at:])
        if answer is not None and not _shown_later(failed, exchanges[at + 1 :]):
            error = failed.error
            what = error and (error.status or error.kind or "connection error")
            yield Dropped(failed.id, f"retry inside the client: {what}, then {answer.id} answered the same request")


def _sdk_retries(exchange: ModelRecord) -> bool:
    if exchange.error is None or exchange.response is not None:
        return False
    status = exchange.error.status
    return status is None or status in RETRIED or status >= 500


def _answered_retry(exchanges: Sequence[ModelRecord]) -> ModelRecord | None:
    """The answered exchange that repeats the first, with nothing of the same agent but failed repeats between."""
    failed = exchanges[0]
    for later in exchanges[1:]:
        if later.agent != failed.agent:
            continue
        if later.request != failed.request or _started_before_end(failed, later):
            return None
        if later.response is not None:
            return later
        if not _sdk_retries(later):
            return None
    return None


def _started_before_end(first: ModelRecord, second: ModelRecord) -> bool:
    if first.t is None or second.t is None:
        return False
    return second.t < first.t + (first.duration or 0.0)


def _shown_later(failed: ModelRecord, later: Sequence[ModelRecord]) -> bool:
    """A later request follows from the failure or quotes it: then the agent saw it."""
    if any(failed.id in exchange.after for exchange in later):
        return True
    message = failed.error.message.strip() if failed.error else ""
    if not message or _quotes(msgspec.to_builtins(failed.request), message):
        return False
    return any(_quotes(msgspec.to_builtins(exchange.request.messages), message) for exchange in later)


def _quotes(value: JSON, text: str) -> bool:
    if isinstance(value, str):
        return text in value
    if isinstance(value, list | tuple):
        return any(_quotes(each, text) for each in value)
    return isinstance(value, dict) and any(_quotes(each, text) for each in value.values())
