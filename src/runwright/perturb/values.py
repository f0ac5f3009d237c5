"""Other values for JSON values, and other ids and times for those that a text holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from runwright.trace.model import JSON

Steps: TypeAlias = tuple[str | int, ...]

MARK = " (changed)"
"""What a changed text ends with: no id, no time and no secret does."""

ADDED = "added_by_prove"


class Changed(NamedTuple):
    """A value with one thing in it changed: where, in which words, and the whole value afterwards."""

    where: Steps
    what: str
    value: JSON


class Swap(NamedTuple):
    """A value with one id or time in it exchanged for another of its shape; `old` is the one that stood there."""

    where: Steps
    what: str
    value: JSON
    old: str


def other(leaf: JSON) -> JSON:
    """A value of the same type that differs."""
    if isinstance(leaf, bool):
        return not leaf
    if isinstance(leaf, (int, float)):
        return leaf + 1 if leaf + 1 != leaf else -leaf
    return f"{leaf}{MARK}" if isinstance(leaf, str) else MARK


def changes(value: JSON) -> Iterator[Changed]:
    """Each leaf changed, each member and item left out, and a member added to each object."""
    for where, found in _walk(value, ()):
        if isinstance(found, dict):
            yield Changed((*where, ADDED), "added", put(value, where, {**found, ADDED: True}))
        elif not isinstance(found, list):
            yield Changed(where, "changed", put(value, where, other(found)))
        if where:
            yield Changed(where, "left out", without(value, where))


def swaps(value: JSON) -> Iterator[Swap]:
    """Each id in a text exchanged for another one, each time for one a moment and one five years away."""
    for where, found in _walk(value, ()):
        if isinstance(found, str):
            for start, end, new, what in _tokens(found):
                yield Swap(where, what, put(value, where, found[:start] + new + found[end:]), found[start:end])


def put(value: JSON, where: Sequence[str | int], new: JSON) -> JSON:
    """The value with another one at this place."""
    if not where:
        return new
    step, rest = where[0], where[1:]
    if isinstance(value, dict):
        return {key: put(each, rest, new) if key == step else each for key, each in value.items()}
    if isinstance(value, list):
        return [put(each, rest, new) if at == step else each for at, each in enumerate(value)]
    raise ValueError(f"nothing stands at {step!r}")


def without(value: JSON, where: Sequence[str | int]) -> JSON:
    """The value less what stands at this place."""
    step, rest = where[0], where[1:]
    if isinstance(value, dict):
        return {key: without(each, rest) if key == step else each for key, each in value.items() if rest or key != step}
    if isinstance(value, list):
        return [without(each, rest) if at == step else each for at, each in enumerate(value) if rest or at != step]
    raise ValueError(f"nothing stands at {step!r}")


def _walk(value: JSON, where: Steps) -> Iterator[tuple[Steps, JSON]]:
    yield where, value
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _walk(each, (*where, key))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from _walk(each, (*where, at))


# --- ids and times ---------------------------------------------------------------------------------

_ID = re.compile(
    r"(?<![0-9A-Za-z])(?:[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
    r"|(?:call_|toolu_|chatcmpl-|msg_|req_|run_)(?=[A-Za-z]*\d+[A-Za-z]+\d|\d*[A-Za-z]+\d+[A-Za-z])[A-Za-z0-9]{8,})"
    r"(?![0-9A-Za-z])",
    re.ASCII,
)
_TIME = re.compile(r"(?<!\d)(?P<year>\d{4})-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d(?P<second>\d))?)?(?!\d)", re.ASCII)
_YEARS = 5


def _tokens(text: str) -> Iterator[tuple[int, int, str, str]]:
    """The start, the end, the new text and the words for each id and time."""
    for found in _ID.finditer(text):
        yield (*found.span(), _next(found.group()), "another id")
    for found in _TIME.finditer(text):
        start, end = found.span()
        year = f"{(int(found['year']) + _YEARS) % 10_000:04d}"
        yield start, end, year + found.group()[4:], "five years later"
        if found["second"] is not None:
            at = found.start("second") - start
            digit = str((int(found["second"]) + 1) % 10)
            yield start, end, found.group()[:at] + digit + found.group()[at + 1 :], "another second"


def _next(token: str) -> str:
    """The id with its last digit another one; it keeps its shape."""
    at = max(n for n, mark in enumerate(token) if mark.isdigit())
    return token[:at] + str((int(token[at]) + 1) % 10) + token[at + 1 :]
