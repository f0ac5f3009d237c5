"""Whether a flow can be judged at all on its cassette: `until` names an exchange, and leaves no assertion open."""

from __future__ import annotations

from runwright.errors import FlowError
from runwright.flow import Flow
from runwright.flow.prose import prose
from runwright.flow.until import undecidable
from runwright.trace.model import Trace


def require_decidable(flow: Flow, cassette: Trace, place: str) -> None:
    """FlowError unless `until` is an exchange of the cassette and decides every assertion by its next request."""
    until = flow.replay.until
    if until is None:
        return
    ids = [exchange.id for exchange in cassette.models]
    if until not in ids:
        hint = f"one of: {', '.join(ids)}"
        raise FlowError(f"replay.until is {until!r}, which is no exchange of the cassette", place=place, hint=hint)
    for step in flow.steps:
        why = undecidable(step.assertion, until, cassette)
        if why:
            hint = "leave the assertion out, choose a later --until, or '--until end'"
            raise FlowError(f"{prose(step.assertion)!r} cannot be decided: {why}", place=place, hint=hint)
