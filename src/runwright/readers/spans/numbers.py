"""Numbers as exporters write them."""

from __future__ import annotations

from runwright.readers.exact import LARGEST, SMALLEST
from runwright.trace.model import JSON


def integer(value: JSON) -> int | None:
    """A 64-bit integer, written as a number or as a text."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    try:
        number = int(value)
    except ValueError:
        return None
    return number if SMALLEST <= number <= LARGEST else None
