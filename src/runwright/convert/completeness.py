"""Whether a run was captured well enough to be replayed: a missing answer is never built."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from runwright.convert.noise import Dropped
from runwright.dialects import DIALECTS
from runwright.errors import IncompleteTrace, NotConvertible
from runwright.trace.model import FaultRecord, HttpRecord, McpRecord, ModelRecord, Record, Trace

DERIVED = ("$.response.stop_reason", "$.response.usage", "$.response.id", "$.response.model", "$.response.extra")
"""Parts of a response that follow from its content, or that no agent is conditioned on."""


def whole_exchanges(trace: Trace) -> tuple[Trace, tuple[Dropped, ...]]:
    """The run up to its last whole exchange, as a complete trace.

    A sealed trace is returned as it is. An unsealed one must say that it was interrupted; what its end left
    unanswered is dropped. Any other incomplete trace raises IncompleteTrace.
    """
    if trace.complete:
        return trace, ()
    if not any(isinstance(record, FaultRecord) and record.kind == "interruption" for record in trace.records):
        raise IncompleteTrace(
            "the seal is missing or wrong, and nothing says that the run was interrupted",
            hint="after checking the file: runwright seal FILE",
        )
    answered = [at for at, record in enumerate(trace.records) if isinstance(record, ModelRecord) and _answered(record)]
    last = answered[-1] if answered else -1
    cut = tuple(record.id for at, record in enumerate(trace.records) if at > last and not _answered(record))
    reason = "the run was interrupted before this was answered"
    return msgspec.structs.replace(trace, complete=True), tuple(Dropped(each, reason) for each in cut)


def _answered(record: Record) -> bool:
    if isinstance(record, ModelRecord | HttpRecord):
        return record.response is not None or record.error is not None
    if isinstance(record, McpRecord):
        return record.notification or record.result is not None or record.error is not None
    return True


def require_answers(trace: Trace) -> None:
    """NotConvertible, naming the exchanges, unless every model exchange's answer was captured whole."""
    if not trace.models:
        raise NotConvertible(
            "no model exchange was captured: there is nothing to replay", hint=_remedy(trace) or _others(trace)
        )
    missing = [exchange.id for exchange in trace.models if not _answered(exchange) or exchange.fidelity == "none"]
    if missing:
        raise NotConvertible(f"no answer was captured for {_listed(missing)}", hint=_remedy(trace))
    cut = [f"{each.id} ({', '.join(partial_answer(each))})" for each in trace.models if partial_answer(each)]
    if cut:
        raise NotConvertible(
            f"the answer was captured only in part for {_listed(cut)}",
            hint=_remedy(trace) or "raise the exporter's length limit for attributes and export again",
        )


def partial_answer(exchange: ModelRecord) -> tuple[str, ...]:
    """The unknown paths of an exchange that leave its answer incomplete."""
    return tuple(
        path for path in exchange.unknown if _under(path, ("$.response", "$.error")) and not _under(path, DERIVED)
    )


def _under(path: str, roots: Sequence[str]) -> bool:
    return any(path == root or path.startswith((root + ".", root + "[")) for root in roots)


def require_known(trace: Trace) -> None:
    """NotConvertible, naming the fields, if any part of a request is unknown (`--strict`)."""
    unknown = [f"{exchange.id}: {path}" for exchange in trace.models for path in exchange.unknown]
    if unknown:
        raise NotConvertible(
            f"strict: {len(unknown)} fields were not captured and would never be compared: {_listed(unknown)}",
            hint="capture them, adopt them from one replay with --adopt, or leave --strict out",
        )


def _remedy(trace: Trace) -> str:
    """What the capture's own losses say about content that is missing."""
    kinds = ("not_captured", "truncated")
    details = dict.fromkeys(loss.detail for loss in trace.header.losses if loss.kind in kinds)
    return "; ".join(details)


def _others(trace: Trace) -> str:
    """The HTTP exchanges of a run that has no model's: one of them may be a model's, of an API that is not read."""
    requests = [record.request for record in trace.records if isinstance(record, HttpRecord)]
    asked = dict.fromkeys(f"{each.method} {each.url.partition('?')[0]}" for each in requests)
    return f"read are {', '.join(DIALECTS)}; and it holds {_listed(tuple(asked), 3)}" if asked else ""


def _listed(items: Sequence[str], limit: int = 12) -> str:
    shown = ", ".join(items[:limit])
    return shown if len(items) <= limit else f"{shown} and {len(items) - limit} more"
