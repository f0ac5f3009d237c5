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
    if ours and theirs:
        found = difflib.unified_diff(ours, theirs, old_name, new_name, n=3)
        return "".join(map(_ended, found)) or None
    return _whole(ours or theirs, "-" if ours else "+", old_name, new_name)


def _whole(lines: list[str], sign: str, old_name: str, new_name: str) -> str | None:
    """The same of a text that is all new, or all gone, without comparing."""
    if not lines:
        return None
    span = "1" if len(lines) == 1 else f"1,{len(lines)}"
    hunk = f"-{span} +0,0" if sign == "-" else f"-0,0 +{span}"
    body = "".join(_ended(sign + each) for each in lines)
    return f"--- {old_name}\n+++ {new_name}\n@@ {hunk} @@\n{body}"


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n{MISSING}\n"


def _lines(text: str) -> list[str]:
    """Lines by newline alone, as diff has them, each with its own."""
    lines = text.split("\n")
    return [f"{each}\n" for each in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
