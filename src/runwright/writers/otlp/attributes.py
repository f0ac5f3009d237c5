"""Values as OTLP has them: a list of keys, each with a value that names its type."""

from __future__ import annotations

from collections.abc import Mapping

from runwright.dialects.exact import compact
from runwright.trace import JSON

Object = dict[str, JSON]
LARGEST = 2**63
DEEPEST = 12
"""Levels of a value; what lies deeper is written as a JSON text."""


def attributes(values: Mapping[str, JSON]) -> list[JSON]:
    """Keys with their values; null ones are left out."""
    return [{"key": key, "value": _any(value)} for key, value in values.items() if value is not None]


def plainly(value: JSON) -> JSON:
    """The value itself, or its JSON text where it nests too deep or holds an integer beyond 63 bits."""
    return value if _fits(value, DEEPEST) else compact(value).decode()


def text(value: JSON) -> str:
    """The value as a JSON text."""
    return compact(value).decode()


def _fits(value: JSON, left: int) -> bool:
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return left > 0 and all(_fits(each, left - 1) for each in inner)
    return not isinstance(value, int) or abs(value) < LARGEST


def _any(value: JSON) -> Object:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, str):
        return {"stringValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [_any(each) for each in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": [{"key": key, "value": _any(each)} for key, each in value.items()]}}
    return {}
