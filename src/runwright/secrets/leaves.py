"""Every text of a JSON value with its path, the name it stands under, and whether it is a key."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from runwright.secrets.located import Parts
from runwright.secrets.names import naming, naming_of_pair
from runwright.trace.model import JSON

Kind = Literal["text", "number", "key"]

SCHEMA_TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})
SCHEMA_WORDS = frozenset({"$ref", "anyOf", "oneOf", "allOf", "enum", "properties", "description"})
SCHEMA_VALUES = frozenset({"default", "const", "example", "examples"})
PAIR_NAMES, PAIR_VALUES = ("name", "key", "header", "field"), ("value", "val")
PAIRED = re.compile(r"header|cookie|param|query|env|field|form", re.IGNORECASE)
IDENTITY = re.compile(r"user|login|email|name|^id$|_id$|Id$|type|kind|role|scope|host|port|url|region", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A text (a number's as it is written) and the name that says what it is; empty where none does."""

    parts: Parts
    text: str
    name: str
    kind: Kind = "text"


def leaves(value: JSON) -> Iterator[Leaf]:
    """Every string, key, and number under a telling name, in document order."""
    stack: list[tuple[object, Parts, str]] = [(value, (), "")]
    while stack:
        node, parts, name = stack.pop()
        if isinstance(node, str):
            yield Leaf(parts, node, name)
        elif isinstance(node, dict):
            for key in node:
                yield Leaf((*parts, key), key, "", "key")
            stack.extend((node[key], (*parts, key), under) for key, under in reversed(_named(node, name)))
        elif isinstance(node, (list, tuple)):
            names = _names_of_items(node, parts, name)
            stack.extend((node[at], (*parts, at), names[at]) for at in range(len(node) - 1, -1, -1))
        elif name and not isinstance(node, bool) and isinstance(node, (int, float)):
            yield Leaf(parts, _number_text(node), name, "number")


def lists(value: JSON) -> Iterator[tuple[Parts, Sequence[JSON]]]:
    """Every list in a value that has more than one item, with its path."""
    stack: list[tuple[JSON, Parts]] = [(value, ())]
    while stack:
        node, parts = stack.pop()
        if isinstance(node, dict):
            stack.extend(
                (node[key], (*parts, key)) for key in reversed(node) if isinstance(node[key], (dict, list, tuple))
            )
        elif isinstance(node, (list, tuple)):
            if len(node) > 1:
                yield parts, node
            stack.extend((each, (*parts, at)) for at, each in enumerate(node) if isinstance(each, (dict, list, tuple)))


def _number_text(number: int | float) -> str:
    try:
        return repr(number)
    except ValueError:  # an integer too long to be written in decimal
        return hex(number) if isinstance(number, int) else ""


def _named(node: dict[str, object], above: str) -> list[tuple[str, str]]:
    """Each key with the name its value stands under."""
    paired = next((str(node[key]) for key in PAIR_NAMES if isinstance(node.get(key), str)), "")
    schema = bool(above) and is_schema(node)
    result = []
    for key in node:
        if naming(key):
            name = key
        elif paired and key in PAIR_VALUES and naming_of_pair(paired):
            name = paired
        elif not above or (schema and key not in SCHEMA_VALUES) or IDENTITY.search(key):
            name = ""
        else:
            name = above if key in PAIR_VALUES or schema else "secrets"
        result.append((key, name))
    return result


def _names_of_items(node: Sequence[object], parts: Parts, above: str) -> list[str]:
    """Items of a list stand under the list's name; the second of a (name, value) pair under the first."""
    if len(node) == 2 and len(parts) >= 2 and isinstance(parts[-1], int) and isinstance(node[0], str):
        holder = parts[-2]
        if isinstance(holder, str) and PAIRED.search(holder) and naming_of_pair(node[0]):
            return ["", node[0]]
    if len(node) > 1 and all(isinstance(each, str) for each in node):
        return [_option(option, each) or above for option, each in zip(("", *node), node, strict=False)]
    return [above] * len(node)


def _option(text: object, after: object) -> str:
    """An option of a command line that says what the next argument is."""
    if not isinstance(text, str) or not text.startswith("--") or str(after).startswith("-"):
        return ""
    return text if "=" not in text and naming(text) else ""


def is_schema(node: dict[str, object]) -> bool:
    """Whether an object describes a value (JSON Schema) rather than holds one."""
    kind = node.get("type")
    if isinstance(kind, str) and kind in SCHEMA_TYPES:
        return True
    return isinstance(kind, (list, tuple)) or bool(SCHEMA_WORDS & node.keys())
