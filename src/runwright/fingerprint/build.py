"""From a trace to its fingerprint."""

from __future__ import annotations

from runwright.fingerprint.basis import basis
from runwright.fingerprint.calls import union
from runwright.fingerprint.ending import ending
from runwright.fingerprint.endpoints import endpoints
from runwright.fingerprint.fold import counted
from runwright.fingerprint.graph import graph_of
from runwright.fingerprint.hashing import graph_hash
from runwright.fingerprint.history import new_results
from runwright.fingerprint.model import Fingerprint
from runwright.fingerprint.sequences import sequences
from runwright.fingerprint.shape import tool
from runwright.trace import Trace


def fingerprint(trace: Trace) -> Fingerprint:
    """What the run did: equal for runs that differ in ids, times, ephemeral ports, line order, the order of parallel
    calls or the format they came in; another for any other tool, argument shape, endpoint, model, effect, causal order,
    outcome or number of calls up to two."""
    results = new_results(trace.records)
    calls = union(trace.records, results)
    graph = graph_of(trace.records, calls, results)
    outcome = ending(trace, graph)
    known = basis(trace, graph, calls, outcome)
    return Fingerprint(
        tools=tuple(sorted({written for call in calls for written in tool(call.name, call.shapes)})),
        tool_sequences=sequences(graph),
        endpoints=endpoints(trace),
        models=tuple(sorted({exchange.request.model for exchange in trace.models if exchange.request.model})),
        side_effect_kinds=counted(effect.side_effect.kind for effect in trace.effects),
        graph_hash=graph_hash(graph, known),
        outcome_class=outcome or "unknown",
        basis=tuple(sorted(known)),
    )
