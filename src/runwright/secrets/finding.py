"""What the scan reports. Nothing here holds a secret: only where it is and of which kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A secret's place in a text. `inner` leads through what the text encloses (JSON, base64).

    `review` means worth a look, never blocking. `quote` is what a replacement needs around it so that enclosing JSON
    stays JSON (a bare number becomes a string). `rest` is where the secret goes on, when a stream cut it in pieces.
    """

    start: int
    end: int
    rule: str
    review: bool = False
    inner: str = ""
    quote: str = ""
    rest: tuple[tuple[int, int], ...] = ()

    @property
    def pieces(self) -> tuple[tuple[int, int], ...]:
        """Every part of the text that the secret is made of."""
        return ((self.start, self.end), *self.rest)

    def of(self, text: str) -> str:
        """The secret itself, as it is written in the text: never show it."""
        return "".join(text[start:end] for start, end in self.pieces)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A secret in pieces that lie in several leaves of a value: path, start and end of each."""

    pieces: tuple[tuple[tuple[str | int, ...], int, int], ...]
    rule: str
    inner: str = ""

    def of(self, value: object) -> str:
        """The secret itself, as it is in the value: never show it."""
        return "".join(str(part_at(value, parts))[start:end] for parts, start, end in self.pieces)


def part_at(value: object, parts: tuple[str | int, ...]) -> object:
    """What a path leads to in the value that it was made from."""
    for part in parts:
        value = value[part]  # type: ignore[index]  # the path was made from this value
    return value


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A secret's place in a value or a trace: the record's id where there is one, and the JSONPath in it."""

    record: str
    path: str
    rule: str
    detail: str = ""
    review: bool = False

    @property
    def place(self) -> str:
        """`m2 $.request.messages[1].content[0].text`, and the way on through enclosed forms."""
        where = f"{self.record} {self.path}" if self.record else self.path
        return f"{where} -> {self.detail}" if self.detail else where

    def __str__(self) -> str:
        return f"{self.place}: {self.rule}"


@dataclass(frozen=True, slots=True)
class Token:
    """A redacted value's stand-in: the `n`th distinct secret of its rule."""

    rule: str
    n: int
    start: int
    end: int

    def __str__(self) -> str:
        return token_text(self.rule, self.n)


OPENING = "[[redacted:"
TOKEN = re.compile(r"\[\[redacted:([a-z][a-z0-9-]{0,39}):([1-9][0-9]{0,8})\]\]")


def token_text(rule: str, n: int) -> str:
    """How a token is written."""
    return f"{OPENING}{rule}:{n}]]"


def tokens_in(text: str) -> list[Token]:
    """The tokens of a text, in order."""
    return list(_tokens(text)) if OPENING in text else []


def _tokens(text: str) -> Iterator[Token]:
    for found in TOKEN.finditer(text):
        yield Token(found[1], int(found[2]), found.start(), found.end())
