"""Canonical form c1, and the digests that may be stored.

c1 is RFC 8785 (JSON Canonicalization Scheme), except that integers beyond 2**53 keep their exact decimal digits.
"""

from __future__ import annotations

from decimal import Decimal

import orjson

from runwright.errors import TraceError
from runwright.trace.digests import digest_bytes
from runwright.trace.model import JSON


def canonical(value: JSON) -> bytes:
    """The c1 bytes of a JSON value; TraceError for NaN, infinity and lone surrogates."""
    if _orjson_agrees(value):
        try:
            return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
        except TypeError:  # an integer beyond 64 bits, or a lone surrogate
            pass
    try:
        return _text(value).encode()
    except UnicodeEncodeError as error:
        raise TraceError("a string holds a lone surrogate", hint="it has no UTF-8 form") from error


def digest(value: JSON) -> str:
    """`blake3:<hex>` over the canonical form."""
    return digest_bytes(canonical(value))


def _orjson_agrees(value: JSON) -> bool:
    """Whether orjson writes the value as c1 does: no floats, and no key whose UTF-16 order could differ."""
    match value:
        case dict():
            return all(key.isascii() and _orjson_agrees(each) for key, each in value.items())
        case list() | tuple():
            return all(_orjson_agrees(each) for each in value)
        case float():
            return False
        case _:
            return True


def _text(value: JSON) -> str:
    match value:
        case bool() | None:
            return {True: "true", False: "false", None: "null"}[value]
        case int():
            return str(value)
        case float():
            return _number(value)
        case str():
            return _string(value)
        case dict():
            ordered = sorted(value.items(), key=lambda item: item[0].encode("utf-16-be", "surrogatepass"))
            return "{" + ",".join(f"{_string(key)}:{_text(each)}" for key, each in ordered) + "}"
        case _:
            return "[" + ",".join(_text(each) for each in value) + "]"


def _string(value: str) -> str:
    try:
        return orjson.dumps(value).decode()
    except TypeError as error:
        raise TraceError("a string holds a lone surrogate", hint="it has no UTF-8 form") from error


def _number(value: float) -> str:
    """ECMAScript's Number-to-String, which RFC 8785 prescribes."""
    if value != value or value in (float("inf"), float("-inf")):
        raise TraceError(f"{value} is no JSON number")
    if value == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    shown = "".join(map(str, digits))
    point = len(shown) + int(exponent)
    minus = "-" if sign else ""
    if len(shown) <= point <= 21:
        return minus + shown + "0" * (point - len(shown))
    if 0 < point <= 21:
        return f"{minus}{shown[:point]}.{shown[point:]}"
    if -6 < point <= 0:
        return f"{minus}0.{'0' * -point}{shown}"
    mantissa = shown[0] + (f".{shown[1:]}" if len(shown) > 1 else "")
    return f"{minus}{mantissa}e{'+' if point > 0 else '-'}{abs(point - 1)}"
