"""YAML of other tools: no tag builds an object, no alias grows beyond reason, no value changes in silence.

Values are built from the parser's events: the nodes of a YAML library take hundreds of times the memory of a file.
"""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Iterable
from itertools import chain
from typing import Any, Literal

import yaml

from runwright.readers.exact import LARGEST, SMALLEST, Changed
from runwright.secrets.shortened import shortened
from runwright.trace.model import JSON

GROWTH = 10
"""How many times its size a document may become when its aliases are written out."""
SMALL = 16 * 1024 * 1024
"""Values and characters that any document may have then."""
TAKEN = 1_000_000
"""Pairs that the mappings of a document may take over from one another."""
LONGEST = 40
"""Characters of a number."""

TAG = "tag:yaml.org,2002:"
MERGE = "<<"
WORDS: dict[str, JSON] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
}
INTEGER = re.compile(r"[-+]?(?:0b_*[01][01_]*|0x_*[0-9a-fA-F][0-9a-fA-F_]*|0[0-7_]*|[1-9][0-9_]*)")
FRACTION = re.compile(r"(?:[-+]?[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+][0-9]+)?")
ENDLESS = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
NUMERIC = frozenset("+-.0123456789")


class NotYaml(ValueError):
    """The bytes are no YAML document, or one that stands for more than can be written out."""


def parse_yaml(data: bytes, changed: Changed) -> JSON:
    """The value of a YAML document; NotYaml if it has none. Binary values stay bytes, dates the texts that they are."""
    builder = _Builder(changed)
    try:
        builder.build(yaml.parse(data, Loader=yaml.CSafeLoader))
    except (yaml.YAMLError, ValueError) as error:
        raise NotYaml(f"no YAML that can be read: {_first_line(error)}") from error
    most = max(SMALL, GROWTH * len(data))
    if builder.shared and _weight(builder.document, most) > most:
        raise NotYaml(f"its aliases make it more than {GROWTH} times as long when they are written out")
    return builder.document


class _Open:
    """A list or mapping that is not complete: what it is to hold next, and what it takes over from others."""

    __slots__ = ("key", "takes", "value")

    def __init__(self, value: list[JSON] | dict[str, JSON]) -> None:
        self.value = value
        self.key: str | None = None
        self.takes: list[JSON] = []


class _Builder:
    """Builds the value of one document. `shared` says that an alias stands for something in it."""

    def __init__(self, changed: Changed) -> None:
        self.document: JSON = None
        self.shared = False
        self._changed = changed
        self._open: list[_Open] = []
        self._anchors: dict[str, JSON] = {}
        self._documents = 0
        self._left = TAKEN

    def build(self, events: Iterable[Any]) -> None:
        for event in events:
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self._scalar(event)
            elif kind is yaml.MappingStartEvent:
                self._begin(event, {}, "map")
            elif kind is yaml.SequenceStartEvent:
                self._begin(event, [], "seq")
            elif kind is yaml.MappingEndEvent:
                self._end_mapping()
            elif kind is yaml.SequenceEndEvent:
                self._open.pop()
            elif kind is yaml.AliasEvent:
                self._alias(event)
            elif kind is yaml.DocumentStartEvent:
                self._documents += 1
                if self._documents > 1:
                    raise ValueError("several documents in one file")

    def _scalar(self, event: Any) -> None:
        inside = self._open[-1] if self._open else None
        if inside is not None and inside.key is None and isinstance(inside.value, dict):
            inside.key = event.value
            if event.value == MERGE and event.implicit[0]:
                inside.key = _TAKES
            elif event.value in inside.value:
                self._changed(f"of two equal keys the last is kept: {shortened(event.value, 200)!r}")
            return
        value = self._valued(event)
        if event.anchor is not None:
            self._anchors[event.anchor] = value
        self._put(value)

    def _begin(self, event: Any, value: list[JSON] | dict[str, JSON], kind: Literal["map", "seq"]) -> None:
        if event.tag not in (None, "!", TAG + kind):
            raise ValueError(f"the tag {event.tag!r} stands for no value of JSON")
        if event.anchor is not None:
            self._anchors[event.anchor] = value
        self._put(value)
        self._open.append(_Open(value))

    def _alias(self, event: Any) -> None:
        if event.anchor not in self._anchors:
            raise ValueError(f"the alias {event.anchor!r} stands for nothing")
        self.shared = True
        self._put(self._anchors[event.anchor])

    def _put(self, value: JSON) -> None:
        """The value where it belongs: at the top, in the list, or under the key that came before it."""
        if not self._open:
            self.document = value
            return
        inside = self._open[-1]
        if isinstance(inside.value, list):
            inside.value.append(value)
        elif inside.key is None:
            raise ValueError("a key that is no text")
        elif inside.key is _TAKES:
            inside.takes.append(value)
            inside.key = None
        else:
            inside.value[inside.key] = value
            inside.key = None

    def _end_mapping(self) -> None:
        done = self._open.pop()
        if not done.takes or not isinstance(done.value, dict):
            return
        taken: dict[str, JSON] = {}
        for each in chain.from_iterable(each if isinstance(each, list) else [each] for each in done.takes):
            if not isinstance(each, dict):
                raise ValueError("only a mapping can be taken over")
            self._left -= len(each)
            if self._left < 0:
                raise ValueError("its mappings take over too much from one another")
            taken = {**each, **taken}
        own = dict(done.value)
        done.value.clear()
        done.value.update({**taken, **own})

    # --- scalars ---------------------------------------------------------------------------------

    def _valued(self, event: Any) -> JSON:
        text: str = event.value
        if event.tag in (None, "!"):
            return self._plain(text) if event.implicit[0] else text
        kind = str(event.tag).removeprefix(TAG)
        if kind in ("str", "timestamp"):
            return text
        if kind == "binary":
            return base64.b64decode(text)  # type: ignore[return-value] # bytes, which only bodies may be
        if kind in ("null", "bool", "int", "float"):
            return self._plain(text)
        raise ValueError(f"the tag {event.tag!r} stands for no value of JSON")

    def _plain(self, text: str) -> JSON:
        """What a word without quotes means. With colons it is a time of day, whatever YAML 1.1 makes of it."""
        if text in WORDS:
            return WORDS[text]
        if text[0] not in NUMERIC:
            return text
        if INTEGER.fullmatch(text):
            return self._integer(text)
        if ENDLESS.fullmatch(text):
            self._changed(f"{text} is kept as text")
        elif FRACTION.fullmatch(text):
            return self._fraction(text)
        return text

    def _integer(self, text: str) -> JSON:
        if len(text) <= LONGEST:
            digits = text.replace("_", "")
            bare = digits.lstrip("+-")
            octal = bare[:1] == "0" and bare.isdecimal() and bare != "0"
            value = int(digits, 8) if octal else int(digits, 0)
            if SMALLEST <= value <= LARGEST:
                return value
        self._changed(f"an integer of {len(text)} digits is kept as text")
        return text

    def _fraction(self, text: str) -> JSON:
        value = float(text.replace("_", "")) if len(text) <= LONGEST else math.inf
        if math.isfinite(value):
            return value
        self._changed("a number beyond all range is kept as text")
        return text


_TAKES = "".join(("<", "<"))
"""The key under which a mapping takes others over; told from a text of these characters by identity."""


def _weight(value: object, most: int) -> int:
    """How many values and characters there are with aliases written out; a value that holds itself is endless."""
    known: dict[int, int] = {}
    waiting: list[tuple[object, bool]] = [(value, False)]
    within: set[int] = set()
    while waiting:
        each, done = waiting.pop()
        key = id(each)
        if done:
            known[key] = 1 + sum(known.get(id(child)) or _own(child) for child in _children(each))
            within.discard(key)
        elif key in within:
            return most + 1
        elif key not in known and _children(each):
            within.add(key)
            waiting.append((each, True))
            waiting += [(child, False) for child in _children(each)]
    return known.get(id(value)) or _own(value)


def _own(value: object) -> int:
    return 1 + (len(value) if isinstance(value, (str, bytes)) else 0)


def _children(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(chain.from_iterable(value.items()))
    return value if isinstance(value, list) else []


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
