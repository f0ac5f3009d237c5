"""Values cut to what a person needs to see of a difference."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from runwright.trace import JSON

LONG = 160
"""Texts up to this length are shown whole."""

BEFORE, AFTER = 40, 100
"""Characters shown before and after the place where two long texts part."""

MANY = 20
"""Members of an object or a list that are shown."""

DEEP = 6
"""Levels of objects and lists that are shown."""

Shown: TypeAlias = "JSON | msgspec.UnsetType"


def windowed(before: Shown, after: Shown) -> tuple[Shown, Shown, bool]:
    """Both values as they are shown, and whether any of them was cut."""
    if isinstance(before, str) and isinstance(after, str):
        if max(len(before), len(after)) <= LONG:
            return before, after, False
        at = _common(before, after)
        return _around(before, at), _around(after, at), True
    one, other = _shortened(before, 0), _shortened(after, 0)
    return one, other, one != before or other != after


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with alike, by halving."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _around(text: str, at: int) -> str:
    start, end = max(at - BEFORE, 0), min(at + AFTER, len(text))
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"


def _shortened(value: Shown, level: int) -> Shown:
    if isinstance(value, str):
        return _around(value, 0) if len(value) > LONG else value
    if level >= DEEP and isinstance(value, dict | list) and value:
        return "…"
    if isinstance(value, dict):
        kept = {key: _json(_shortened(each, level + 1)) for key, each in list(value.items())[:MANY]}
        return kept if len(value) <= MANY else {**kept, "…": f"{len(value) - MANY} more"}
    if isinstance(value, list):
        items = [_json(_shortened(each, level + 1)) for each in value[:MANY]]
        return items if len(value) <= MANY else [*items, f"… {len(value) - MANY} more"]
    return value


def _json(value: Shown) -> JSON:
    return None if isinstance(value, msgspec.UnsetType) else value
