"""A trace against the agent as it is now."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from runwright.drift.agent_spec import AgentSpec
from runwright.drift.compare import Comparison, compare
from runwright.drift.recorded import recorded
from runwright.drift.stated import stated
from runwright.drift.terms import Terms, now_window
from runwright.errors import IncompleteTrace
from runwright.match.volatile import recorded_window
from runwright.trace import Trace

UNSEALED = "its seal is missing or wrong"
UNSEALED_HINT = "runwright seal FILE, once its lines are right"


def agent_drift(trace: Trace, spec: AgentSpec, now: datetime, *, ignore_whitespace: bool = False) -> Comparison:
    """What the trace knows of its agent's specification against what the agent says of itself at `now`.

    IncompleteTrace for a trace that cannot be trusted; AgentSpecError where two tools have one name.
    """
    if not trace.complete:
        raise IncompleteTrace(UNSEALED, place=trace.header.trace_id, hint=UNSEALED_HINT)
    then = recorded_window(trace.header.started_at, trace.header.duration)
    terms = Terms(window=then, ignore_whitespace=ignore_whitespace)
    today = replace(terms, window=now_window(now) if then else None, then=then, live=True)
    return compare(recorded(trace, terms, server=spec.server), stated(spec, today))
