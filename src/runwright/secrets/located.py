"""Where each leaf of a JSON text is written, so that one can be replaced and nothing else changes."""

from __future__ import annotations

import re
from json.decoder import scanstring  # type: ignore[attr-defined]  # not in the stubs; the json module's own tokeniser
from typing import TypeAlias

Parts: TypeAlias = tuple[str | int, ...]
Place: TypeAlias = tuple[Parts, bool]
"""A path, and whether the key rather than the value is meant."""

SPACE = re.compile(r"[ \t\r\n]*")
SCALAR = re.compile(r"[^\s,\]}]+")


def located(text: str) -> dict[Place, tuple[int, int]]:
    """The span of every string (inside its quotes), number and key of a valid JSON text, by its place."""
    found: dict[Place, tuple[int, int]] = {}
    open_: list[tuple[Parts, int]] = []  # containers around the cursor: path, next index or -1 for an object
    path: Parts = ()
    at = _skip(text, 0)
    while at < len(text):
        mark = text[at]
        if mark in "[{":
            open_.append((path, 0 if mark == "[" else -1))
            at, path, closed = _enter(text, _skip(text, at + 1), open_, found)
            if not closed:
                continue
        elif mark == '"':
            _, end = scanstring(text, at + 1, False)
            found[path, False] = (at + 1, end - 1)
            at = end
        elif scalar := SCALAR.match(text, at):
            found[path, False] = scalar.span()
            at = scalar.end()
        at, path = _leave(text, _skip(text, at), open_, found)
    return found


def _skip(text: str, at: int) -> int:
    space = SPACE.match(text, at)
    return space.end() if space else at


def _enter(
    text: str, at: int, open_: list[tuple[Parts, int]], found: dict[Place, tuple[int, int]]
) -> tuple[int, Parts, bool]:
    """Step to a container's first member; whether it was empty, and so closed at once."""
    path, index = open_[-1]
    if text[at] in "]}":
        open_.pop()
        return at + 1, path, True
    if index < 0:
        at, key = _key(text, at, path, found)
        return at, (*path, key), False
    return at, (*path, 0), False


def _leave(
    text: str, at: int, open_: list[tuple[Parts, int]], found: dict[Place, tuple[int, int]]
) -> tuple[int, Parts]:
    """Step past what ends here, to the next member; the end of the text when the outermost value ended."""
    while open_ and at < len(text) and text[at] in "]}":
        open_.pop()
        at = _skip(text, at + 1)
    if not open_ or at >= len(text):
        return len(text), ()
    path, index = open_[-1]
    at = _skip(text, at + 1)  # past the comma
    if index < 0:
        at, key = _key(text, at, path, found)
        return at, (*path, key)
    open_[-1] = (path, index + 1)
    return at, (*path, index + 1)


def _key(text: str, at: int, path: Parts, found: dict[Place, tuple[int, int]]) -> tuple[int, str]:
    key, end = scanstring(text, at + 1, False)
    found[(*path, key), True] = (at + 1, end - 1)
    colon = _skip(text, end)
    return _skip(text, colon + 1), key
