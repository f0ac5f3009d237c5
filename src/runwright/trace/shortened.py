"""Texts made shorter so that what is left of them can still be read for secrets."""

from __future__ import annotations

import re

MARK = " …"
BOUNDARIES = " \n\t\r\"'`,;{}[]()<>|"
"""What no key, token or password in a URL goes on across."""

BASE64_LINE = re.compile(r"\s*[A-Za-z0-9+/=]{28,}(?!\S)")


def shortened(text: str, most: int) -> str:
    """The first words of a text, at most so many characters.

    Of a word all or nothing is left, with what ends it: part of a secret is not recognised as one, and would be shown.
    """
    if len(text) <= most:
        return text
    head = text[: max(most - len(MARK), 0)]
    if not text[len(head)].isspace():
        head = whole_words(head)
    return (head.rstrip() + MARK).lstrip()


def whole_words(text: str) -> str:
    """A text that was cut off somewhere, without the word that it was cut off in."""
    return text[: max(map(text.rfind, BOUNDARIES)) + 1]


def last_lines(text: str, most: int) -> str:
    """The last whole lines of a text, at most so many characters: what leads a secret in is on its line.

    Lines of base64 that would begin what is left are the rest of a private key whose first line is gone.
    """
    if len(text) <= most:
        return text
    lines = text[len(text) - max(most, 0) - 1 :].split("\n")[1:] if most > 0 else []
    while lines and BASE64_LINE.match(lines[0]):
        del lines[0]
    return "\n".join(lines)
