"""A request cut into parts (messages, tools, parameters), each with digests that decide most comparisons."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

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
from runwright.match.scope import IgnoreRule, Steps
from runwright.match.volatile import REDACTED, Token, template
from runwright.trace.model import JSON, Message, ModelRequest, ToolSpec

BLANK = "\0ignored"
REMEMBERED = 16_384
"""Live parts kept for requests to come: a growing conversation repeats nearly all of its own."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a request in normal form.

    `exact` is equal where the normal form is; `blank` also where only volatile tokens or ignored values differ.
    """

    normal: JSON
    exact: bytes
    blank: bytes
    tokens: tuple[Token, ...]
    redacted: bool


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request ready to be compared. `at` gives the record's index of each message."""

    api: str
    model: str
    streamed: bool | None
    parameters: dict[str, Part]
    messages: tuple[Part, ...]
    at: Order
    tools: dict[str, tuple[tuple[int, Part], ...]]

    def parts(self) -> Iterator[Part]:
        """Every part of the request."""
        yield from self.parameters.values()
        yield from self.messages
        for group in self.tools.values():
            yield from (part for _, part in group)


Remembered: TypeAlias = tuple[bytes, Order | None, int | None]


class Workshop:
    """Makes parts, and remembers the last ones."""

    def __init__(self, ignores: Sequence[IgnoreRule]) -> None:
        self._ignores = tuple(ignores)
        self._recorded: dict[Remembered, Part] = {}
        self._seen: dict[Remembered, Part] = {}
        self._recording = True

    def open(self) -> None:
        """From now on requests are live ones: their parts are remembered for a while, the recorded ones for good."""
        self._recording = False

    def prepare(self, request: ModelRequest, streamed: bool | None) -> Prepared:
        """The normal form of a request, cut into parts."""
        order, moved = result_order(request.messages)
        tools: dict[str, list[tuple[int, Part]]] = {}
        for index, tool in enumerate(request.tools):
            tools.setdefault(tool.name, []).append((index, self._tool(tool)))
        return Prepared(
            api=request.api,
            model=request.model,
            streamed=streamed,
            parameters={
                name: self._part(value, ("request", "parameters", name))
                for name, value in normal_parameters(request.parameters).items()
            },
            messages=tuple(self._message(request.messages[index], index, moved.get(index)) for index in order),
            at=order,
            tools={name: tuple(group) for name, group in tools.items()},
        )

    def _message(self, message: Message, index: int, order: Order | None) -> Part:
        where: Steps = ("request", "messages", index)
        ignored = index if any(rule.touches(where) for rule in self._ignores) else None
        at = order if order is not None else tuple(range(len(message.content)))
        if order is not None:
            message = msgspec.structs.replace(message, content=tuple(message.content[place] for place in order))
        return self._remembered(message, (order, ignored), lambda: self._part(normal_message(message, at), where))

    def _tool(self, tool: ToolSpec) -> Part:
        return self._remembered(tool, (None, None), lambda: make_part(normal_tool(tool), (), ()))

    def _remembered(
        self, value: Message | ToolSpec, more: tuple[Order | None, int | None], make: Callable[[], Part]
    ) -> Part:
        try:
            raw = blake3(msgspec.msgpack.encode(value)).digest(16)
        except (ValueError, OverflowError):  # a lone surrogate or a very long integer: not worth remembering
            return make()
        key = (raw, *more)
        part = self._recorded.get(key) or self._seen.get(key)
        if part is None:
            part = make()
            if self._recording:
                self._recorded[key] = part
            else:
                self._forget()
                self._seen[key] = part
        return part

    def _forget(self) -> None:
        if len(self._seen) >= REMEMBERED:
            self._seen.clear()

    def _part(self, normal: JSON, where: Steps) -> Part:
        return make_part(normal, where, tuple(rule for rule in self._ignores if rule.touches(where)))


def make_part(normal: JSON, where: Steps, ignores: tuple[IgnoreRule, ...]) -> Part:
    """A part from its normal form; `ignores` are the rules that touch it at `where`."""
    texts = list(strings(normal))
    tokens = tuple(token for text in texts for token in template(text).tokens)
    exact = digest(normal)
    blank = digest(_blanked(normal, where, ignores)) if tokens or ignores else exact
    redacted = any("[[redacted:" in text and REDACTED.search(text) for text in texts)
    return Part(normal, exact, blank, tokens, redacted)


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
