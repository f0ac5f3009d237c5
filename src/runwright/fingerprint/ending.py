"""How a run ended where its lines may stand in another order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from runwright.fingerprint.graph import Graph
from runwright.trace import OutcomeClass, Trace
from runwright.trace.model import ModelRecord
from runwright.trace.outcome import outcome_at, outer_exchanges


def ending(trace: Trace, graph: Graph) -> OutcomeClass | None:
    """The outcome of the run; None where it ends in several ways and nothing tells which was last.

    A run ends with the outer exchange that no other comes after, the latest of several whose times are known.
    """
    ends = _ends(trace, graph)
    found = {outcome_at(trace, each) for each in ends or (None,)}
    if len(found) > 1 and all(each.t is not None for each in ends):
        latest = max(map(_ended, ends))
        found = {outcome_at(trace, each) for each in ends if _ended(each) == latest}
        return min(found, key=get_args(OutcomeClass).index)
    return found.pop() if len(found) == 1 else None


def _ended(exchange: ModelRecord) -> float:
    return (exchange.t or 0.0) + (exchange.duration or 0.0)


def _ends(trace: Trace, graph: Graph) -> Sequence[ModelRecord]:
    """The outer exchanges that no outer exchange comes after."""
    outer = {exchange.id for exchange in outer_exchanges(trace)}
    followed = [False] * len(graph.nodes)
    ends: list[ModelRecord] = []
    for place in reversed(range(len(graph.nodes))):
        model = graph.nodes[place].model
        leads = model is not None and model.id in outer
        if leads and model is not None and not followed[place]:
            ends.append(model)
        if leads or followed[place]:
            for each in graph.before[place]:
                followed[each] = True
    return ends
