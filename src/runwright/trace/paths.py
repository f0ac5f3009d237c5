"""A subset of JSONPath: `$`, `.name`, `['any name']`, `[0]`, `.*` and `[*]`."""

from __future__ import annotations

import re

from runwright.errors import UsageError

TYPE_CHECKING = False  # the module typing takes longer to load than a small trace to read
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Final, TypeAlias

    from runwright.trace.model import JSON


class Wild:
    """The wildcard: every member of an object, every item of a list."""

    def __repr__(self) -> str:
        return "*"


WILD: Final = Wild()
Part: TypeAlias = "str | int | Wild"

_PLAIN_NAME = re.compile(r"[A-Za-z_$][\w$-]*\Z", re.ASCII)
_STEP = re.compile(
    r"""\.(?P<name>[^.\[\]'"*\s]+) | \[(?P<index>\d+)\] | (?P<wild>\.\*|\[\*\])
    | \['(?P<single>(?:[^'\\]|\\.)*)'\] | \["(?P<double>(?:[^"\\]|\\.)*)"\]""",
    re.VERBOSE,
)


def parse_path(path: str) -> tuple[Part, ...]:
    """The steps of a path; UsageError where it is none."""
    if not path.startswith("$"):
        raise UsageError(f"{path!r} is no path", hint="a path starts with $, as in $.request.model")
    parts: list[Part] = []
    at = 1
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None:
            raise UsageError(f"{path!r} is no path: cannot read {path[at:]!r}", hint="steps are .name, [0] and [*]")
        parts.append(_part(step))
        at = step.end()
    return tuple(parts)


def _part(step: re.Match[str]) -> Part:
    if step["wild"]:
        return WILD
    if step["index"] is not None:
        return int(step["index"])
    if step["name"] is not None:
        return step["name"]
    quoted = step["single"] if step["single"] is not None else step["double"]
    return re.sub(r"\\(.)", r"\1", quoted)


def format_path(parts: Sequence[Part]) -> str:
    """The path of these steps."""
    return "$" + "".join(_shown(part) for part in parts)


def _shown(part: Part) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    if isinstance(part, Wild):
        return "[*]"
    if _PLAIN_NAME.match(part):
        return f".{part}"
    escaped = part.replace("\\", "\\\\").replace("'", "\\'")
    return f"['{escaped}']"


def find(value: JSON, path: str) -> list[tuple[str, JSON]]:
    """Every place that the path names in the value, as (concrete path, value there)."""
    return [(format_path(where), found) for where, found in _walk(value, parse_path(path), ())]


def _walk(value: JSON, parts: Sequence[Part], where: tuple[Part, ...]) -> Iterator[tuple[tuple[Part, ...], JSON]]:
    if not parts:
        yield where, value
        return
    for key, each in _members(value, parts[0]):
        yield from _walk(each, parts[1:], (*where, key))


def _members(value: JSON, part: Part) -> Iterator[tuple[str | int, JSON]]:
    if isinstance(part, Wild):
        if isinstance(value, dict):
            yield from value.items()
        elif isinstance(value, list):
            yield from enumerate(value)
    elif isinstance(part, int):
        if isinstance(value, list) and part < len(value):
            yield part, value[part]
    elif isinstance(value, dict) and part in value:
        yield part, value[part]


def covers(pattern: str, concrete: str) -> bool:
    """Whether the pattern names the concrete path or one of its ancestors."""
    wanted, given = parse_path(pattern), parse_path(concrete)
    return len(wanted) <= len(given) and all(
        isinstance(one, Wild) or one == other for one, other in zip(wanted, given, strict=False)
    )
