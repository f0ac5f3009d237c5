"""How a run ended where its lines may stand in another order."""

from __future__ import annotations

from runwright.trace.ends import OUTCOMES, decided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from runwright.fingerprint.graph import Graph
    from runwright.fingerprint.note import Exchange, Noted
    from runwright.trace.ends import OutcomeClass


def ending(noted: Noted, graph: Graph) -> OutcomeClass | None:
    """The outcome of the run; None where it ends in several ways and nothing tells which was last.

    A run ends with the outer exchange that no other comes after, the latest of several whose times are known.
    """
    ends = _ends(noted, graph)
    found = {_outcome(noted, each) for each in ends or (None,)}
    if len(found) > 1 and all(each.t is not None for each in ends):
        latest = max(each.ended for each in ends)
        found = {_outcome(noted, each) for each in ends if each.ended == latest}
        return min(found, key=OUTCOMES.index)
    return found.pop() if len(found) == 1 else None


def _outcome(noted: Noted, last: Exchange | None) -> OutcomeClass:
    return decided(
        faults=noted.faults,
        complete=noted.complete,
        cut=last.cut if last else False,
        failure=last.failure if last else None,
        denied=noted.denied,
        failed=noted.failed,
        close=last.close if last else "unknown",
    )


def _ends(noted: Noted, graph: Graph) -> Sequence[Exchange]:
    """The outer exchanges that no outer exchange comes after; all count as outer where every one is nested."""
    nested = all(note.parent is not None for note in noted.exchanges)
    followed = [False] * len(graph.nodes)
    ends: list[Exchange] = []
    for place in reversed(range(len(graph.nodes))):
        exchange = graph.nodes[place].exchange
        leads = exchange is not None and (nested or exchange.parent is None)
        if leads and exchange is not None and not followed[place]:
            ends.append(exchange)
        if leads or followed[place]:
            for each in graph.before[place]:
                followed[each] = True
    return ends
