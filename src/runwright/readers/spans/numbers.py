"""Numbers, times and ids as exporters write them."""

from __future__ import annotations

import base64
import binascii
import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from runwright.readers.exact import LARGEST, SMALLEST
from runwright.trace.model import JSON

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
HEX = re.compile(r"[0-9a-fA-F]+")
LAST_MOMENT = 9_223_372_036
"""Seconds since 1970 that nanoseconds in 64 bits reach."""


def integer(value: JSON) -> int | None:
    """A 64-bit integer, written as a number or as a text."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    try:
        number = int(value)
    except ValueError:
        return None
    return number if SMALLEST <= number <= LARGEST else None


def nanoseconds(moment: JSON) -> int | None:
    """Nanoseconds since 1970 of an ISO time, or of a number of seconds; None where it is neither, or lies before.

    Without a zone it is UTC.
    """
    if isinstance(moment, bool) or moment is None:
        return None
    if isinstance(moment, (int, float)):
        return round(moment * 1e9) if 0 < moment < LAST_MOMENT else None
    if not isinstance(moment, str):
        return None
    try:
        when = datetime.fromisoformat(moment.strip())
        passed = (when if when.tzinfo else when.replace(tzinfo=UTC)) - EPOCH
    except (ValueError, OverflowError):
        return None
    found = passed // timedelta(microseconds=1) * 1000
    return found if 0 < found <= LARGEST else None


def identity(value: JSON, size: int) -> str:
    """An id of `size` bytes in lower case hexadecimal; empty where there is none."""
    return _identity(value, size) if isinstance(value, str) and value else ""


@lru_cache(maxsize=1024)
def _identity(value: str, size: int) -> str:
    if len(value) == 2 * size and HEX.fullmatch(value):
        found = value.lower()
    else:
        try:
            found = base64.b64decode(value, validate=True).hex()
        except (binascii.Error, ValueError):
            return ""
    return found if len(found) == 2 * size and found.strip("0") else ""
