"""Parsing that never changes a value silently: what JSON parsers disagree about is refused, with its path.

orjson makes floats of integers beyond 64 bits and keeps the last of two equal keys. So a line is taken as orjson read
it only if writing it again gives the same bytes, spaces aside; else Python's own parser looks closer; and where that
objects, a slow reader that knows where it is says what and where.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from json.decoder import JSONDecodeError
from typing import Any, NoReturn

import msgspec
import orjson

from runwright.trace.model import JSON
from runwright.trace.paths import Part, format_path

MAX_DEPTH = 254
"""Nesting of objects and lists that a line may have: as deep as orjson writes."""

BOM = b"\xef\xbb\xbf"
EOL_HINT = "line ends were changed; keep them with '*.jsonl text eol=lf' in .gitattributes"

scanstring: Callable[[str, int, bool], tuple[str, int]] = json.decoder.scanstring  # type: ignore[attr-defined] # no stub

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_BRACKET = re.compile(rb"[\[\]{}]")
_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
_NOT_ZERO = re.compile(r"-?[0.]*[1-9]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_WORDS: dict[str, JSON] = {"true": True, "false": False, "null": None}
_NO_NUMBERS = ("NaN", "Infinity", "-Infinity")


class InexactJson(ValueError):
    """A line that cannot be kept exactly; `path` is where, if it is not the line as a whole."""

    def __init__(self, message: str, path: tuple[Part, ...] = (), *, hint: str = "") -> None:
        super().__init__(message)
        self.path = "" if hint else format_path(path)
        self.hint = hint


def parse_exact(line: bytes) -> JSON:
    """The value of one line of JSON; InexactJson for anything that would not survive being written again."""
    try:
        value: JSON = orjson.loads(line)
        again = orjson.dumps(value)
        if again == line or (not line.endswith(b"\r") and again == msgspec.json.format(line, indent=-1)):
            return value
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):  # no JSON, or nested too deep
        pass
    return _closer(line)


def guard_depth(line: bytes) -> None:
    """InexactJson where a line nests deeper than the format allows."""
    if line.count(b"[") + line.count(b"{") <= MAX_DEPTH:
        return
    depth = 0
    for bracket in _BRACKET.finditer(_STRING.sub(b"", line)):
        depth += 1 if bracket[0] in b"[{" else -1
        if depth > MAX_DEPTH:
            raise InexactJson(f"nested deeper than {MAX_DEPTH} levels")


def _closer(line: bytes) -> JSON:
    if line.startswith(BOM):
        raise InexactJson("a byte order mark", hint="save the file as UTF-8 without BOM")
    if line.endswith(b"\r"):
        raise InexactJson("the line ends in CR LF", hint=EOL_HINT)
    guard_depth(line)
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise InexactJson(f"not UTF-8: byte {line[error.start]:#04x} at column {error.start + 1}") from error
    if _ESCAPED_SURROGATE.search(line):
        return _Located(text).whole()
    try:
        value: JSON = json.loads(
            text, object_pairs_hook=_unique, parse_int=_integer, parse_float=_float, parse_constant=_no_number
        )
    except ValueError:
        return _Located(text).whole()
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key occurs twice")
    return value


def _integer(text: str) -> int:
    value = int(text) if len(text) <= 20 else 2**64
    if not -(2**63) <= value < 2**64:
        raise ValueError("the integer is outside 64 bits")
    return value


def _float(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError("the number is beyond a double")
    if value == 0 and _NOT_ZERO.match(text):
        raise ValueError("the number is too small for a double")
    return value


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON")


class _Located:
    """A strict recursive reader that keeps the path; slow, and only for lines that something is odd about."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def whole(self) -> JSON:
        value = self._value(())
        self._skip()
        if self.at != len(self.text):
            raise InexactJson(f"something follows the value at column {self.at + 1}")
        return value

    def _skip(self) -> str:
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        return self.text[self.at : self.at + 1]

    def _value(self, path: tuple[Part, ...]) -> JSON:
        mark = self._skip()
        if mark == "{":
            return self._object(path)
        if mark == "[":
            return self._list(path)
        if mark == '"':
            return self._string(path)
        for word, value in _WORDS.items():
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        return self._number(path)

    def _object(self, path: tuple[Part, ...]) -> JSON:
        value: dict[str, JSON] = {}
        self.at += 1
        if self._skip() == "}":
            self.at += 1
            return value
        while True:
            self._expect('"', path, move=False)
            key = self._string(path)
            if key in value:
                raise InexactJson(f"the key {key!r} occurs twice", (*path, key))
            self._expect(":", path)
            value[key] = self._value((*path, key))
            if self._expect(",}", path) == "}":
                return value

    def _list(self, path: tuple[Part, ...]) -> JSON:
        value: list[JSON] = []
        self.at += 1
        if self._skip() == "]":
            self.at += 1
            return value
        while True:
            value.append(self._value((*path, len(value))))
            if self._expect(",]", path) == "]":
                return value

    def _expect(self, marks: str, path: tuple[Part, ...], *, move: bool = True) -> str:
        mark = self._skip()
        if not mark or mark not in marks:
            raise InexactJson(f"expected {' or '.join(marks)} at column {self.at + 1}, found {mark or 'the end'}", path)
        self.at += move
        return mark

    def _string(self, path: tuple[Part, ...]) -> str:
        try:
            value, self.at = scanstring(self.text, self.at + 1, True)
        except JSONDecodeError as error:
            raise InexactJson(f"{error.msg.lower()} at column {error.pos + 1}", path) from error
        if _SURROGATE.search(value):
            raise InexactJson("a lone surrogate, which has no UTF-8 form", path)
        return value

    def _number(self, path: tuple[Part, ...]) -> int | float:
        for word in _NO_NUMBERS:
            if self.text.startswith(word, self.at):
                raise InexactJson(f"{word} is no JSON number", path)
        found = _NUMBER.match(self.text, self.at)
        if found is None:
            raise InexactJson(f"expected a value at column {self.at + 1}", path)
        self.at = found.end()
        try:
            return _float(found[0]) if found[1] or found[2] else _integer(found[0])
        except ValueError as error:
            raise InexactJson(f"{error}: {found[0][:40]}", path) from error
