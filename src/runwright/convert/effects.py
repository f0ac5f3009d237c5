"""Side effects of a recorded run: those it recorded, and those that follow with certainty from an HTTP record."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit, urlunsplit

import msgspec

from runwright.dialects import dialect_for_path
from runwright.trace.model import EffectKind, HttpRecord, Record, SideEffect, SideEffectRecord, Trace

MUTATING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
MODEL_PATHS = ("/chat/completions", "/completions", "/responses", "/embeddings", "/messages", "/messages/count_tokens")
MODEL_VERBS = (":generateContent", ":streamGenerateContent", ":countTokens", "/converse", "/converse-stream", "/invoke")
TELEMETRY_PATHS = ("/v1/traces", "/v1/logs", "/v1/metrics")


def with_effects(trace: Trace) -> Trace:
    """The trace with an inferred `http_request` effect after each HTTP exchange that changed something elsewhere.

    Recorded effects stay as they are and are never inferred again. An observer's own word stands: where
    `http_request` was enforced or observed, nothing is inferred.
    """
    if trace.header.observation.get("http_request") in ("enforced", "observed"):
        return trace
    known = {(effect.side_effect.kind, effect.side_effect.caused_by) for effect in trace.effects}
    records = tuple(_interleaved(trace, known))
    if len(records) == len(trace.records):
        return trace
    told = trace.header.observation.get("http_request", "not_observed")
    observation = {**trace.header.observation, "http_request": "inferred" if told == "not_observed" else told}
    header = msgspec.structs.replace(trace.header, observation=observation)
    return msgspec.structs.replace(trace, header=header, records=records)


def _interleaved(trace: Trace, known: set[tuple[EffectKind, str | None]]) -> Iterator[Record]:
    taken = {record.id for record in trace.records}
    numbers = (f"e{n}" for n in range(1, 2 * len(trace.records) + 2) if f"e{n}" not in taken)
    for record in trace.records:
        yield record
        if isinstance(record, HttpRecord) and changes_elsewhere(record) and ("http_request", record.id) not in known:
            yield _effect(record, next(numbers))


def _effect(record: HttpRecord, number: str) -> SideEffectRecord:
    method = record.request.method.upper()
    effect = SideEffect(kind="http_request", target=target_of(record.request.url), op=method, caused_by=record.id)
    return SideEffectRecord(id=number, after=(record.id,), agent=record.agent, side_effect=effect)


def changes_elsewhere(record: HttpRecord) -> bool:
    """The exchange was a mutating call that succeeded, and neither a model call nor telemetry."""
    succeeded = record.response is not None and 200 <= record.response.status < 400
    path = urlsplit(record.request.url).path.rstrip("/")
    return (
        succeeded
        and record.request.method.upper() in MUTATING
        and dialect_for_path(path) is None
        and not path.endswith((*MODEL_PATHS, *MODEL_VERBS, *TELEMETRY_PATHS))
        and not _json_rpc(record)
    )


def _json_rpc(record: HttpRecord) -> bool:
    """The method of JSON-RPC is in the body: POST says nothing, and the MCP lane tells what was called."""
    body = record.request.body
    return body is not None and body.text is not None and '"jsonrpc"' in body.text


def target_of(url: str) -> str:
    """The URL without credentials, query and fragment."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
