"""Deciding small traces by their schema without the library that decides great ones, which takes longer to load.

It knows what the schema of traces says and no more: NotSure for anything else, and for what JSON Schema and the model
take for two things, such as 1.0, which is an integer to the one only.
"""

# ruff: noqa: PTH118, PTH120, PTH123 (pathlib takes as long to load as a small trace to read)
from __future__ import annotations

import json
import os
import re

TYPE_CHECKING = False  # the module typing takes longer to load than a small trace to read
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from runwright.trace.model import JSON

    Schema: TypeAlias = dict[str, Any]
    Keyword: TypeAlias = Callable[["Holds", Any, Any, Schema], bool]

_TOLD = frozenset(("description", "title", "format"))
"""What tells people about a value, and decides nothing."""


class NotSure(Exception):
    """Whether the value holds is for others to say."""


class Holds:
    """Decides values by the definitions of a schema."""

    def __init__(self, schema: Schema) -> None:
        self._definitions: Schema = schema["$defs"]

    def __call__(self, value: JSON, definition: str) -> bool:
        """Whether a value is what the definition says; NotSure where that is for others to say."""
        return self._holds(value, self._definitions[definition])

    def _holds(self, value: JSON, schema: Schema) -> bool:
        for name, said in schema.items():
            if name in _TOLD:
                continue
            if name not in _KEYWORDS:
                raise NotSure
            if not _KEYWORDS[name](self, value, said, schema):
                return False
        return True

    def _reference(self, value: JSON, said: Any, _: Schema) -> bool:
        if not said.startswith("#/$defs/"):
            raise NotSure
        return self._holds(value, self._definitions[said.removeprefix("#/$defs/")])

    def _type(self, value: JSON, said: Any, _: Schema) -> bool:
        kinds = [said] if isinstance(said, str) else said
        if isinstance(value, float) and "integer" in kinds and "number" not in kinds and value == int(value):
            raise NotSure
        return any(type(value) in _TYPES[kind] for kind in kinds)

    def _const(self, value: JSON, said: Any, _: Schema) -> bool:
        if type(value) is not type(said) and value == said:
            raise NotSure
        return bool(value == said)

    def _enum(self, value: JSON, said: Any, schema: Schema) -> bool:
        return any(self._const(value, each, schema) for each in said)

    def _pattern(self, value: JSON, said: Any, _: Schema) -> bool:
        if not isinstance(value, str):
            return True
        if "$" in said and value.endswith("\n"):  # where Python's `$` says yes to a line end
            raise NotSure
        return re.search(said, value) is not None

    def _properties(self, value: JSON, said: Any, _: Schema) -> bool:
        return not isinstance(value, dict) or all(
            self._holds(each, said[key]) for key, each in value.items() if key in said
        )

    def _additional(self, value: JSON, said: Any, schema: Schema) -> bool:
        if not isinstance(value, dict):
            return True
        known = schema.get("properties", {})
        others = [each for key, each in value.items() if key not in known]
        return not others if said is False else all(said is True or self._holds(each, said) for each in others)

    def _required(self, value: JSON, said: Any, _: Schema) -> bool:
        return not isinstance(value, dict) or all(key in value for key in said)

    def _dependent(self, value: JSON, said: Any, _: Schema) -> bool:
        return not isinstance(value, dict) or all(
            other in value for key, others in said.items() if key in value for other in others
        )

    def _names(self, value: JSON, said: Any, _: Schema) -> bool:
        return not isinstance(value, dict) or all(self._holds(key, said) for key in value)

    def _items(self, value: JSON, said: Any, schema: Schema) -> bool:
        if not isinstance(value, list):
            return True
        rest = value[len(schema.get("prefixItems", ())) :]
        return not rest if said is False else all(said is True or self._holds(each, said) for each in rest)

    def _first_items(self, value: JSON, said: Any, _: Schema) -> bool:
        return not isinstance(value, list) or all(map(self._holds, value, said))

    def _one_of(self, value: JSON, said: Any, _: Schema) -> bool:
        return sum(self._holds(value, each) for each in said) == 1

    def _any_of(self, value: JSON, said: Any, _: Schema) -> bool:
        return any(self._holds(value, each) for each in said)

    def _not(self, value: JSON, said: Any, _: Schema) -> bool:
        return not self._holds(value, said)

    def _minimum(self, value: JSON, said: Any, _: Schema) -> bool:
        return isinstance(value, bool) or not isinstance(value, int | float) or value >= said


def _at_least(*kinds: type) -> Keyword:
    return lambda _, value, said, __: type(value) not in kinds or len(value) >= said


def _at_most(*kinds: type) -> Keyword:
    return lambda _, value, said, __: type(value) not in kinds or len(value) <= said


_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_KEYWORDS: dict[str, Keyword] = {
    "$ref": Holds._reference,
    "type": Holds._type,
    "const": Holds._const,
    "enum": Holds._enum,
    "pattern": Holds._pattern,
    "properties": Holds._properties,
    "additionalProperties": Holds._additional,
    "required": Holds._required,
    "dependentRequired": Holds._dependent,
    "propertyNames": Holds._names,
    "items": Holds._items,
    "prefixItems": Holds._first_items,
    "oneOf": Holds._one_of,
    "anyOf": Holds._any_of,
    "not": Holds._not,
    "minimum": Holds._minimum,
    "minLength": _at_least(str),
    "minItems": _at_least(list),
    "maxItems": _at_most(list),
    "maxProperties": _at_most(dict),
}


def trace_schema() -> Schema:
    """The definitions of traces, from a checkout or a wheel; NotSure where they are elsewhere, as in a zip."""
    package = os.path.dirname(os.path.dirname(__file__))
    for folder in (os.path.join(package, "schema"), os.path.join(package, "..", "..", "schema")):
        try:
            return _whole(folder)
        except OSError:
            continue
    raise NotSure


def _whole(folder: str) -> Schema:
    """The schema with the one that it refers to in its place."""
    read: dict[str, Schema] = {}
    for name in ("trace-v1", "side-effect-v1"):
        with open(os.path.join(folder, f"{name}.schema.json"), encoding="utf-8") as stream:
            read[name] = json.load(stream)
    effect = {key: each for key, each in read["side-effect-v1"].items() if key not in ("$schema", "$id", "$defs")}
    definitions = {**read["trace-v1"]["$defs"], **read["side-effect-v1"].get("$defs", {})}
    definitions["side_effect"]["properties"]["side_effect"] = effect
    return {"$defs": definitions}
