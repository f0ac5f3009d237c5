"""The content of small texts, and how two of them differ."""

from __future__ import annotations

import difflib

SHOWN = 16 << 10
"""Bytes up to which a text stands in an effect whole."""
LINES = 2_000
"""Lines of each text up to which the two are compared."""
MISSING = "\\ No newline at end of file"


def text_of(data: bytes | None) -> str | None:
    """The text that bytes are; None for what is none."""
    if data is None or b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def shown_text(data: bytes | None) -> str | None:
    """The text where it is small enough to be shown whole."""
    return text_of(data) if data is not None and len(data) <= SHOWN else None


def difference(old: bytes | None, new: bytes | None, old_name: str, new_name: str) -> str | None:
    """A unified diff of two texts; None where one is no text, or is long. A file that is not there is empty."""
    before, after = text_of(old), text_of(new)
    if before is None or after is None:
        return None
    ours, theirs = _lines(before), _lines(after)
    if max(len(ours), len(theirs)) > LINES:
        return None
    found = difflib.unified_diff(ours, theirs, old_name, new_name, n=3)
    return "".join(each if each.endswith("\n") else f"{each}\n{MISSING}\n" for each in found) or None


def _lines(text: str) -> list[str]:
    """Lines by newline alone, as diff has them, each with its own."""
    lines = text.split("\n")
    return [f"{each}\n" for each in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
