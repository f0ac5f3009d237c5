"""YAML as plain JSON values, with the line of everything: the core schema of YAML 1.2, and nothing that surprises.

`on`, `off`, `yes`, `no`, dates, `1:30` and `010` stay texts; duplicate keys, other tags and several documents are
refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NoReturn, TypeAlias

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamStartEvent,
)

from runwright.errors import FlowError
from runwright.trace.model import JSON
from runwright.trace.paths import format_path

try:
    from yaml import CSafeLoader as _Loader
except ImportError:  # PyYAML built without libyaml
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]

Where: TypeAlias = tuple[str | int, ...]

MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 64
MAX_NODES = 200_000
"""Values in a document, each alias counted as often as it stands."""


@dataclass(frozen=True)
class Document:
    """A value and, by path, the line that each part of it starts on."""

    name: str
    value: JSON
    lines: Mapping[Where, int]

    def place(self, path: Where) -> str:
        """`file:line: $.path` of a part, or of the nearest one around it."""
        known = path
        while known and known not in self.lines:
            known = known[:-1]
        return f"{self.name}:{self.lines.get(known, 1)}: {format_path(path)}"


def read_yaml(data: bytes, name: str) -> Document:
    """The one document in the bytes; FlowError, with the line, where there is none or it is not plain data."""
    if len(data) > MAX_BYTES:
        raise FlowError(f"{len(data)} bytes are more than such a file may have ({MAX_BYTES})", place=name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FlowError(f"not UTF-8: byte {data[error.start]:#04x}", place=f"{name}:{line}") from error
    try:
        return _Tree(name).document(iter(yaml.parse(text, Loader=_Loader)))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{name}:{mark.line + 1}" if mark else name
        raise FlowError(f"not YAML: {error.problem or error.context}", place=place) from error
    except yaml.YAMLError as error:
        raise FlowError(f"not YAML: {' '.join(str(error).split())}", place=name) from error


@dataclass
class _Tree:
    """Builds values from events; holds the anchors and the lines met so far."""

    name: str
    lines: dict[Where, int] = field(default_factory=dict)
    anchors: dict[str, tuple[JSON, int]] = field(default_factory=dict)
    nodes: int = 0

    def document(self, events: Iterator[Event]) -> Document:
        first = next(each for each in events if not isinstance(each, StreamStartEvent))
        if not isinstance(first, DocumentStartEvent):
            raise FlowError("the file is empty", place=self.name, hint="write it, or remove the file")
        value = self.node(next(events), events, ())
        another = next((each for each in events if isinstance(each, DocumentStartEvent)), None)
        if another is not None:
            self.fail("a second document; a file holds one", another)
        return Document(self.name, value, self.lines)

    def node(self, event: Event, events: Iterator[Event], path: Where) -> JSON:
        self.lines[path] = _line(event)
        before = self.nodes
        self.nodes += 1
        if isinstance(event, AliasEvent):
            return self._alias(event)
        value = self._value(event, events, path)
        if self.nodes > MAX_NODES:
            self.fail("the document is absurdly large", event)
        anchor = getattr(event, "anchor", None)
        if anchor:
            self.anchors[anchor] = (value, self.nodes - before)
        return value

    def _value(self, event: Event, events: Iterator[Event], path: Where) -> JSON:
        if len(path) > MAX_DEPTH:
            self.fail("nested too deep", event)
        if isinstance(event, ScalarEvent):
            return self._scalar(event)
        if isinstance(event, SequenceStartEvent):
            self._no_tag(event, "tag:yaml.org,2002:seq")
            return [self.node(each, events, (*path, n)) for n, each in enumerate(_until(events, SequenceEndEvent))]
        self._no_tag(event, "tag:yaml.org,2002:map")
        return self._mapping(events, path)

    def _mapping(self, events: Iterator[Event], path: Where) -> JSON:
        value: dict[str, JSON] = {}
        first_at: dict[str, int] = {}
        for each in _until(events, MappingEndEvent):
            key = self._scalar_key(each)
            if key in value:
                self.fail(f"key {key!r} stands here a second time (first on line {first_at[key]})", each)
            first_at[key] = _line(each)
            value[key] = self.node(next(events), events, (*path, key))
            self.lines[(*path, key)] = first_at[key]
        return value

    def _scalar_key(self, event: Event) -> str:
        if not isinstance(event, ScalarEvent):
            self.fail("a key must be a text", event)
        return str(event.value)

    def _alias(self, event: AliasEvent) -> JSON:
        if event.anchor not in self.anchors:
            self.fail(f"*{event.anchor} names nothing that is complete here", event)
        value, size = self.anchors[event.anchor]
        self.nodes += size
        if self.nodes > MAX_NODES:
            self.fail("the document is absurdly large", event)
        return value

    def _scalar(self, event: ScalarEvent) -> JSON:
        plain = event.style in (None, "") and event.implicit[0] and event.tag is None
        if not plain:
            self._no_tag(event, "tag:yaml.org,2002:str")
            return str(event.value)
        try:
            return plain_value(event.value)
        except ValueError as error:
            return self.fail(str(error), event)

    def _no_tag(self, event: Event, allowed: str) -> None:
        tag = getattr(event, "tag", None)
        if tag not in (None, "!", allowed):
            self.fail(f"the tag {tag!r} means nothing here", event)

    def fail(self, message: str, event: Event) -> NoReturn:
        raise FlowError(message, place=f"{self.name}:{_line(event)}")


def _until(events: Iterator[Event], end: type[Event]) -> Iterator[Event]:
    for event in events:
        if isinstance(event, end):
            return
        yield event


def _line(event: Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)", re.ASCII)
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+", re.ASCII)
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", re.ASCII)
_NOT_A_NUMBER = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


def plain_value(written: str) -> JSON:
    """What an unquoted scalar is in YAML 1.2's core schema; ValueError for a number that JSON does not have."""
    if written in ("", "~", "null", "Null", "NULL"):
        return None
    if written in ("true", "True", "TRUE", "false", "False", "FALSE"):
        return written[0] in "tT"
    if len(written) < 40 and _INTEGER.fullmatch(written):
        return int(written)
    if len(written) < 40 and _BASED.fullmatch(written):
        return int(written, 0)
    if _NOT_A_NUMBER.fullmatch(written):
        raise ValueError(f"{written} is no JSON number; quote it if it is a text")
    if _FLOAT.fullmatch(written) and set(written) & set(".eE"):
        if not math.isfinite(value := float(written)):
            raise ValueError(f"{written} is beyond what a number can hold; quote it if it is a text")
        return value
    return written
