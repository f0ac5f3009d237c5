"""Attributes that were flattened with dots and indexes, as the values they stand for."""

from __future__ import annotations

from runwright.readers.spans.span import Attributes, Span, once
from runwright.trace.model import JSON

LARGEST = 100_000
"""An index beyond this is no index."""


ROOTS = (
    "gen_ai.prompt.",
    "gen_ai.completion.",
    "llm.request.functions.",
    "llm.input_messages.",
    "llm.output_messages.",
    "llm.tools.",
)
"""What is flattened of model calls."""


def flattened(span: Span, root: str) -> JSON:
    """The value below one of these roots of a span's attributes."""
    held = _by_root(span).get(f"{root}.")
    return nested(held, root) if held else None


@once
def _by_root(span: Span) -> dict[str, Attributes]:
    found: dict[str, Attributes] = {}
    root = ROOTS[0]
    for key in [each for each in span.attributes if each.startswith(ROOTS)]:
        if not key.startswith(root):  # those below one root stand together
            root = next(each for each in ROOTS if key.startswith(each))
        if root not in found:
            found[root] = {}
        found[root][key] = span.attributes[key]
    return found


def nested(attributes: Attributes, prefix: str) -> JSON:
    """The value below a prefix: objects, and lists where every key is an index; None where nothing is below it."""
    tree: dict[str, JSON] = {}
    start = f"{prefix}."
    for key in [each for each in attributes if each.startswith(start)]:
        _put(tree, key[len(start) :].split("."), attributes[key])
    return _listed(tree) if tree else None


def _put(tree: dict[str, JSON], path: list[str], value: JSON) -> None:
    for step in path[:-1]:
        below = tree.setdefault(step, {})
        if not isinstance(below, dict):
            return
        tree = below
    tree.setdefault(path[-1], value)


def _listed(value: JSON) -> JSON:
    if not isinstance(value, dict):
        return value
    children = {key: _listed(each) for key, each in value.items()}
    if (
        children
        and next(iter(children))[:1].isdigit()
        and all(key.isascii() and key.isdigit() and int(key[:9]) < LARGEST for key in children)
    ):
        return [children[key] for key in sorted(children, key=int)]
    return children


def objects(value: JSON) -> list[dict[str, JSON]]:
    """The objects of a list; a single object under a list's place counts as one."""
    items = value if isinstance(value, list) else [value]
    return [each for each in items if isinstance(each, dict)]
