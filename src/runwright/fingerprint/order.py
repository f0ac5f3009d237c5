"""Where each node stands: its level in the causal order, and within what it is nested in."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from runwright.fingerprint.graph import Graph

    Place = tuple[int, ...]

DEEPEST = 32
"""Nesting beyond this depth counts as one level."""


def places(graph: Graph) -> list[Place]:
    """For each node its level in its own scope, behind those of the calls around it, outermost first.

    Nodes with equal places are parallel; a node nested in a call stands behind that call and before what follows it.
    """
    levels: list[int] = []
    if all(each is None for each in graph.inside):
        for before in graph.before:
            levels.append(1 + max([levels[each] for each in before], default=-1))
        return [(level,) for level in levels]
    for node, before in enumerate(graph.before):
        below = (_lifted(each, graph.inside[node], graph.inside) for each in before)
        levels.append(1 + max((levels[each] for each in below if each is not None and each < node), default=-1))
    return [_path(node, levels, graph.inside) for node in range(len(levels))]


def _lifted(node: int, scope: int | None, inside: Sequence[int | None]) -> int | None:
    """The node, or the call around it that lies in the scope; None where there is none."""
    each: int | None = node
    for _ in range(DEEPEST):
        if each is None or inside[each] == scope:
            return each
        each = inside[each]
    return None


def _path(node: int, levels: list[int], inside: Sequence[int | None]) -> Place:
    path = [levels[node]]
    each = inside[node]
    while each is not None and len(path) < DEEPEST:
        path.append(levels[each])
        each = inside[each]
    return tuple(reversed(path))
