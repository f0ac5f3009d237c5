"""Where two values in normal form part: the smallest fields that differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import msgspec

from runwright.match.normal import same_value
from runwright.trace import JSON, Part

Change: TypeAlias = "tuple[tuple[Part, ...], JSON | msgspec.UnsetType, JSON | msgspec.UnsetType]"
"""Where, what stood there, what stands there; UNSET for nothing."""


def changes(place: tuple[Part, ...], old: JSON, new: JSON) -> Iterator[Change]:
    """The fields below a place that differ; a list of another length differs as a whole."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in dict.fromkeys((*old, *new)):
            if name not in new:
                yield (*place, name), old[name], msgspec.UNSET
            elif name not in old:
                yield (*place, name), msgspec.UNSET, new[name]
            else:
                yield from changes((*place, name), old[name], new[name])
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new) and _holds_objects(old):
        for at, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from changes((*place, at), one, other)
    elif not same_value(old, new):
        yield place, old, new


def _holds_objects(values: list[JSON]) -> bool:
    """Whether a list is one of schemas, which have places, rather than a set of values."""
    return all(isinstance(each, dict) for each in values)
