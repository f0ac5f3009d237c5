"""Side effects of a recorded run: those it recorded, and those that follow with certainty from another record."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from urllib.parse import urlsplit, urlunsplit

import msgspec

from runwright.convert.calls import tool_calls
from runwright.convert.tool_rules import effects_by_rule
from runwright.dialects import dialect_for_path
from runwright.flow import Call
from runwright.trace.model import (
    EFFECT_KINDS,
    EffectKind,
    HttpRecord,
    Record,
    SideEffect,
    SideEffectRecord,
    ToolRecord,
    ToolResultBlock,
    Trace,
)

MUTATING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
MODEL_PATHS = ("/chat/completions", "/completions", "/responses", "/embeddings", "/messages", "/messages/count_tokens")
MODEL_VERBS = (":generateContent", ":streamGenerateContent", ":countTokens", "/converse", "/converse-stream", "/invoke")
TELEMETRY_PATHS = ("/v1/traces", "/v1/logs", "/v1/metrics")


def with_effects(trace: Trace) -> Trace:
    """The trace with an inferred effect for each record from which one follows with certainty.

    These are HTTP exchanges that changed something elsewhere, and tool calls whose arguments name a file by the rules
    of `tool_rules.py`: those that were seen to end well, and those that a later request of the model's answers.
    Recorded effects stay as they are and are never inferred again. An observer's own word stands, and so does an
    importer's about files: nothing is inferred of a kind that was enforced or observed, nor of a kind of files that was
    imported.
    """
    open_kinds = frozenset(kind for kind in EFFECT_KINDS if _is_open(trace, kind))
    known = {(effect.side_effect.kind, effect.side_effect.caused_by) for effect in trace.effects}
    records = tuple(_interleaved(trace, known, open_kinds))
    if len(records) == len(trace.records):
        return trace
    observation = dict(trace.header.observation)
    for kind in {each.side_effect.kind for each in records if isinstance(each, SideEffectRecord)}:
        if observation.get(kind, "not_observed") == "not_observed" and kind in open_kinds:
            observation[kind] = "inferred"
    header = msgspec.structs.replace(trace.header, observation=observation)
    return msgspec.structs.replace(trace, header=header, records=records)


def _is_open(trace: Trace, kind: EffectKind) -> bool:
    told = trace.header.observation.get(kind, "not_observed")
    return told == "not_observed" or (kind == "http_request" and told not in ("enforced", "observed"))


def _interleaved(
    trace: Trace, known: set[tuple[EffectKind, str | None]], kinds: frozenset[EffectKind]
) -> Iterator[Record]:
    taken = {record.id for record in trace.records}
    numbers = (name for n in count(1) if (name := f"e{n}") not in taken)
    answered = _answered(trace)
    for record in trace.records:
        for call in answered.get(record.id, ()):
            for effect in effects_by_rule(call.tool, call.arguments, call.requested):
                if effect.kind in kinds and (effect.kind, effect.caused_by) not in known:
                    after = (call.requested,) if call.requested else ()
                    yield SideEffectRecord(id=next(numbers), after=after, agent=record.agent, side_effect=effect)
        yield record
        for effect in _inferred(record):
            if effect.kind in kinds and (effect.kind, effect.caused_by) not in known:
                yield SideEffectRecord(id=next(numbers), after=(record.id,), agent=record.agent, side_effect=effect)


def _answered(trace: Trace) -> dict[str, list[Call]]:
    """The calls of which only the model's lane tells, by the exchange whose request answers them, and not as failed."""
    if not trace.models:
        return {}
    failed = {
        block.call_id
        for exchange in trace.models
        for message in exchange.request.messages
        for block in message.content
        if isinstance(block, ToolResultBlock) and block.is_error
    }
    found: dict[str, list[Call]] = {}
    for call in tool_calls(trace.records):
        if call.answered and not call.executed and not call.provided and call.call_id not in failed:
            found.setdefault(call.answered, []).append(call)
    return found


def _inferred(record: Record) -> Iterator[SideEffect]:
    if isinstance(record, ToolRecord) and record.outcome == "ok":
        yield from effects_by_rule(record.name, record.arguments, record.id)
    elif isinstance(record, HttpRecord) and changes_elsewhere(record):
        target = target_of(record.request.url)
        yield SideEffect(kind="http_request", target=target, op=record.request.method.upper(), caused_by=record.id)


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
