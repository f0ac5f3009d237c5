"""Numbers as exporters write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from runwright.readers.exact import LARGEST, SMALLEST
from runwright.trace.model import JSON

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
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
