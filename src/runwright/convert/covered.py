"""Whether two traces show the same behaviour, so that one accepted flow already covers both."""

from __future__ import annotations

from dataclasses import dataclass

from runwright.convert.calls import tool_calls
from runwright.flow import Call
from runwright.trace import outcome_class
from runwright.trace.model import Trace


@dataclass(frozen=True)
class Behaviour:
    """What a run did, without its words: tool sequences per agent, models, effect kinds and how it ended."""

    sequences: tuple[tuple[tuple[str, ...], ...], ...]
    models: tuple[str, ...]
    effects: tuple[str, ...]
    outcome: str


def behaviour(trace: Trace) -> Behaviour:
    """The behaviour of a trace; the order of parallel calls and the names of ids do not enter."""
    agents = {record.id: record.agent or "" for record in trace.records}
    calls = tool_calls(trace.records)
    sequences = {agent: _sequence(calls, agents, agent) for agent in agents.values()}
    return Behaviour(
        sequences=tuple(sorted(sequence for sequence in sequences.values() if sequence)),
        models=tuple(sorted({exchange.request.model for exchange in trace.models})),
        effects=tuple(sorted(effect.side_effect.kind for effect in trace.effects)),
        outcome=str(outcome_class(trace)),
    )


def same_behaviour(first: Trace, second: Trace) -> bool:
    """The two traces called the same tools in the same order on the same models and ended alike."""
    return behaviour(first) == behaviour(second)


def _sequence(calls: tuple[Call, ...], agents: dict[str, str], agent: str) -> tuple[tuple[str, ...], ...]:
    """One agent's calls: a tuple a reply, sorted within it, since calls of one reply are parallel."""
    steps: dict[str, list[str]] = {}
    for call in calls:
        by = call.requested or call.executed or ""
        if agents.get(by) == agent:
            steps.setdefault(by, []).append(call.tool)
    return tuple(tuple(sorted(names)) for names in steps.values())
