"""What the headers of two traces say about the agent and what it was built from."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from runwright.diff.fields import plain
from runwright.diff.model import FieldDifference, Unknown
from runwright.trace.model import Header
from runwright.trace.paths import format_path

COMPARED = ("agent", "specification")
"""The rest of a header says which run it was, where it was read and what was lost: see docs/reference/diff.md."""


def header_differences(left: Header, right: Header) -> Iterator[FieldDifference | Unknown]:
    """Differences, and what one side alone knows: in a header, what is absent is not known."""
    for name in COMPARED:
        yield from _compared(f"$.{name}", getattr(left, name), getattr(right, name))


def _compared(path: str, one: object, other: object) -> Iterator[FieldDifference | Unknown]:
    if one is None or other is None:
        if one is not other:
            yield Unknown("header", path, "left" if one is None else "right", 1, None, None)
    elif isinstance(one, msgspec.Struct) and type(one) is type(other):
        for name in one.__struct_fields__:
            yield from _compared(f"{path}.{name}", getattr(one, name), getattr(other, name))
    elif isinstance(one, dict) and isinstance(other, dict):
        yield from _members(path, one, other)
    elif one != other:
        yield FieldDifference(path, plain(one), plain(other))


def _members(path: str, one: dict[str, object], other: dict[str, object]) -> Iterator[FieldDifference | Unknown]:
    """Tools and policies by their names: one that only a side has was added or taken away."""
    for name in sorted({*one, *other}):
        where = path + format_path((name,))[1:]
        if name in one and name in other:
            yield from _compared(where, one[name], other[name])
        else:
            mine = plain(one[name]) if name in one else msgspec.UNSET
            yield FieldDifference(where, mine, plain(other[name]) if name in other else msgspec.UNSET)
