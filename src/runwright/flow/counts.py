"""How often something must have happened: bounds, and the words for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias, cast

from runwright.errors import FlowError
from runwright.flow.reader import Reader
from runwright.trace.model import JSON

Bounds: TypeAlias = tuple[int, int | None]

COUNT = re.compile(
    r"(?P<once>once)|(?P<twice>twice)|between\s+(?P<low>\d{1,6})\s+and\s+(?P<high>\d{1,6})\s+times"
    r"|(?P<how>exactly|at\s+least|at\s+most)\s+(?P<number>\d{1,6})\s+times?"
)


def read_count(reader: Reader) -> Bounds:
    """The bounds that stand at the cursor; at least once where none do."""
    found = reader.take(COUNT)
    if found is None:
        return 1, None
    if found["once"] or found["twice"]:
        n = 1 if found["once"] else 2
        return n, n
    if found["how"] is None:
        return int(found["low"]), int(found["high"])
    n = int(found["number"])
    bounds: dict[str, Bounds] = {"exactly": (n, n), "least": (n, None), "most": (1, n)}
    return bounds[found["how"].split()[-1]]


def bounds_of(form: Mapping[str, JSON], place: str) -> Bounds:
    """The bounds that `times`, or `at_least` and `at_most`, give."""
    times, low, high = (cast("int | None", form.get(key)) for key in ("times", "at_least", "at_most"))
    if times is None:
        return 1 if low is None else low, high
    if low is not None or high is not None:
        raise FlowError("'times' says both bounds already", place=place, hint="drop it, or at_least and at_most")
    return times, times


def require_possible(low: int, high: int | None, place: str, *, noun: str, forbids: str) -> None:
    """FlowError where no number of them satisfies the bounds, or any does."""
    if high is not None and high < low:
        raise FlowError(f"at least {low} and at most {high} times is never", place=place)
    if high == 0 or (low == 0 and high is None):
        raise FlowError(f"no {noun} at all would satisfy this", place=place, hint=f"{forbids} forbids one")


def count_text(low: int, high: int | None) -> str:
    """The bounds as prose; empty for at least once."""
    if high is None:
        return "" if low == 1 else f"at least {low} times"
    if low == high:
        return {1: "once", 2: "twice"}.get(low, f"exactly {low} times")
    return f"at most {high} times" if low == 1 else f"between {low} and {high} times"
