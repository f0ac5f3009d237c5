"""The normal form of a tool's parameter schema: what a model may send is the same, so the form is the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from runwright.trace import JSON, canonical

_SETS: Final = ("required", "enum", "type")
"""Keywords whose list has no order."""

_SCHEMAS_BY_NAME: Final = ("properties", "patternProperties", "dependentSchemas")
_LISTS_OF_SCHEMAS: Final = ("anyOf", "oneOf", "allOf", "prefixItems")
_ONE_SCHEMA: Final = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames")
_UNSAID: Final = ("title", "$schema", "$defs", "definitions")
"""What says nothing of what may be sent: names of classes, and definitions, which stand where they are used."""

_EMPTY: Final[Mapping[str, JSON]] = {"properties": {}, "required": []}
"""Keywords whose value says what their absence says."""

LARGEST, DEEPEST = 20_000, 200
"""Nodes and levels of a schema with every definition in its place; a larger one is left as it is written."""


def normal_schema(schema: JSON) -> JSON:
    """The schema without the names of classes and the order of sets, each definition in the place of its use.

    A tool without parameters takes an empty object.
    """
    try:
        normal = _Normal(schema).whole()
    except _TooLarge:
        normal = _sorted_sets(schema)
    return {"type": "object"} if normal is None or normal == {} else normal


class _TooLarge(Exception):
    """With every definition in its place the schema would be larger than what is looked at."""


class _Normal:
    """One schema being brought into its normal form; counts what it has made."""

    def __init__(self, schema: JSON) -> None:
        self._schema = schema
        self._made = 0
        self._depth = 0

    def whole(self) -> JSON:
        return self._of(self._schema, ())

    def _of(self, schema: JSON, inside: tuple[str, ...]) -> JSON:
        if not isinstance(schema, dict):
            return schema
        self._made += 1
        if self._made > LARGEST or self._depth > DEEPEST:
            raise _TooLarge
        self._depth += 1
        try:
            reference = schema.get("$ref")
            referred = isinstance(reference, str)
            return self._referred(schema, str(reference), inside) if referred else self._words(schema, inside)
        finally:
            self._depth -= 1

    def _words(self, schema: dict[str, JSON], inside: tuple[str, ...]) -> JSON:
        made: dict[str, JSON] = {}
        for word, value in schema.items():
            if word not in _UNSAID:
                made[word] = self._word(word, value, inside)
        return {word: value for word, value in made.items() if word not in _EMPTY or value != _EMPTY[word]}

    def _word(self, word: str, value: JSON, inside: tuple[str, ...]) -> JSON:
        if word in _SETS and isinstance(value, list):
            return as_set(value)
        if word in _SCHEMAS_BY_NAME and isinstance(value, dict):
            return {name: self._of(each, inside) for name, each in value.items()}
        if word in _LISTS_OF_SCHEMAS and isinstance(value, list):
            return [self._of(each, inside) for each in value]
        return self._of(value, inside) if word in _ONE_SCHEMA else value

    def _referred(self, schema: dict[str, JSON], reference: str, inside: tuple[str, ...]) -> JSON:
        """What a reference leads to, with what stands beside it; one that leads back says how far."""
        beside = {word: value for word, value in schema.items() if word != "$ref"}
        if reference in inside:
            return {"$ref": f"{len(inside) - inside.index(reference)} up", **beside}
        found = _found(self._schema, reference)
        if found is None:
            return {"$ref": reference, **beside}
        target = self._of(found, (*inside, reference))
        rest = self._of(beside, inside)
        return {**target, **rest} if isinstance(target, dict) and isinstance(rest, dict) else target


def _found(schema: JSON, reference: str) -> JSON:
    """What `#/$defs/Name` leads to; None for another document's, or one that leads nowhere."""
    if not reference.startswith("#/"):
        return None
    at = schema
    for step in reference[2:].split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(at, dict) or name not in at:
            return None
        at = at[name]
    return at


def as_set(values: list[JSON]) -> JSON:
    """The values, each once, in an order of their own; a single one by itself where it is a type's name."""
    once = {canonical(each): each for each in values}
    return [once[key] for key in sorted(once)]


def _sorted_sets(value: JSON) -> JSON:
    if isinstance(value, dict):
        return {
            word: as_set(each) if word in _SETS and isinstance(each, list) else _sorted_sets(each)
            for word, each in value.items()
        }
    return [_sorted_sets(each) for each in value] if isinstance(value, list) else value
