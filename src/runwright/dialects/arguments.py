"""A tool call's arguments: the value, and the wire text where that is not the value's compact rendering."""

from __future__ import annotations

from runwright.dialects.exact import compact, exact_loads
from runwright.trace.model import JSON


def arguments_of(text: str) -> tuple[JSON, str | None]:
    """The value that a text is the JSON of, and the text where it is another rendering; no JSON is no value."""
    try:
        value = exact_loads(text)
    except ValueError:
        return None, text
    return value, None if compact(value) == text.encode() else text


def text_of_arguments(value: JSON, text: str | None) -> str:
    """The text that `arguments_of` took apart."""
    return compact(value).decode() if text is None else text
