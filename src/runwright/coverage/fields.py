"""The fields of a tool's arguments: those that its schema declares, and which of them calls have given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runwright.drift.schema import normal_schema
from runwright.trace import JSON, canonical

_MERGED = ("anyOf", "oneOf", "allOf", "then", "else", "if")
UNDECLARED_KEPT = 50
"""Fields that no schema declares and that are kept by name."""


class Field:
    """A declared field and what was seen of it; `name` is its path from the arguments, with `[*]` for items."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seen = False
        self.enum: dict[bytes, JSON] = {}
        self.given: set[bytes] = set()
        self.members: dict[str, Field] = {}
        self.items: Field | None = None
        self.others: Field | None = None
        self.open = False

    def declare(self, schema: JSON) -> None:
        """Add what a schema declares here; of alternatives, all of them."""
        if not isinstance(schema, dict):
            self.open = True
            return
        for value in _enumerated(schema):
            self.enum[canonical(value)] = value
        properties = schema.get("properties")
        for name, each in (properties if isinstance(properties, dict) else {}).items():
            self.members.setdefault(name, Field(f"{self.name}.{name}" if self.name else name)).declare(each)
        self._declare_others(schema)
        for word in _MERGED:
            parts = schema.get(word)
            for part in parts if isinstance(parts, list) else [parts] if isinstance(parts, dict) else []:
                self.declare(part)

    def _declare_others(self, schema: dict[str, JSON]) -> None:
        items, others = schema.get("items"), schema.get("additionalProperties")
        if isinstance(items, dict):
            self.items = self.items or Field(f"{self.name}[*]")
            self.items.declare(items)
        if isinstance(others, dict) and others:
            self.others = self.others or Field(f"{self.name}.*" if self.name else "*")
            self.others.declare(others)
        elif others is True or not any(schema.get(word) for word in ("properties", *_MERGED)):
            self.open = True  # nothing is said of what it may hold

    def give(self, value: JSON, undeclared: set[str]) -> None:
        """Note a value that a call has given here; fields that nothing declares go to `undeclared`."""
        self.seen = True
        if self.enum:
            self.given.add(canonical(value))
        if isinstance(value, list) and self.items is not None:
            for each in value:
                self.items.give(each, undeclared)
        elif isinstance(value, dict):
            for name, each in value.items():
                field = self.members.get(name, self.others)
                if field is not None:
                    field.give(each, undeclared)
                elif not self.open and len(undeclared) < UNDECLARED_KEPT:
                    undeclared.add(f"{self.name}.{name}" if self.name else name)

    def below(self) -> Iterator[Field]:
        """Every field below this one."""
        for each in (*self.members.values(), self.items, self.others):
            if each is not None:
                yield each
                yield from each.below()

    @property
    def never(self) -> tuple[JSON, ...]:
        """The values of its enumeration that were never given."""
        return tuple(value for key, value in self.enum.items() if key not in self.given)


def fields_of(schemas: Sequence[JSON]) -> Field:
    """The arguments of a tool as a field without a name, which declares what any of the schemas does."""
    whole = Field("")
    for schema in schemas:
        whole.declare(normal_schema(schema))
    return whole


def _enumerated(schema: dict[str, JSON]) -> list[JSON]:
    values = schema.get("enum")
    return [*(values if isinstance(values, list) else []), *([schema["const"]] if "const" in schema else [])]
