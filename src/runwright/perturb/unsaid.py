"""What a request may leave unsaid: to change it, or to leave it out, is no mutant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeGuard

from runwright.trace.model import JSON

CACHE_MARK = "cache_control"
"""Where a provider's cache ends says nothing to the model."""

TRANSPORT = frozenset({"stream", "stream_options", CACHE_MARK})
"""Wire fields that say how the answer travels; that it is streamed at all is a mutant of its own."""

_SAME_AS_ABSENT: Mapping[str, JSON] = {"caller": {"type": "direct"}, "citations": [], "transformations": {}}
"""Further fields of a block whose value says what their absence says."""


def unmarked(extra: JSON) -> JSON:
    """The further fields of a tool or block without cache marks."""
    if not isinstance(extra, dict):
        return extra
    return {name: unmarked(each) if name == "outer" else each for name, each in extra.items() if name != CACHE_MARK}


def says_nothing(name: str, value: JSON) -> bool:
    """Whether a further field is the same as none: a null, or a value that goes without saying."""
    if value is None:
        return True
    if name in ("extra", "outer"):
        return _is_object(value) and all(says_nothing(inner, each) for inner, each in value.items())
    return name in _SAME_AS_ABSENT and value == _SAME_AS_ABSENT[name]


def _is_object(value: JSON) -> TypeGuard[dict[str, JSON]]:
    return isinstance(value, dict)
