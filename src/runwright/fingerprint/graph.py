"""The causal graph: exchanges and calls, and which comes after which."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from runwright.fingerprint.calls import Call
from runwright.fingerprint.leads import wanted
from runwright.fingerprint.node import Node
from runwright.trace.model import HttpRecord, ModelRecord, Record

CONSIDERED = 32
"""How many calls with one id are weighed for one result."""


@dataclass(frozen=True)
class Graph:
    """`before` holds for each node those it directly comes after, all of them earlier nodes; edges that follow from
    others are left out. `inside` is the node that it is nested in. `serial` says that contents and times leave no two
    leading nodes unordered."""

    nodes: tuple[Node, ...]
    before: tuple[tuple[int, ...], ...]
    inside: tuple[int | None, ...]
    serial: bool


def graph_of(records: Sequence[Record], calls: Sequence[Call], results: Mapping[str, tuple[str, ...]]) -> Graph:
    """The graph of a run. Records that are no nodes are passed through: what came after them comes after theirs."""
    nodes, place_of = _nodes(records, calls)
    inside = _nesting(records, nodes, place_of)
    edges = wanted(records, nodes, place_of, inside)
    _add_answers(nodes, edges, results)
    before, serial = _reduced(nodes, edges)
    return Graph(tuple(nodes), before, inside, serial)


def _nodes(records: Sequence[Record], calls: Sequence[Call]) -> tuple[list[Node], dict[str, int]]:
    """The nodes in line order, a reply's calls right behind it, and the node that each record is (part) of."""
    at: dict[int, list[Call]] = defaultdict(list)
    for call in calls:
        at[call.at].append(call)
    bare = not calls and not any(isinstance(record, ModelRecord) for record in records)
    nodes: list[Node] = []
    place_of: dict[str, int] = {}
    for line, record in enumerate(records):
        timed = record.t is not None
        if isinstance(record, ModelRecord):
            place_of[record.id] = len(nodes)
            nodes.append(Node(record.id, record.agent, timed, model=record))
        elif bare and isinstance(record, HttpRecord):
            place_of[record.id] = len(nodes)
            nodes.append(Node(record.id, record.agent, timed, http=record))
        for call in at.get(line, ()):
            place_of |= dict.fromkeys(call.records, len(nodes))
            nodes.append(Node(call.asked_by or call.records[0], call.agent, timed, call=call))
    return nodes, place_of


def _add_answers(
    nodes: Sequence[Node],
    edges: list[set[int]],
    results: Mapping[str, tuple[str, ...]],
) -> None:
    """A request that carries a call's result comes after the call; of calls with one id, the latest before it."""
    given: dict[str, list[int]] = defaultdict(list)
    for place, node in enumerate(nodes):
        if node.call is not None and node.call.call_id is not None:
            given[node.call.call_id].append(place)
        elif node.model is not None:
            for call_id in results.get(node.model.id, ()):
                edges[place] |= _answered(given[call_id], edges[place], edges)


def _answered(same_id: Sequence[int], near: set[int], edges: Sequence[set[int]]) -> set[int]:
    """Those of the calls that the request is close to by its own edges, else the latest."""
    latest = same_id[-CONSIDERED:]
    close = {each for each in latest if each in near or not near.isdisjoint(edges[each])}
    return close or set(latest[-1:])


def _reduced(nodes: Sequence[Node], edges: Sequence[set[int]]) -> tuple[tuple[tuple[int, ...], ...], bool]:
    """The edges that follow from no others, and whether the leading nodes form one line.

    What came before a node is held as a bit set, and only while a later node may ask for it.
    """
    last_use = {each: place for place, befores in enumerate(edges) for each in befores}
    leaves: dict[int, list[int]] = defaultdict(list)
    for each, place in last_use.items():
        leaves[place].append(each)
    known: dict[int, int] = {}
    before: list[tuple[int, ...]] = []
    leader, serial = 0, True
    for place, node in enumerate(nodes):
        mine = sorted((each for each in edges[place] if each < place), reverse=True)
        kept, reached = [], 0
        for each in mine:
            if not reached >> each & 1:
                kept.append(each)
                reached |= known[each]
        before.append(tuple(reversed(kept)))
        if node.leads:
            serial = serial and (leader == 0 or bool(reached & leader))
            leader = 1 << place
        known[place] = reached | 1 << place
        for each in leaves[place]:
            known.pop(each, None)
        if place not in last_use:
            del known[place]
    return tuple(before), serial


def _nesting(records: Sequence[Record], nodes: Sequence[Node], place_of: Mapping[str, int]) -> tuple[int | None, ...]:
    """The nearest call around each node; a call of a reply lies where the reply lies."""
    parents = {record.id: record.parent for record in records}
    holders = {each: place for each, place in place_of.items() if nodes[place].call is not None}
    return tuple(_around(place, node, holders, parents) for place, node in enumerate(nodes))


def _around(place: int, node: Node, holders: Mapping[str, int], parents: Mapping[str, str | None]) -> int | None:
    seen = {node.origin}
    each = parents.get(node.origin)
    while each is not None and each not in seen:
        seen.add(each)
        found = holders.get(each)
        if found is not None and found != place:
            return found
        each = parents.get(each)
    return None
