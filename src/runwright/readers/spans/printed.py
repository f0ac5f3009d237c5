"""Values as Python prints them."""

from __future__ import annotations

import ast

from runwright.readers.exact import SURROGATE
from runwright.trace.model import JSON


def printed_object(text: str) -> dict[str, JSON] | None:
    """The object that a printed dict is; None where the text is none, or holds what JSON has not."""
    if not text.startswith("{"):
        return None
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, dict) and _is_plain(value) else None


def _is_plain(value: JSON) -> bool:
    """Only what JSON has: a printed dict may hold more."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_plain(key) and _is_plain(each) for key, each in value.items())
    if isinstance(value, list):
        return all(_is_plain(each) for each in value)
    if isinstance(value, float):
        return value == value and abs(value) != float("inf")
    if isinstance(value, int) and not isinstance(value, bool):
        return -(2**63) <= value < 2**64
    if isinstance(value, str):
        return SURROGATE.search(value) is None
    return value is None or isinstance(value, bool)
