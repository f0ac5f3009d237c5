"""The shape of a call's arguments: key paths and JSON types, no values."""

from __future__ import annotations

import json
import re
from collections import defaultdict

from runwright.fingerprint.ids import general
from runwright.trace.paths import WILD, format_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable

    from runwright.trace.model import JSON
    from runwright.trace.paths import Part

REMEMBERED = 4096
"""Forms whose shapes are remembered."""

_SHAPES: dict[Hashable, str] = {}
_PLAIN = re.compile(r"[\w.:/@-]+")
UNKNOWN = "?"


def shape(arguments: JSON) -> str:
    """`amount: number, items[*].sku: string`, sorted; empty for no arguments. Takes any depth of nesting."""
    try:
        form = _form(arguments)
    except RecursionError:
        return _shape(arguments)
    found = _SHAPES.get(form)
    if found is None:
        if len(_SHAPES) >= REMEMBERED:
            _SHAPES.clear()
        found = _SHAPES[form] = _shape(arguments)
    return found


def _form(value: JSON) -> Hashable:
    """What values of one shape have in common, and some of them only: keys in their order, and types."""
    if type(value) is dict:
        return (dict, *value, *map(_form, value.values()))
    if type(value) is list:
        return (list, *dict.fromkeys(map(_form, value)))
    return type(value)  # type: ignore[return-value] # every type can be hashed


def _shape(arguments: JSON) -> str:
    types: dict[str, set[str]] = defaultdict(set)
    waiting: list[tuple[tuple[Part, ...], JSON]] = [((), arguments)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict) and value:
            waiting += [((*path, general(key)), each) for key, each in value.items()]
        elif isinstance(value, list) and value:
            waiting += [((*path, WILD), each) for each in value]
        elif path or value not in (None, {}):
            types[_shown(path)].add(_type(value))
    return ", ".join(f"{path}: {'|'.join(sorted(found))}" for path, found in sorted(types.items()))


def _shown(path: tuple[Part, ...]) -> str:
    written = format_path(path)
    return written.removeprefix("$.")


def _type(value: JSON) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case dict():
            return "object"
        case _:
            return "array"


def arguments_of(arguments: JSON, text: str | None) -> JSON:
    """The arguments of a requested call: parsed, or the text where they are no JSON; None for none."""
    if arguments is not None or text is None:
        return arguments
    try:
        value: JSON = json.loads(text or "null")
    except (ValueError, RecursionError):
        return text
    return value


def quoted(name: str) -> str:
    """The name, in quotes where it could be taken for something else."""
    return name if _PLAIN.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def tool(name: str, shapes: tuple[str, ...]) -> tuple[str, ...]:
    """`name(shape)`, once for each shape in which the call is seen; `name(?)` where none is."""
    return tuple(f"{quoted(name)}({each})" for each in shapes or (UNKNOWN,))


def name_of(written: str) -> str:
    """The (quoted) name in a tool as it is written."""
    if not written.startswith('"'):
        return written.partition("(")[0]
    _, end = json.JSONDecoder().raw_decode(written)
    return written[:end]
