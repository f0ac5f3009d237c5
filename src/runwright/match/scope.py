"""Which fields of a recorded exchange are compared: unknown ones are not, adopted ones are, ignored ones may differ."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias, get_args

from runwright.errors import UsageError
from runwright.match.difference import MISSING, Missing
from runwright.match.volatile import template
from runwright.trace import parse_path
from runwright.trace.model import JSON, ModelRecord

Steps: TypeAlias = tuple[str | int, ...]
"""A concrete place in a record: `$.request.messages[0]` is ("request", "messages", 0)."""

Pattern: TypeAlias = tuple[object, ...]
"""A place with wildcards: any step that is neither a name nor an index."""

Shape: TypeAlias = Literal["uuid", "time", "integer", "number", "string", "any"]

PARAMETERS: Steps = ("request", "parameters")


class Ignore(NamedTuple):
    """What a flow wants left out: the paths, and the shape that both sides must have there."""

    lane: str
    path: str
    shape: str | None = None


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    """An ignore of the model lane, parsed."""

    ignore: Ignore
    pattern: Pattern
    shape: Shape

    def covers(self, where: Steps) -> bool:
        """Whether the rule is about this place or one around it."""
        return covers(self.pattern, where)

    def touches(self, where: Steps) -> bool:
        """Whether the rule is about this place, one around it or one within it."""
        return touches(self.pattern, where)

    def fits(self, value: JSON | Missing) -> bool:
        """Whether a value has the rule's shape."""
        return has_shape(self.shape, value)


def ignore_rules(ignores: tuple[Ignore, ...]) -> tuple[IgnoreRule, ...]:
    """The rules for the model lane; UsageError where a shape is none."""
    rules = []
    for ignore in ignores:
        shape = next((each for each in get_args(Shape) if each == (ignore.shape or "any")), None)
        if shape is None:
            hint = f"one of: {', '.join(get_args(Shape))}"
            raise UsageError(f"ignore {ignore.path!r} as {ignore.shape!r}: no such shape", hint=hint)
        if ignore.lane == "model":
            rules.append(IgnoreRule(ignore, tuple(parse_path(ignore.path)), shape))
    return tuple(rules)


@dataclass(frozen=True, slots=True)
class Scope:
    """What a recorded exchange knows. `open` means that it does not know which other parameters were sent."""

    unknown: tuple[Pattern, ...]
    adopted: tuple[Pattern, ...]
    open: bool

    def skips(self, where: Steps) -> bool:
        """Whether the recording does not know this field, nor anything adopted in it."""
        return any(covers(each, where) for each in self.unknown) and not any(
            touches(each, where) for each in self.adopted
        )

    def adopts(self, where: Steps) -> bool:
        """Whether a reviewer adopted this field, absent or not."""
        return any(covers(each, where) for each in self.adopted)

    def touches(self, where: Steps) -> bool:
        """Whether something at, around or within this place is unknown."""
        return any(touches(each, where) for each in self.unknown)


def scope_of(record: ModelRecord) -> Scope:
    """The scope of one record: what is adopted is known."""
    return _scope(record.unknown, record.adopted)


@lru_cache(maxsize=1024)
def _scope(unknown_paths: tuple[str, ...], adopted_paths: tuple[str, ...]) -> Scope:
    adopted = tuple(tuple(parse_path(path)) for path in adopted_paths)
    unknown = [tuple(parse_path(path)) for path in unknown_paths]
    named = tuple(each for each in unknown if not _is_open(each))
    return Scope(named, adopted, len(named) < len(unknown))


def never_compared(record: ModelRecord) -> tuple[str, ...]:
    """The record's unknown paths that matching would have compared."""
    paths = [path for path in record.unknown if path not in record.adopted and _is_request(tuple(parse_path(path)))]
    return (*paths, "$.streamed") if record.streamed is None and "$.streamed" not in paths else tuple(paths)


def _is_request(pattern: Pattern) -> bool:
    return not pattern or pattern[0] in ("request", "streamed") or not isinstance(pattern[0], str)


def _is_open(pattern: Pattern) -> bool:
    """Whether a path is `$.request.parameters.*`: the parameters that the record does not list."""
    return len(pattern) == 3 and pattern[:2] == PARAMETERS and not isinstance(pattern[2], (str, int))


def covers(pattern: Pattern, where: Steps) -> bool:
    """Whether a pattern is about this place or one around it."""
    return len(pattern) <= len(where) and touches(pattern, where)


def touches(pattern: Pattern, where: Steps) -> bool:
    """Whether a pattern is about this place, one around it or one within it."""
    return all(
        step == here if isinstance(step, (str, int)) else True for step, here in zip(pattern, where, strict=False)
    )


def has_shape(shape: Shape, value: JSON | Missing) -> bool:
    """Whether a whole value has a shape; only `any` holds of a missing one."""
    if shape == "any":
        return True
    if value is MISSING or isinstance(value, bool):
        return False
    if isinstance(value, str):
        return shape == "string" or _text_shape(shape, value)
    if shape == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return shape == "number" and isinstance(value, (int, float))


_UUID = re.compile(r"[0-9A-Fa-f]{8}-?(?:[0-9A-Fa-f]{4}-?){3}[0-9A-Fa-f]{12}")
_INTEGER = re.compile(r"[+-]?\d+")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


def _text_shape(shape: Shape, text: str) -> bool:
    if shape == "uuid":
        return bool(_UUID.fullmatch(text))
    if shape == "time":
        return _is_time(text)
    return bool((_INTEGER if shape == "integer" else _NUMBER).fullmatch(text))


def _is_time(text: str) -> bool:
    parts = template(text)
    if len(parts.tokens) == 1 and parts.tokens[0].is_time and not any(parts.literals):
        return True
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return not text.isdigit()
