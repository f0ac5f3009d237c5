"""Matchers on a value inside a JSON value: what an assertion's `where`, `result` and reply clauses mean."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal, TypeAlias

from runwright.flow.rust_regex import python_pattern
from runwright.trace.model import JSON
from runwright.trace.paths import format_path

Op: TypeAlias = Literal["equals", "contains", "matches", "exists", "greater_than", "at_least", "less_than", "at_most"]
Path: TypeAlias = tuple[str | int, ...]


class Absent(Enum):
    """The type of ABSENT: there is no value at the path."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT
Found: TypeAlias = JSON | Absent


@dataclass(frozen=True, kw_only=True)
class Test:
    """One matcher. Negated it holds wherever the plain one does not, also where the value is absent.

    `as_text` compares as flowproof does: whatever is found is its text, and regular expressions are Rust's.
    """

    __test__ = False  # not a test case, whatever pytest thinks of the name

    op: Op
    value: JSON = None
    negated: bool = False
    as_text: bool = False

    def holds(self, found: Found) -> bool:
        """Whether the value satisfies the matcher; only a negated one holds of an absent value."""
        tests = _TEXT_TESTS if self.as_text else _TESTS
        plain = found is not ABSENT and (self.op == "exists" or tests[self.op](found, self.value))
        return plain is not self.negated


@dataclass(frozen=True, kw_only=True)
class Clause:
    """A matcher on the value at a path; the empty path is the whole value."""

    path: Path
    test: Test


Where: TypeAlias = tuple[tuple[Clause, ...], ...]
"""Alternatives, each of clauses that must all hold; no alternatives at all holds of everything."""


def satisfies(where: Where, value: Found) -> bool:
    """Whether one of the alternatives holds of the value."""
    return not where or any(all(each.test.holds(at_path(value, each.path)) for each in clauses) for clauses in where)


def at_path(value: Found, path: Path) -> Found:
    """The value at the path. A number picks a list's item; in an object it is the member of that name."""
    for step in path:
        if isinstance(value, dict):
            value = value.get(str(step), ABSENT)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return ABSENT
    return value


def text(value: JSON) -> str:
    """A value as text: a text is itself, anything else its compact JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def number(value: JSON) -> int | float | None:
    """The number that a value is, or that its text writes as JSON does; truth values are none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return value
    return _number_of(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else None


_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,307})(?:\.[0-9]{1,300})?(?:[eE][+-]?[0-9]{1,4})?", re.ASCII)


def _number_of(written: str) -> int | float | None:
    if not set(written) & set(".eE"):
        return int(written)
    value = float(written)
    return value if math.isfinite(value) else None


def _equals(found: JSON, wanted: JSON) -> bool:
    if isinstance(wanted, (dict, list)) or isinstance(found, (dict, list)):
        return _same(found, wanted)
    if isinstance(found, str) and isinstance(wanted, str):
        return found == wanted
    one, other = number(found), number(wanted)
    return text(found) == text(wanted) or (one is not None and one == other)


def _same(one: JSON, other: JSON) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def _contains(found: JSON, wanted: JSON) -> bool:
    return any(text(wanted) in text(leaf) for leaf in _leaves(found))


def _leaves(value: JSON) -> Iterator[JSON]:
    items = list(value.values()) if isinstance(value, dict) else value
    if not isinstance(items, list):
        yield value
        return
    for each in items:
        yield from _leaves(each)


def _matches(found: JSON, wanted: JSON) -> bool:
    return re.search(text(wanted), text(found)) is not None


def _compares(holds: Callable[[float, float], bool]) -> Callable[[JSON, JSON], bool]:
    def compare(found: JSON, wanted: JSON) -> bool:
        one, other = number(found), number(wanted)
        return one is not None and other is not None and holds(one, other)

    return compare


_TESTS: Mapping[Op, Callable[[JSON, JSON], bool]] = {
    "equals": _equals,
    "contains": _contains,
    "matches": _matches,
    "greater_than": _compares(lambda one, other: one > other),
    "at_least": _compares(lambda one, other: one >= other),
    "less_than": _compares(lambda one, other: one < other),
    "at_most": _compares(lambda one, other: one <= other),
}


# --- as flowproof compares: texts, and numbers where both texts write one -------------------------


def _text_equals(found: JSON, wanted: JSON) -> bool:
    one, other = text(found), text(wanted)
    if one == other:
        return True
    numbers = [float(each) for each in (one, other) if _DOUBLE.fullmatch(each.strip())]
    return len(numbers) == 2 and numbers[0] == numbers[1]


_DOUBLE = re.compile(r"[+-]?(?:inf|infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)", re.ASCII | re.IGNORECASE)

_TEXT_TESTS: Mapping[Op, Callable[[JSON, JSON], bool]] = {
    "equals": _text_equals,
    "contains": lambda found, wanted: text(wanted) in text(found),
    "matches": lambda found, wanted: re.search(python_pattern(text(wanted)), text(found)) is not None,
}


# --- as prose ------------------------------------------------------------------------------------

_WORDS: Mapping[Op, tuple[str, str]] = {
    "equals": ("equals", "does not equal"),
    "contains": ("contains", "does not contain"),
    "matches": ("matches", "does not match"),
    "exists": ("exists", "is absent"),
    "greater_than": ("is greater than", "is not greater than"),
    "at_least": ("is at least", "is not at least"),
    "less_than": ("is less than", "is not less than"),
    "at_most": ("is at most", "is not at most"),
}


def where_text(where: Where, *, whole: str = "") -> str:
    """The alternatives as prose that parses to the same value; `whole` names the empty path."""
    return " or ".join(" and ".join(clause_text(each, whole=whole) for each in clauses) for clauses in where)


def clause_text(clause: Clause, *, whole: str = "") -> str:
    """One clause as prose; values as JSON writes them, so that texts are quoted and numbers are not."""
    words = _WORDS[clause.test.op][clause.test.negated]
    value = "" if clause.test.op == "exists" else " " + json.dumps(clause.test.value, ensure_ascii=False)
    return f"{path_text(clause.path) or whole} {words}{value}".strip()


def path_text(path: Sequence[str | int]) -> str:
    """The path, dotted where each of its names allows it, else as JSONPath."""
    if all(isinstance(step, int) or _NAME.fullmatch(step) for step in path):
        return ".".join(map(str, path))
    return format_path(path)


_NAME = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)
