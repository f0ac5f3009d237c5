"""How values are shown to a person: short, on one line, and around the place where they differ."""

from __future__ import annotations

import re

import msgspec

from runwright.reports.model import DifferenceReport
from runwright.trace.model import JSON

WIDTH = 72
"""Characters of a value that are shown."""

LEAD = 16
"""Characters that two values share and that are shown before their first difference."""

ABSENT = "(absent)"

_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def change(difference: DifferenceReport) -> str:
    """`path: recorded -> live`, long values cut around the first place where they differ."""
    recorded, live = value(difference.recorded), value(difference.live)
    long = max(len(recorded), len(live)) > WIDTH
    begin = max(0, _common(recorded, live) - LEAD) if long else 0  # the same for both: they are read side by side
    return f"{difference.path}: {_window(recorded, begin)} -> {_window(live, begin)}"


def value(given: JSON | msgspec.UnsetType) -> str:
    """A value as compact JSON on one line."""
    if isinstance(given, msgspec.UnsetType):
        return ABSENT
    return msgspec.json.encode(given).decode()


def plural(count: int, noun: str) -> str:
    """`1 flow`, `2 flows`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def printable(text: str) -> str:
    """Text without control characters, so that it can neither steer a terminal or what is read first, nor break XML."""
    return _CONTROL.sub("�", text)


def one_line(text: str) -> str:
    """Printable text on one line: what a run said must not be able to look like a line of the report."""
    return printable(text).replace("\n", "\\n")


def _common(one: str, other: str) -> int:
    for index, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return index
    return min(len(one), len(other))


def _window(text: str, begin: int) -> str:
    end = begin + WIDTH
    return ("…" if begin else "") + text[begin:end] + ("…" if end < len(text) else "")
