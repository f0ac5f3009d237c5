"""Redacted texts on the simulated side: a value in place of each token, as an agent would have one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from runwright.match import Flag, Flagged
from runwright.match.volatile import REDACTED
from runwright.trace.model import ModelRequest

_VALUE = re.compile(r"provesecret(\d+)x")


class _Found(NamedTuple):
    rule: str
    start: int
    end: int


class Secrets:
    """The values that stand for redacted tokens, and what tells them for secrets."""

    def __init__(self, given: Iterable[str]) -> None:
        self._values: dict[str, str] = {}
        self._rules: list[str] = []
        self._given: set[str] = set()
        for text in given:
            self.give(text)

    def give(self, text: str) -> None:
        """A text that the agent got: a token in it is all the agent ever sees of that secret."""
        self._given.update(found.group() for found in REDACTED.finditer(text))

    def spoken(self, request: ModelRequest) -> ModelRequest:
        """The request with a value for each token that the agent was not given as it is."""
        written = msgspec.json.encode(request).decode()
        if "[[redacted:" not in written:
            return request
        return msgspec.json.decode(REDACTED.sub(self._value, written), type=ModelRequest)

    def _value(self, token: re.Match[str]) -> str:
        if token.group() in self._given:
            return token.group()
        if token.group() not in self._values:
            self._values[token.group()] = f"provesecret{len(self._rules)}x"
            self._rules.append(token.group(1))
        return self._values[token.group()]

    def flag(self, flag: Flag) -> Flag:
        """The detector of secrets, for which these values are secrets of their tokens' rules too."""

        def found(text: str) -> Sequence[Flagged]:
            return (*flag(text), *self._found(text)) if self._rules else flag(text)

        return found

    def _found(self, text: str) -> Iterable[Flagged]:
        for found in _VALUE.finditer(text):
            if int(found.group(1)) < len(self._rules):
                yield _Found(self._rules[int(found.group(1))], *found.span())
