"""What each agent called, in causal order."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import groupby

from runwright.fingerprint.fold import folded, times
from runwright.fingerprint.order import places
from runwright.fingerprint.shape import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from runwright.fingerprint.graph import Graph
    from runwright.fingerprint.order import Place

PARALLEL = "["
"""What a step of parallel calls begins with."""


def sequences(graph: Graph) -> tuple[tuple[str, ...], ...]:
    """The sequences of the agents that called a tool, sorted; the agents' names do not enter."""
    called: dict[str | None, list[tuple[Place, str]]] = defaultdict(list)
    for node, place in zip(graph.nodes, places(graph), strict=True):
        if node.call is not None:
            called[node.agent].append((place, node.call.name))
    return tuple(sorted(tuple(item.text for item in folded(list(_steps(mine)))) for mine in called.values()))


def _steps(called: list[tuple[Place, str]]) -> Iterator[str]:
    for _, group in groupby(sorted(called), key=lambda each: each[0]):
        counts = Counter(quoted(name) for _, name in group)
        if counts.total() == 1:
            yield next(iter(counts))
        else:
            yield f"{PARALLEL}{', '.join(f'{name} {times(count)}' for name, count in sorted(counts.items()))}]"
