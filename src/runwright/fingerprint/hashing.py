"""One hash for a causal graph, whatever the ids and the order of the lines."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise

from blake3 import blake3

from runwright.fingerprint.fold import folded
from runwright.fingerprint.shape import tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from runwright.fingerprint.graph import Graph
    from runwright.fingerprint.model import Fact
    from runwright.fingerprint.node import Node

MANY = 3
"""So many stand for that many or more."""


def graph_hash(graph: Graph, known: Collection[Fact]) -> str:
    """`blake3:<hex>` over the graph; of models and arguments only what is known enters.

    Each node is hashed with what came before it, then with what comes after, then with what is nested in it; the hash
    is that of all of these, sorted. A row of three or more equal steps counts as three.
    """
    labels: dict[tuple[str, ...], bytes] = {}
    shortened = _shortened(_Edges(graph, [_labelled(_label(node, known), labels) for node in graph.nodes]))
    return f"blake3:{_hash('graph', *sorted(_hashes(shortened))).hex()}"


def _label(node: Node, known: Collection[Fact]) -> tuple[str, ...]:
    if node.exchange is not None:
        return ("exchange", node.exchange.model if "models" in known else "")
    if node.call is not None:
        shapes = node.call.shapes if "arguments" in known else ()
        return ("call", *tool(node.call.name, shapes))
    assert node.http is not None  # noqa: S101 # one of the three is set
    return ("http", node.http.endpoint)


def _labelled(parts: tuple[str, ...], labels: dict[tuple[str, ...], bytes]) -> bytes:
    """The hash of the parts, the same object for the same parts: runs do few things, and those often."""
    found = labels.get(parts)
    if found is None:
        found = labels[parts] = _hash(*parts)
    return found


_NODE = (32).to_bytes(8, "big")
"""What stands before a part that is a hash itself."""


def _hash(*parts: str | bytes) -> bytes:
    """The hash of some parts, each written with its length before it."""
    written: list[bytes] = []
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        written += (_NODE if len(data) == 32 else len(data).to_bytes(8, "big"), data)
    return blake3(b"".join(written)).digest()


class _Edges:
    """A graph that may be shortened: nodes that are gone have no label."""

    __slots__ = ("after", "before", "calls", "holds", "inside", "is_call", "labels")

    def __init__(self, graph: Graph, labels: Sequence[bytes]) -> None:
        self.labels: list[bytes | None] = list(labels)
        self.before: list[Sequence[int]] = list(graph.before)
        self.inside = graph.inside
        self.is_call = [node.call is not None for node in graph.nodes]
        self.holds = {each for each in graph.inside if each is not None}
        after: list[list[int]] = [[] for _ in graph.nodes]
        calls: list[list[int]] = [[] for _ in graph.nodes]
        for place, (node, befores) in enumerate(zip(graph.nodes, graph.before, strict=True)):
            for each in befores:
                after[each].append(place)
                if not node.leads:
                    calls[each].append(place)
        self.after: list[Sequence[int]] = list(after)
        self.calls: list[Sequence[int]] = list(calls)

    def ends(self, leader: int) -> Sequence[int]:
        """What a step ends with: its calls, or itself where it has none."""
        return self.calls[leader] or [leader]


def _thinned(edges: _Edges) -> None:
    """Of parallel calls that are alike in every way, three stand for all."""
    alike: dict[tuple[object, ...], int] = Counter()
    gone = False
    for place, calls in enumerate(edges.is_call):
        if calls and place not in edges.holds:
            befores = edges.before[place]
            if befores and len(edges.after[befores[0]]) <= MANY:
                continue  # too few come after the same
            key = (edges.labels[place], tuple(befores), tuple(edges.after[place]), edges.inside[place])
            alike[key] += 1
            if alike[key] > MANY:
                edges.labels[place] = None
                gone = True
    if not gone:
        return
    for lists in (edges.before, edges.after, edges.calls):
        for place, each in enumerate(lists):
            lists[place] = [other for other in each if edges.labels[other] is not None]


def _shortened(edges: _Edges) -> _Edges:
    """The graph with each row of equal steps cut to three; a step is an exchange with its calls, or a call alone."""
    _thinned(edges)
    for row in _rows(edges):
        kept = [place for item in folded([_step(leader, edges) for leader in row]) for place in item.kept]
        for place in sorted(set(range(len(row))) - set(kept)):
            for gone in (row[place], *edges.calls[row[place]]):
                edges.labels[gone] = None
        for left, right in pairwise(kept):
            _connect(row[left], row[right], edges)
    return edges


def _step(leader: int, edges: _Edges) -> str:
    label, calls = edges.labels[leader] or b"", sorted(edges.labels[each] or b"" for each in edges.calls[leader])
    return _hash(label, *calls).hex()


def _connect(left: int, right: int, edges: _Edges) -> None:
    edges.before[right] = list(edges.ends(left))
    for end in edges.ends(left):
        edges.after[end] = [right]


def _rows(edges: _Edges) -> list[list[int]]:
    """Steps that follow each other and nothing else: the last of a row may be followed by anything."""
    called = {call for calls in edges.calls for call in calls}
    rows: list[list[int]] = []
    row_of: dict[int, list[int]] = {}
    for leader in range(len(edges.labels)):
        if leader in called or edges.labels[leader] is None:
            continue
        previous = _previous(leader, edges, called)
        if previous is None:
            row_of[leader] = [leader]
            rows.append(row_of[leader])
        else:
            row_of[leader] = row_of[previous]
            row_of[leader].append(leader)
    return [row for row in rows if len(row) > MANY]


def _previous(leader: int, edges: _Edges, called: set[int]) -> int | None:
    """The one step that hands over to this one alone, and that nothing is nested in."""
    befores = edges.before[leader]
    if not befores:
        return None
    first = befores[0]
    previous = edges.before[first][0] if first in called else first
    ends = edges.ends(previous)
    alone = set(befores) == set(ends) and all(edges.after[each] == [leader] for each in ends)
    whole = len(edges.after[previous]) == len(edges.calls[previous]) or not edges.calls[previous]
    nested = edges.inside[previous] != edges.inside[leader] or not edges.holds.isdisjoint((previous, *ends))
    return previous if alone and whole and not nested else None


def _hashes(edges: _Edges) -> list[bytes]:
    """The hash of every node that is left."""
    live = [place for place, label in enumerate(edges.labels) if label is not None]
    forth: dict[int, bytes] = {}
    for place in live:
        forth[place] = _hash(edges.labels[place] or b"", *sorted(forth[each] for each in edges.before[place]))
    back: dict[int, bytes] = {}
    for place in reversed(live):
        back[place] = _hash(forth[place], *sorted(back[each] for each in edges.after[place]))
    return _filled(_outermost_first(live, edges), edges, back)


def _outermost_first(live: Sequence[int], edges: _Edges) -> list[int]:
    """The nodes, each behind the one it is nested in; a circle of nestings, which no reader lets pass, is left out."""
    within: dict[int | None, list[int]] = defaultdict(list)
    for place in live:
        within[edges.inside[place]].append(place)
    found = list(within[None])
    for each in found:  # grows while it is read
        found += within[each]
    return found


def _filled(order: Sequence[int], edges: _Edges, back: dict[int, bytes]) -> list[bytes]:
    """Each node's hash with those of all that is nested in it."""
    held: dict[int | None, list[bytes]] = defaultdict(list)
    found: list[bytes] = []
    for place in reversed(order):
        mine = _hash("of", back[place], *sorted(held[place]))
        held[edges.inside[place]].append(mine)
        found.append(mine)
    return found
