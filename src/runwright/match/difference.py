"""How a live request differs from a recorded one, as a person reads it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from runwright.match.text import Mismatch
from runwright.trace.model import JSON

LONG = 160
"""Texts up to this length are shown whole."""

BEFORE, AFTER = 40, 100
"""How much of a long text is shown around the place where the two part."""


class Missing(Enum):
    """The type of MISSING: the field is not there at all."""

    MISSING = "missing"

    def __repr__(self) -> str:
        return "(absent)"

    __str__ = __repr__


MISSING = Missing.MISSING


@dataclass(frozen=True, slots=True)
class Difference:
    """One field that differs. `path` is a JSONPath into the record.

    Long texts are cut to a window around the first character that differs, which is `at` in the recorded text.
    `about` names what the path alone does not say: the tool, the role.
    """

    path: str
    recorded: JSON | Missing
    live: JSON | Missing
    at: int | None = None
    about: str = ""


def windows(recorded: str, live: str, where: Mismatch) -> tuple[str, str]:
    """Both texts around the place where they part; whole where both are short."""
    if max(len(recorded), len(live)) <= LONG:
        return recorded, live
    return _window(recorded, where.recorded), _window(live, where.live)


def _window(text: str, at: int) -> str:
    start, end = max(at - BEFORE, 0), min(at + AFTER, len(text))
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"


def shortened(value: JSON | Missing) -> JSON | Missing:
    """A value whose long texts are cut, for a side that stands alone."""
    if isinstance(value, str):
        return _window(value, 0) if len(value) > LONG else value
    if isinstance(value, dict):
        return {key: _json(shortened(each)) for key, each in value.items()}
    if isinstance(value, list):
        return [_json(shortened(each)) for each in value]
    return value


def _json(value: JSON | Missing) -> JSON:
    return None if isinstance(value, Missing) else value


def weight(difference: Difference) -> int:
    """How much a difference changes, roughly in characters; used to choose the nearest exchange."""
    sides = (difference.recorded, difference.live)
    if isinstance(sides[0], str) and isinstance(sides[1], str):
        same = len(_shared(sides[0], sides[1]))
        return max(len(sides[0]), len(sides[1])) - same
    return sum(len(str(side)) for side in sides if not isinstance(side, Missing))


def _shared(one: str, other: str) -> str:
    """The common start and end of two texts, joined."""
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest, tail = one[start:], other[start:]
    end = next(
        (at for at, (a, b) in enumerate(zip(rest[::-1], tail[::-1], strict=False)) if a != b), min(len(rest), len(tail))
    )
    return one[:start] + (rest[len(rest) - end :] if end else "")
