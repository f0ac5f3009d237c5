"""Values of Python as JSON, or the reason why they are none."""

from __future__ import annotations

import math
from enum import Enum

from runwright.errors import AgentSpecError
from runwright.secrets.shortened import shortened
from runwright.trace import JSON

DEEPEST = 200


def plain(value: object, place: str, depth: int = 0) -> JSON:
    """The value as plain JSON; AgentSpecError with its place for what has no such form."""
    if isinstance(value, Enum):
        return plain(value.value, place, depth)
    if value is None or isinstance(value, (bool, int, str)):
        return _bare(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    if depth > DEEPEST:
        raise AgentSpecError(f"nested deeper than {DEEPEST} levels", place=place[:200])
    if isinstance(value, dict) and all(isinstance(name, str) for name in value):
        return {str(name): plain(each, f"{place}.{name}", depth + 1) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each, f"{place}[{at}]", depth + 1) for at, each in enumerate(value)]
    raise AgentSpecError(f"a {type(value).__name__} is no JSON: {shortened(str(value), 60)!r}", place=place)


def _bare(value: bool | int | str | None) -> JSON:
    """The value as one of its plain type, not of a subclass."""
    if value is None or isinstance(value, bool):
        return value
    return int(value) if isinstance(value, int) else str(value)


def text(value: object, place: str) -> str:
    """A text; AgentSpecError for anything else."""
    if not isinstance(value, str):
        raise AgentSpecError(f"expected a text, found a {type(value).__name__}", place=place)
    return str(value)


def an_object(value: object, place: str) -> dict[str, JSON]:
    """A JSON object; AgentSpecError for anything else."""
    made = plain(value, place)
    if not isinstance(made, dict):
        raise AgentSpecError(f"expected a mapping, found a {type(value).__name__}", place=place)
    return made
