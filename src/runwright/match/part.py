"""A request cut into parts (messages, tools, parameters), each with digests that decide most comparisons."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar, cast

import msgspec
import orjson
from blake3 import blake3

from runwright.match.normal import (
    Order,
    Placed,
    normal_message,
    normal_parameters,
    normal_tool,
    result_order,
)
from runwright.match.scope import PARAMETERS, IgnoreRule, Steps
from runwright.match.volatile import REDACTED, Token, template
from runwright.trace.model import JSON, Message, ModelRequest, ToolSpec

BLANK = "\0ignored"
REMEMBERED = 16_384
"""Live parts kept for requests to come: a growing conversation repeats nearly all of its own."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a request: a message, a tool or a parameter's value.

    `exact` is equal where the normal form is; `blank` also where only volatile tokens or ignored values differ.
    """

    source: Message | ToolSpec | JSON
    at: Order
    exact: bytes
    blank: bytes
    tokens: tuple[Token, ...]
    redacted: bool

    @property
    def plain(self) -> bool:
        """Whether it equals itself and nothing else: it holds nothing volatile and nothing redacted."""
        return not self.tokens and not self.redacted

    @property
    def normal(self) -> JSON:
        """The normal form, made when asked for: most parts are decided by their digests."""
        return _normal(self.source, self.at)


def _normal(source: Message | ToolSpec | JSON, at: Order) -> JSON:
    if isinstance(source, Message):
        return normal_message(source, at)
    return normal_tool(source) if isinstance(source, ToolSpec) else source


Tools: TypeAlias = dict[str, tuple[tuple[int, Part], ...]]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request ready to be compared. `at` gives the record's index of each message."""

    api: str
    model: str
    streamed: bool | None
    parameters: dict[str, Part]
    messages: tuple[Part, ...]
    at: Order
    tools: Tools

    def parts(self) -> Iterator[Part]:
        """Every part of the request."""
        yield from self.parameters.values()
        yield from self.messages
        for group in self.tools.values():
            yield from (part for _, part in group)


T = TypeVar("T")


class Workshop:
    """Makes parts, and remembers the recorded ones for good and the live ones for a while."""

    def __init__(self, ignores: Sequence[IgnoreRule]) -> None:
        self._ignores = tuple(ignores)
        self._recorded: dict[Hashable, object] = {}
        self._live: dict[Hashable, object] = {}
        self._recording = True

    def open(self) -> None:
        """From now on requests are live ones."""
        self._recording = False

    def prepare(self, request: ModelRequest, streamed: bool | None) -> Prepared:
        """The normal form of a request, cut into parts."""
        order, moved = result_order(request.messages)
        return Prepared(
            api=request.api,
            model=request.model,
            streamed=streamed,
            parameters=self._remembered(request.parameters, (), lambda: self._parameters(request.parameters)),
            messages=tuple(self._message(request.messages[index], index, moved.get(index)) for index in order),
            at=order,
            tools=self._remembered(request.tools, (), lambda: _tools(request.tools)),
        )

    def _message(self, message: Message, index: int, order: Order | None) -> Part:
        where: Steps = ("request", "messages", index)
        touched = index if self._ignores and any(rule.touches(where) for rule in self._ignores) else None
        at = order if order is not None else tuple(range(len(message.content)))
        if order is not None:
            message = msgspec.structs.replace(message, content=tuple(message.content[place] for place in order))
        return self._remembered(message, (order, touched), lambda: self._part(message, at, where))

    def _parameters(self, parameters: Mapping[str, JSON]) -> dict[str, Part]:
        known = normal_parameters(parameters).items()
        return {name: self._part(value, (), (*PARAMETERS, name)) for name, value in known}

    def _part(self, source: Message | JSON, at: Order, where: Steps) -> Part:
        return make_part(source, at, where, tuple(rule for rule in self._ignores if rule.touches(where)))

    def _remembered(self, value: object, more: tuple[object, ...], make: Callable[[], T]) -> T:
        """What `make` makes of an equal value; `make` must depend on the value and `more` alone."""
        try:
            key = (type(value), blake3(msgspec.msgpack.encode(value)).digest(16), *more)
        except (ValueError, OverflowError):  # a lone surrogate or a very long integer: not worth remembering
            return make()
        found = self._recorded.get(key, self._live.get(key))
        if found is None:
            found = make()
            self._remember(key, found)
        return cast("T", found)

    def _remember(self, key: Hashable, made: object) -> None:
        if self._recording:
            self._recorded[key] = made
            return
        if len(self._live) >= REMEMBERED:
            self._live.clear()
        self._live[key] = made


def _tools(tools: Sequence[ToolSpec]) -> Tools:
    found: dict[str, list[tuple[int, Part]]] = {}
    for index, tool in enumerate(tools):
        found.setdefault(tool.name, []).append((index, make_part(tool, (), (), ())))
    return {name: tuple(group) for name, group in found.items()}


def make_part(source: Message | ToolSpec | JSON, at: Order, where: Steps, ignores: tuple[IgnoreRule, ...]) -> Part:
    """A part; `ignores` are the rules that touch it at `where`."""
    normal = _normal(source, at)
    texts = list(strings(normal))
    tokens = tuple(token for text in texts for token in template(text).tokens)
    exact = digest(normal)
    blank = digest(_blanked(normal, where, ignores)) if tokens or ignores else exact
    redacted = any("[[redacted:" in text and REDACTED.search(text) for text in texts)
    return Part(source, at, exact, blank, tokens, redacted)


def strings(value: JSON) -> Iterator[str]:
    """Every string of a value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)


def digest(value: JSON) -> bytes:
    """128 bits that are equal where two normal forms are; in memory only."""
    try:
        data = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except (TypeError, orjson.JSONEncodeError):  # beyond orjson: integers over 64 bits, lone surrogates
        data = b"json:" + json.dumps(value, sort_keys=True).encode()
    return blake3(data).digest(16)


def _blanked(value: JSON, where: Steps, ignores: tuple[IgnoreRule, ...]) -> JSON:
    if any(rule.covers(where) and rule.fits(value) for rule in ignores):
        return BLANK
    if isinstance(value, str):
        return template(value).blank
    if isinstance(value, dict):
        blank = {key: _blanked(each, (*where, key), ignores) for key, each in value.items()}
        keys = {key: template(key).blank for key in value}
        if all(key == shown for key, shown in keys.items()):
            return {key: each for key, each in blank.items() if each != BLANK}
        return sorted(([keys[key], each] for key, each in blank.items()), key=digest)
    if isinstance(value, list):
        at = value.at if isinstance(value, Placed) else range(len(value))
        return [_blanked(each, (*where, place), ignores) for place, each in zip(at, value, strict=True)]
    return value
