"""JSON text to values that a record can hold: exact, and not so deep that the record around them would be too deep."""

from __future__ import annotations

import orjson

from runwright.trace.exact import parse_exact
from runwright.trace.model import JSON

MAX_DEPTH = 100
"""Levels of a wire value: what a trace line allows, less what a record adds around it."""


def exact_loads(data: bytes | str) -> JSON:
    """Parse JSON; ValueError says what is malformed, cannot be held exactly or is nested too deep."""
    raw = data.encode("utf-8") if isinstance(data, str) else data
    value = parse_exact(raw)
    if raw.count(b"[") + raw.count(b"{") > MAX_DEPTH and _depth(value) > MAX_DEPTH:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    return value


def compact(value: JSON) -> bytes:
    """The compact JSON rendering of a value."""
    return orjson.dumps(value)


def _depth(value: JSON) -> int:
    """Levels of nesting, counted level by level."""
    level, depth = [value], 0
    while nests := [each for each in level if isinstance(each, (dict, list))]:
        level = [child for each in nests for child in (each.values() if isinstance(each, dict) else each)]
        depth += 1
    return depth
