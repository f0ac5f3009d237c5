"""Values of foreign documents taken as what they should be, and as nothing where they are something else."""

from __future__ import annotations

from runwright.trace.model import JSON


def an_object(value: JSON) -> dict[str, JSON]:
    """The object, or an empty one."""
    return value if isinstance(value, dict) else {}


def a_list(value: JSON) -> list[JSON]:
    """The list, or an empty one."""
    return value if isinstance(value, list) else []


def a_text(value: JSON) -> str:
    """The text, or the empty one."""
    return value if isinstance(value, str) else ""


def a_number(value: JSON) -> float:
    """The number, or zero; truth values are none."""
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else 0.0


def a_count(value: JSON) -> int:
    """A count of something, or zero."""
    number = a_number(value)
    return int(number) if 0 < number < 2**53 else 0


def objects(value: JSON) -> list[dict[str, JSON]]:
    """The objects of a list; other items are passed over."""
    return [each for each in a_list(value) if isinstance(each, dict)]
