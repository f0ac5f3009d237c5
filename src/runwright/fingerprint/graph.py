"""The causal graph: exchanges and calls, and which comes after which."""

from __future__ import annotations

from collections import defaultdict

from runwright.fingerprint.leads import wanted
from runwright.fingerprint.node import Node
from runwright.fingerprint.note import Exchange, Http

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from runwright.fingerprint.calls import Call
    from runwright.fingerprint.note import Note

CONSIDERED = 32
"""How many calls with one id are weighed for one result."""


class Graph:
    """`before` holds for each node those it directly comes after, all of them earlier nodes; edges that follow from
    others are left out. `inside` is the node that it is nested in. `serial` says that contents and times leave no two
    leading nodes unordered."""

    __slots__ = ("before", "inside", "nodes", "serial")

    def __init__(
        self, nodes: Sequence[Node], before: Sequence[tuple[int, ...]], inside: Sequence[int | None], serial: bool
    ) -> None:
        self.nodes = nodes
        self.before = before
        self.inside = inside
        self.serial = serial


def graph_of(notes: Sequence[Note], calls: Sequence[Call]) -> Graph:
    """The graph of a run. Records that are no nodes are passed through: what came after them comes after theirs."""
    nodes, place_of = _nodes(notes, calls)
    inside = _nesting(notes, nodes, place_of)
    edges = wanted(notes, nodes, place_of, inside)
    _add_answers(nodes, edges)
    before, serial = _reduced(nodes, edges)
    return Graph(nodes, before, inside, serial)


def _nodes(notes: Sequence[Note], calls: Sequence[Call]) -> tuple[list[Node], dict[str, int]]:
    """The nodes in line order, a reply's calls right behind it, and the node that each record is (part) of."""
    at: dict[int, list[Call]] = defaultdict(list)
    for call in calls:
        at[call.at].append(call)
    bare = not calls and not any(type(note) is Exchange for note in notes)
    nodes: list[Node] = []
    place_of: dict[str, int] = {}
    for line, note in enumerate(notes):
        timed = note.t is not None
        if type(note) is Exchange:
            place_of[note.id] = len(nodes)
            nodes.append(Node(note.id, note.agent, timed, exchange=note))
        elif bare and type(note) is Http:
            place_of[note.id] = len(nodes)
            nodes.append(Node(note.id, note.agent, timed, http=note))
        for call in at.get(line, ()):
            for each in call.records:
                place_of[each] = len(nodes)
            nodes.append(Node(call.asked_by or call.records[0], call.agent, timed, call=call))
    return nodes, place_of


def _add_answers(nodes: Sequence[Node], edges: list[set[int]]) -> None:
    """A request that carries a call's result comes after the call; of calls with one id, the latest before it."""
    given: dict[str, list[int]] = defaultdict(list)
    for place, node in enumerate(nodes):
        if node.call is not None and node.call.call_id is not None:
            given[node.call.call_id].append(place)
        elif node.exchange is not None:
            for call_id in node.exchange.results:
                if call_id in given:
                    edges[place] |= _answered(given[call_id], edges[place], edges)


def _answered(same_id: Sequence[int], near: set[int], edges: Sequence[set[int]]) -> set[int]:
    """Those of the calls that the request is close to by its own edges, else the latest."""
    latest = same_id[-CONSIDERED:]
    close = {each for each in latest if each in near or not near.isdisjoint(edges[each])}
    return close or set(latest[-1:])


def _reduced(nodes: Sequence[Node], edges: Sequence[set[int]]) -> tuple[list[tuple[int, ...]], bool]:
    """The edges that follow from no others, and whether the leading nodes form one line.

    What came before a node is held as a bit set, while a later node may ask for it, from the first node on that any
    later one asks for: a run that goes on and on asks for the last few alone.
    """
    last_use = {each: place for place, befores in enumerate(edges) for each in befores}
    leaves: dict[int, list[int]] = defaultdict(list)
    for each, place in last_use.items():
        leaves[place].append(each)
    known: dict[int, tuple[int, int]] = {}
    before: list[tuple[int, ...]] = []
    leader, serial, low = -1, True, 0
    for place, node in enumerate(nodes):
        while low < (place if leader < 0 else leader) and last_use.get(low, -1) < place:
            low += 1
        kept, reached = [], 0
        for each in sorted((each for each in edges[place] if each < place), reverse=True):
            if not reached >> each - low & 1:
                kept.append(each)
                bits, start = known[each]
                reached |= bits >> low - start
        before.append(tuple(reversed(kept)))
        if node.leads:
            serial = serial and (leader < 0 or bool(reached >> leader - low & 1))
            leader = place
        if place in last_use:
            known[place] = reached | 1 << place - low, low
        for each in leaves.pop(place, ()):
            known.pop(each, None)
    return before, serial


def _nesting(notes: Sequence[Note], nodes: Sequence[Node], place_of: Mapping[str, int]) -> tuple[int | None, ...]:
    """The nearest call around each node; a call of a reply lies where the reply lies."""
    parents = {note.id: note.parent for note in notes if note.parent is not None}
    if not parents:
        return (None,) * len(nodes)
    holders = {each: place for each, place in place_of.items() if nodes[place].call is not None}
    return tuple(_around(place, node, holders, parents) for place, node in enumerate(nodes))


def _around(place: int, node: Node, holders: Mapping[str, int], parents: Mapping[str, str]) -> int | None:
    seen = {node.origin}
    each = parents.get(node.origin)
    while each is not None and each not in seen:
        seen.add(each)
        found = holders.get(each)
        if found is not None and found != place:
            return found
        each = parents.get(each)
    return None
