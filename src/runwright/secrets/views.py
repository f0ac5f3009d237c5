"""Other readings of a text (unescaped, spaces collapsed, decoded), each able to say where in the text it came from."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from runwright.secrets.base64_text import BASE64_RUN, DIGIT as DIGIT, PLAIN as PLAIN, text_of

BLANKS = " " * 17
LONG_BLANKS = re.compile(r"(?<= {16}) +")
ESCAPE = re.compile(r'\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|["\\/bfnrt])')
PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})+")


@dataclass(frozen=True, slots=True)
class View:
    """A reading of a text: equal runs are anchored as (offset here, offset there); `whole` means not divisible."""

    text: str
    here: tuple[int, ...]
    there: tuple[int, ...]
    whole: tuple[int, int] | None = None
    name: str = ""

    def outer(self, start: int, end: int) -> tuple[int, int]:
        """Where a span of this reading lies in the text it was read from."""
        return self.whole or (self._outer(start), self._outer(end))

    def _outer(self, at: int) -> int:
        anchor = bisect_right(self.here, at) - 1
        return self.there[anchor] + at - self.here[anchor]


def collapsed(text: str) -> View | None:
    """The text with runs of spaces cut to 16, or None without them: assignment patterns take long runs badly."""
    return _rewritten(text, LONG_BLANKS, lambda _: "") if BLANKS in text else None


def unescaped(text: str) -> View | None:
    """The text with JSON's escapes undone, whether or not it is JSON as a whole; None where there are none."""
    return _rewritten(text, ESCAPE, _unescape) if "\\" in text else None


def _unescape(escape: str) -> str:
    try:
        return str(json.loads(f'"{escape}"'))
    except ValueError:
        return escape


def unquoted(text: str) -> View | None:
    """The text with the percent signs of a URL undone; None where there are none."""
    return _rewritten(text, PERCENT, _unquote) if "%" in text else None


def _unquote(run: str) -> str:
    try:
        return unquote_to_bytes(run).decode("utf-8")
    except UnicodeDecodeError:
        return run


def _rewritten(text: str, pattern: re.Pattern[str], change: Callable[[str], str]) -> View | None:
    parts: list[str] = []
    here, there, at, length = [0], [0], 0, 0
    for found in pattern.finditer(text):
        new = change(found.group())
        parts += text[at : found.start()], new
        length += found.start() - at + len(new)
        at = found.end()
        here.append(length)
        there.append(at)
    if not parts:
        return None
    return View("".join((*parts, text[at:])), tuple(here), tuple(there))


def decoded(text: str) -> Iterator[View]:
    """The base64 and base64url runs that hold text; a secret in one makes the run indivisible."""
    for found in BASE64_RUN.finditer(text):
        inner = text_of(found.group())
        if inner is not None:
            yield View(inner, (0,), (0,), found.span(), "base64")
