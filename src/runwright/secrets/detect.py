"""The secrets of one text: rules, telling names, and what the text encloses."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

import orjson

import runwright.secrets.assigned as assigned
from runwright.secrets.entropy import random_looking
from runwright.secrets.finding import OPENING, TOKEN, Span, Stretch
from runwright.secrets.leaves import Leaf, leaves, lists
from runwright.secrets.located import Parts, Place, located
from runwright.secrets.names import naming
from runwright.secrets.spans import aligned, merged, moved, shifted
from runwright.secrets.streams import documents, streams
from runwright.secrets.suspicion import suspicious
from runwright.secrets.values import MASKED, is_secret_number
from runwright.secrets.views import collapsed, decoded, unescaped, unquoted
from runwright.trace.model import JSON
from runwright.trace.paths import format_path

__all__ = ["DEPTH", "Scanner", "mask", "merged"]

DEPTH = 3
SHORTEST = 3
MOST_HELD = 8_000_000
"""So many characters of texts are remembered with what was found in them."""

Key: TypeAlias = tuple[str, str, int]
Lines: TypeAlias = Sequence[tuple[int, str]]
"""Texts that are JSON, and where each starts."""


class Scanner:
    """Finds spans; remembers what it has seen, since a growing conversation repeats all but its last message."""

    def __init__(self, *, review: bool = False) -> None:
        self._review = review
        self._seen: dict[Key, list[Span]] = {}
        self._held = 0

    def spans(self, text: str, name: str = "", depth: int = DEPTH) -> list[Span]:
        """The secrets of a text that stands under `name`, in order and without overlaps."""
        if len(text) < SHORTEST:
            return []
        key = (text, name if naming(name) else "", depth)
        found = self._seen.get(key)
        if found is None:
            found = aligned(merged(self._all(text, name, depth)), text) if key[1] or self._likely(text) else []
            self._remember(key, found)
        return found

    def _likely(self, text: str) -> bool:
        return self._review or suspicious(text.encode("utf-8", "replace"))

    def _remember(self, key: Key, found: list[Span]) -> None:
        self._held += len(key[0])
        if self._held > MOST_HELD:
            self._seen.clear()
            self._held = len(key[0])
        self._seen[key] = found

    def likely(self, value: JSON) -> bool:
        """Whether a value may hold a secret at all: far sooner told than where it is."""
        if self._review:
            return True
        try:
            return suspicious(orjson.dumps(value))
        except (TypeError, ValueError, RecursionError):  # lone surrogates, numbers beyond 64 bits, great depth
            return True

    def of_leaf(self, leaf: Leaf, depth: int = DEPTH) -> list[Span]:
        """The secrets of a leaf; a number is one as a whole or not at all."""
        if leaf.kind == "number":
            secret = is_secret_number(naming(leaf.name), leaf.text)
            return [Span(0, len(leaf.text), assigned.RULE, quote='"')] if secret else []
        return self.spans(leaf.text, leaf.name, depth)

    def _all(self, text: str, name: str, depth: int) -> Iterator[Span]:
        masked = mask(text)
        view = collapsed(masked)
        for span in self._direct(view.text if view else masked):
            yield moved(span, view) if view else span
        if name and (named := assigned.named_span(name, masked)):
            yield Span(*named, assigned.RULE)
        if depth:
            yield from self._enclosed(masked, depth - 1)

    def _direct(self, text: str) -> Iterator[Span]:
        from runwright.secrets.prefilter import candidates, folded

        fold = folded(text)
        for rule in candidates(fold, review=self._review):
            for match in rule.matches(text):
                if match.sure or self._review:
                    yield Span(match.start, match.end, rule.name, not match.sure)
        if assigned.HINT.search(fold):
            yield from assigned.assigned(text)
        if self._review:
            yield from random_looking(text)

    def _enclosed(self, text: str, depth: int) -> Iterator[Span]:
        """What is found in other readings of the text, as spans of the text itself."""
        value = _parsed(text)
        if value is not None:
            yield from self._in_json(text, value, depth)
        else:
            yield from self._in_stream(text, depth)
            if view := unescaped(text):
                yield from (moved(span, view) for span in self.spans(view.text, "", depth))
        if view := unquoted(text):
            yield from (moved(span, view) for span in self.spans(view.text, "", depth))
        for run in decoded(text):
            yield from (moved(span, run) for span in self.spans(run.text, "", depth))

    def _in_json(self, text: str, value: JSON, depth: int) -> Iterator[Span]:
        found = [(leaf, spans) for leaf in leaves(value) if (spans := self.of_leaf(leaf, depth))]
        joined = list(self.stretches(value, depth))
        places = located(text) if found or joined else {}
        for leaf, spans in found:
            path = self.shown(leaf.parts)
            for span in spans:
                yield _written(text, places[leaf.parts, leaf.kind == "key"], span, path, leaf.kind == "number")
        for stretch in joined:
            yield self._as_span(stretch, [(0, text)], [places])

    def _in_stream(self, text: str, depth: int) -> Iterator[Span]:
        """What a stream's events say together, though none of them does."""
        lines = [(start, line, value) for start, line in documents(text) if (value := _loaded(line)) is not None]
        if len(lines) < 2:
            return
        values = [value for _, _, value in lines]
        name = "stream" if all(isinstance(value, str) for value in values) else ""
        places: list[dict[Place, tuple[int, int]]] = []
        for stretch in self._joined(values, (), name, depth):
            places = places or [located(line) for _, line, _ in lines]
            yield self._as_span(stretch, [(start, line) for start, line, _ in lines], places)

    def stretches(self, value: JSON, depth: int = DEPTH) -> Iterator[Stretch]:
        """The secrets that lie in pieces in the items of a list."""
        for parts, items in lists(value):
            yield from self._joined(items, parts, str(parts[-1]) if parts else "", depth)

    def _joined(self, items: Sequence[JSON], parts: Parts, name: str, depth: int) -> Iterator[Stretch]:
        for joined in streams(items, name):
            for span in self.spans(joined.text, "", max(0, depth - 1)):
                pieces = tuple(((*parts, *at), start, end) for at, start, end in joined.within(span.start, span.end))
                if pieces and not span.review:
                    yield Stretch(pieces, span.rule, span.inner)

    def _as_span(self, stretch: Stretch, lines: Lines, places: list[dict[Place, tuple[int, int]]]) -> Span:
        """A secret in pieces as a span of the text whose lines they lie in."""
        pieces = []
        for parts, start, end in stretch.pieces:
            line = 0 if len(lines) == 1 else int(parts[0])
            at, text = lines[line]
            place = places[line][parts if len(lines) == 1 else parts[1:], False]
            piece = _written(text, place, Span(start, end, stretch.rule))
            pieces.append((at + piece.start, at + piece.end))
        path = f"{self.shown(stretch.pieces[0][0])} -> joined"
        inner = f"{path} -> {stretch.inner}" if stretch.inner else path
        return Span(*pieces[0], stretch.rule, inner=inner, rest=tuple(pieces[1:]))

    def shown(self, parts: tuple[str | int, ...]) -> str:
        """A path fit to be printed: a key that holds a secret is redacted in it."""
        return format_path(tuple(self.clean(part) if isinstance(part, str) else part for part in parts))

    def clean(self, text: str) -> str:
        """The text with each secret replaced by its rule."""
        for span in reversed([span for span in self.spans(text) if not span.review]):
            text = f"{text[: span.start]}[[redacted:{span.rule}]]{text[span.end :]}"
        return text


def _written(text: str, place: tuple[int, int], span: Span, path: str = "", number: bool = False) -> Span:
    """A leaf's span as one of the JSON text that the leaf is written in."""
    start, end = place
    view = None if number else unescaped(text[start:end])
    inner = span if view is None else moved(span, view)
    inner = replace(inner, inner=" -> ".join(part for part in (path, span.inner) if part))
    return shifted(replace(inner, quote=span.quote if number else json.dumps(span.quote)[1:-1]), start)


def mask(text: str) -> str:
    """The text with redacted tokens blanked, so that none is found again; as long as before."""
    return TOKEN.sub(lambda token: MASKED * len(token.group()), text) if OPENING in text else text


def _parsed(text: str) -> JSON:
    """The value of a text that is JSON and may hold more than itself; None of any other."""
    lead = text.lstrip()[:1]
    return _loaded(text) if lead in ("{", "[", '"') and len(text) >= 8 else None


def _loaded(text: str) -> JSON:
    try:
        return orjson.loads(text)  # type: ignore[no-any-return]  # JSON is what it is
    except (ValueError, UnicodeEncodeError):
        return _parsed_slowly(text)


def _parsed_slowly(text: str) -> JSON:
    """What orjson refuses but agents and servers write all the same: NaN, lone surrogates."""
    if text.rstrip()[-1:] not in ("}", "]", '"'):
        return None
    try:
        return json.loads(text, strict=False)  # type: ignore[no-any-return]  # JSON is what it is
    except (ValueError, RecursionError):
        return None
