"""JSON of other tools, parsed without changing a value in silence.

orjson rounds an integer beyond 64 bits, keeps the last of two equal keys and refuses a lone surrogate. So what it read
is taken only where the bytes that it writes for it show that neither happened; the slow path says what it changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import msgspec
import orjson

from runwright.trace.model import JSON

SURROGATE = re.compile("[\ud800-\udfff]")
NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
DIGITS = bytes(ord("0") if chr(each) in "0123456789" else each for each in range(256))
LONG = b"0" * 19
"""Digits that an integer beyond 64 bits has, with `DIGITS` for translation."""
NO_DIGIT = re.compile(rb"[^0]")
BEGINS, ENDS = (b"", b":", b",", b"["), (b"", b",", b"]", b"}")
"""What stands before and after a number."""
KEY_END = b'":'
SPELT = re.compile(rb"\\u00(?:22|3[aA])")
"""The marks of a key's end as escapes, which writers leave alone."""
SMALLEST, LARGEST = -(2**63), 2**64 - 1
DEEPEST = 96
"""Levels of a value that will lie inside a record: well within what a line of a trace may have."""

WRITTEN = 254
"""Levels that orjson writes."""

Changed = Callable[[str], None]
"""Told about each value that the trace format cannot hold as it is."""


class NotJson(ValueError):
    """The text is no JSON document, or one that is nested beyond all reason."""


def parse_json(text: str | bytes, changed: Changed, deepest: int = DEEPEST) -> JSON:
    """The value of a JSON text; NotJson if it has none. What the format cannot hold becomes text, and is told."""
    try:
        data = text.encode() if isinstance(text, str) else text
        value: JSON = orjson.loads(data)
        again = orjson.dumps(value)
        if not holds_all(again, data):
            return _slowly(text, changed, deepest)
    except (
        ValueError,
        RecursionError,
        orjson.JSONEncodeError,
    ):  # the last for nesting that it reads but does not write
        return _slowly(text, changed, deepest)
    if deepest < WRITTEN and not _surely_flat(again, deepest):
        _guard_depth(value, deepest)
    return value


def holds_all(again: bytes, given: bytes) -> bool:
    """Whether no key and no integer of a text is missing from what orjson wrote for its value (`again`).

    It is the text itself, spaces aside; or it differs in how texts and fractions are spelt, holds as many ends of keys
    (those that stand inside texts count on both sides), and no number is so long that it may have been rounded.
    """
    if again == given:
        return True
    bare = msgspec.json.format(given, indent=-1)
    if again == bare:
        return True
    if again.count(KEY_END) != bare.count(KEY_END) or SPELT.search(bare):
        return False
    return not _may_be_rounded(bare.translate(DIGITS))


def _may_be_rounded(bare: bytes) -> bool:
    """Whether an integer beyond 64 bits may stand there; those inside texts have other marks around them."""
    at = 0
    while (at := bare.find(LONG, at)) >= 0:
        after = NO_DIGIT.search(bare, at)
        end = after.start() if after else len(bare)
        before = bare[max(at - 2, 0) : at].removesuffix(b"-")[-1:]
        if before in BEGINS and bare[end : end + 1] in ENDS:
            return True
        at = end
    return False


def _surely_flat(data: bytes, deepest: int) -> bool:
    """The brackets alone show that nothing is nested deeper: each round takes away the innermost one or two levels.

    Brackets inside texts may not pair up; then this cannot tell.
    """
    if len(data) <= 2 * deepest:
        return True
    brackets = data.translate(None, NO_BRACKETS)
    for _ in range(deepest // 2):
        if not brackets:
            return True
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    return not brackets


def _guard_depth(value: JSON, deepest: int) -> None:
    """NotJson where the value has more levels; found level by level, so that no input exhausts the stack."""
    level = [value]
    for _ in range(deepest):
        level = [child for each in level for child in _children(each)]
        if not level:
            return
    raise NotJson(f"nested more than {deepest} deep")


def _children(value: JSON) -> list[JSON]:
    held = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return [each for each in held if isinstance(each, dict | list)]


def _slowly(text: str | bytes, changed: Changed, deepest: int) -> JSON:
    def integer(digits: str) -> JSON:
        if len(digits) < 40 and SMALLEST <= int(digits) <= LARGEST:
            return int(digits)
        changed(f"an integer of {len(digits)} digits is kept as text")
        return digits

    def constant(name: str) -> JSON:
        changed(f"{name} is kept as text")
        return name

    def fraction(digits: str) -> JSON:
        value = float(digits)
        if value in (float("inf"), float("-inf")):
            changed(f"a number beyond all range is kept as text: {digits[:40]}")
            return digits
        return value

    def pairs(items: list[tuple[str, JSON]]) -> JSON:
        value = dict(items)
        if len(value) != len(items):
            changed(f"of two equal keys the last is kept: {_repeated(items)!r}")
        return value

    try:
        told = text if isinstance(text, str) else text.decode()
        value = json.loads(
            told, parse_int=integer, parse_float=fraction, parse_constant=constant, object_pairs_hook=pairs
        )
        _guard_depth(value, deepest)
        return _valid_text(value, changed) if _may_hold_surrogate(told) else value
    except (ValueError, RecursionError) as error:
        raise NotJson(str(error)) from error


def _may_hold_surrogate(text: str) -> bool:
    """Whether a half of a pair stands in the text, as itself or as an escape."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return "\\ud" in text or "\\uD" in text


def _repeated(items: list[tuple[str, JSON]]) -> str:
    seen: set[str] = set()
    return next(key for key, _ in items if key in seen or seen.add(key))  # type: ignore[func-returns-value]


def _valid_text(value: JSON, changed: Changed) -> JSON:
    """The value with lone surrogates replaced."""
    if isinstance(value, str) and SURROGATE.search(value):
        changed("a lone surrogate is replaced")
        return SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_valid_text(each, changed) for each in value]
    if isinstance(value, dict):
        clean = {SURROGATE.sub("\ufffd", key): _valid_text(each, changed) for key, each in value.items()}
        if clean.keys() != value.keys():
            changed("a lone surrogate in a key is replaced")
        return clean
    return value


def compact(value: JSON) -> str:
    """The compact JSON text of a value."""
    return orjson.dumps(value).decode()
