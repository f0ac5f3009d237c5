"""What changed from one JSON value to another, as splices; `spliced` applies them.

A splice is one of
    {"path": [..., at], "del": n, "put": [items] or "text"}    in the list or string at the path, at position `at`
    {"path": [..., key], "set": value}                         the member is now this
    {"path": [..., key]}                                       the member is gone
They apply in order.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import TypeAlias

import orjson

from runwright.trace.model import JSON

Splice: TypeAlias = "dict[str, JSON]"
Steps: TypeAlias = "tuple[str | int, ...]"

MIN_SHARED = 48
"""Characters that two texts must share for a splice inside them to be worth it."""

LONG_MIDDLE = 256
"""Characters of differing middle from which a text is compared line by line."""


def splices_between(old: JSON, new: JSON) -> list[Splice]:
    """Splices that turn `old` into `new`; both are objects."""
    found: list[Splice] = []
    _compare(old, new, (), found)
    return found


def _compare(old: JSON, new: JSON, path: Steps, found: list[Splice]) -> None:
    if old is new or (old == new and type(old) is type(new) and _same_types(old, new)):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        _compare_objects(old, new, path, found)
    elif isinstance(old, list) and isinstance(new, list):
        _compare_lists(old, new, path, found)
    elif isinstance(old, str) and isinstance(new, str) and _shared(old, new) >= MIN_SHARED:
        _compare_texts(old, new, path, found)
    else:
        found.append({"path": list(path), "set": new})


def _same_types(old: JSON, new: JSON) -> bool:
    """Python calls 1, 1.0 and True equal; a trace does not."""
    if isinstance(old, dict) and isinstance(new, dict):
        return list(old) == list(new) and all(_same_types(old[key], new[key]) for key in old)
    if isinstance(old, list) and isinstance(new, list):
        return all(a is b or _same_types(a, b) for a, b in zip(old, new, strict=True))
    return type(old) is type(new)


def _equal(old: JSON, new: JSON) -> bool:
    return old is new or (old == new and _same_types(old, new))


def _compare_objects(old: dict[str, JSON], new: dict[str, JSON], path: Steps, found: list[Splice]) -> None:
    kept = [key for key in old if key in new]
    added = [key for key in new if key not in old]
    if path and kept + added != list(new):  # below the request, the order of members is kept exactly
        found.append({"path": list(path), "set": new})
        return
    found.extend({"path": [*path, key]} for key in old if key not in new)
    for key in kept:
        _compare(old[key], new[key], (*path, key), found)
    found.extend({"path": [*path, key], "set": new[key]} for key in added)


def _compare_lists(old: list[JSON], new: list[JSON], path: Steps, found: list[Splice]) -> None:
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    mine, yours = old[start : len(old) - end], new[start : len(new) - end]
    paired = 0
    for one, other in zip(mine, yours, strict=False):
        inner: list[Splice] = []
        _compare(one, other, (*path, start + paired), inner)
        if inner and len(orjson.dumps(inner)) > 0.6 * len(orjson.dumps(other)):
            break
        found.extend(inner)
        paired += 1
    dropped, put = len(mine) - paired, yours[paired:]
    if dropped or put:
        found.append({"path": [*path, start + paired], "del": dropped, "put": put})


def _common(old: Sequence[JSON], new: Sequence[JSON]) -> int:
    count = 0
    for one, other in zip(old, new, strict=False):
        if one is not other and not _equal(one, other):
            break
        count += 1
    return count


def _shared(old: str, new: str) -> int:
    start = _common_text(old, new)
    return start + _common_text(old[start:][::-1], new[start:][::-1])


def _common_text(old: str, new: str) -> int:
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old[:middle] == new[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _compare_texts(old: str, new: str, path: Steps, found: list[Splice]) -> None:
    start = _common_text(old, new)
    end = _common_text(old[start:][::-1], new[start:][::-1])
    mine, yours = old[start : len(old) - end], new[start : len(new) - end]
    if min(len(mine), len(yours)) < LONG_MIDDLE:
        found.append({"path": [*path, start], "del": len(mine), "put": yours})
        return
    lines, others = mine.splitlines(keepends=True), yours.splitlines(keepends=True)
    matcher = difflib.SequenceMatcher(None, lines, others, autojunk=False)
    for tag, a, b, c, d in reversed(matcher.get_opcodes()):
        if tag != "equal":
            at = start + sum(map(len, lines[:a]))
            found.append({"path": [*path, at], "del": sum(map(len, lines[a:b])), "put": "".join(others[c:d])})
