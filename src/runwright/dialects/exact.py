"""JSON text to values without a silent change: what the fast parser would alter is refused."""

from __future__ import annotations

import json
import math

import orjson

from runwright.trace.model import JSON

MAX_DEPTH = 128
_INT_RANGE = range(-(2**63), 2**64)


def exact_loads(data: bytes | str) -> JSON:
    """Parse JSON; ValueError says what is malformed or cannot be held exactly.

    Refused: duplicate keys, NaN and infinities, integers outside 64 bits, numbers too large for a float, lone
    surrogates, more than 128 levels. Text that its own compact rendering reproduces needs no second look.
    """
    raw = data.encode("utf-8") if isinstance(data, str) else data
    value: JSON = orjson.loads(raw)
    if raw.count(b"[") + raw.count(b"{") > MAX_DEPTH and _depth(value) > MAX_DEPTH:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    if compact(value) == raw:
        return value
    exact: JSON = json.loads(raw, object_pairs_hook=_unique, parse_int=_integer, parse_float=_float)
    return exact


def compact(value: JSON) -> bytes:
    """The compact JSON rendering of a value."""
    return orjson.dumps(value)


def _unique(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    value: dict[str, JSON] = {}
    for key, each in pairs:
        if key in value:
            raise ValueError(f"duplicate key {key!r}")
        value[key] = each
    return value


def _integer(text: str) -> int:
    if len(text) > 20 or int(text) not in _INT_RANGE:
        raise ValueError(f"integer {text[:40]} does not fit 64 bits")
    return int(text)


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"number {text[:40]} is too large")
    return value


def _depth(value: JSON) -> int:
    """Levels of nesting, found level by level so that no input exhausts the stack."""
    level: list[JSON] = [value]
    depth = 0
    while level:
        level = [child for each in level for child in _children(each)]
        depth += 1
    return depth - 1


def _children(value: JSON) -> list[JSON]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
