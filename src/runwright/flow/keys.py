"""Keys that a schema does not know, each with the nearest one that it does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import TypeAlias, cast

from runwright.trace.model import JSON
from runwright.trace.schemas import schema

Where: TypeAlias = tuple[str | int, ...]
Node: TypeAlias = Mapping[str, JSON]


def unknown_keys(name: str, value: JSON) -> Iterator[tuple[Where, str, str]]:
    """Each key that the schema of that name does not know as (path, key, hint), in the order of the document."""
    root = cast("Node", schema(name))
    yield from _walk(value, root, root, ())


def _walk(value: JSON, node: Node, root: Node, path: Where) -> Iterator[tuple[Where, str, str]]:
    node = _resolved(value, node, root)
    if isinstance(value, dict):
        known, others = _node(node.get("properties")), node.get("additionalProperties")
        for key, each in value.items():
            if key in known:
                yield from _walk(each, _node(known[key]), root, (*path, key))
            elif others is False:
                yield (*path, key), key, _hint(key, known)
            elif isinstance(others, dict):
                yield from _walk(each, others, root, (*path, key))
    elif isinstance(value, list):
        for n, each in enumerate(value):
            yield from _walk(each, _node(node.get("items")), root, (*path, n))


def _resolved(value: JSON, node: Node, root: Node) -> Node:
    """The schema that applies, past references and the choice between one and several."""
    while "$ref" in node or "if" in node:
        if "$ref" in node:
            node = _node(_node(root["$defs"])[str(node["$ref"]).rsplit("/", 1)[-1]])
        else:
            node = _node(node["then" if isinstance(value, list) else "else"])
    return node


def _node(value: JSON) -> Node:
    return value if isinstance(value, dict) else {}


def _hint(key: str, known: Node) -> str:
    near = get_close_matches(key.lower(), list(known), n=1, cutoff=0.6)
    return f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(known)}"
