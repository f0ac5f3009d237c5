"""The secrets of one text: rules, telling names, and what the text encloses."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

import orjson

from runwright.secrets import assigned
from runwright.secrets.entropy import random_looking
from runwright.secrets.finding import OPENING, TOKEN, Span
from runwright.secrets.leaves import Leaf, leaves
from runwright.secrets.located import located
from runwright.secrets.names import naming
from runwright.secrets.values import MASKED, is_secret_number
from runwright.secrets.views import ESCAPE, View, collapsed, decoded, unescaped
from runwright.trace.model import JSON
from runwright.trace.paths import format_path

DEPTH = 3
SHORTEST = 3


class Scanner:
    """Finds spans; remembers what it has seen, since a growing conversation repeats all but its last message."""

    def __init__(self, *, review: bool = False) -> None:
        self._review = review
        self._seen: dict[tuple[str, str, int], list[Span]] = {}

    def spans(self, text: str, name: str = "", depth: int = DEPTH) -> list[Span]:
        """The secrets of a text that stands under `name`, in order and without overlaps."""
        if len(text) < SHORTEST:
            return []
        key = (text, name if naming(name) else "", depth)
        found = self._seen.get(key)
        if found is None:
            found = self._seen[key] = _aligned(merged(self._all(text, name, depth)), text)
        return found

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
            yield _moved(span, view) if view else span
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
        elif view := unescaped(text):
            yield from (_moved(span, view) for span in self.spans(view.text, "", depth))
        for run in decoded(text):
            yield from (_moved(span, run) for span in self.spans(run.text, "", depth))

    def _in_json(self, text: str, value: JSON, depth: int) -> Iterator[Span]:
        found = [(leaf, spans) for leaf in leaves(value) if (spans := self.of_leaf(leaf, depth))]
        places = located(text) if found else {}
        for leaf, spans in found:
            start, end = places[leaf.parts, leaf.kind == "key"]
            view = unescaped(text[start:end]) if leaf.kind != "number" else None
            for span in spans:
                inner = span if view is None else _moved(span, view)
                quote = span.quote if leaf.kind == "number" else json.dumps(span.quote)[1:-1]
                path = self.shown(leaf.parts)
                yield replace(
                    inner,
                    start=start + inner.start,
                    end=start + inner.end,
                    quote=quote,
                    inner=f"{path} -> {span.inner}" if span.inner else path,
                )

    def shown(self, parts: tuple[str | int, ...]) -> str:
        """A path fit to be printed: a key that holds a secret is redacted in it."""
        return format_path(tuple(self.clean(part) if isinstance(part, str) else part for part in parts))

    def clean(self, text: str) -> str:
        """The text with each secret replaced by its rule."""
        for span in reversed([span for span in self.spans(text) if not span.review]):
            text = f"{text[: span.start]}[[redacted:{span.rule}]]{text[span.end :]}"
        return text


def mask(text: str) -> str:
    """The text with redacted tokens blanked, so that none is found again; as long as before."""
    return TOKEN.sub(lambda token: MASKED * len(token.group()), text) if OPENING in text else text


def _moved(span: Span, view: View) -> Span:
    """A view's span as one of the text that the view was made from."""
    start, end = view.outer(span.start, span.end)
    inner = " -> ".join(part for part in (view.name, span.inner) if part)
    return replace(span, start=start, end=end, inner=inner)


def _parsed(text: str) -> JSON:
    """The value of a text that is JSON and may hold more than itself; None of any other."""
    lead = text.lstrip()[:1]
    if lead not in ("{", "[", '"') or len(text) < 8:
        return None
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


def merged(found: Iterable[Span]) -> list[Span]:
    """Spans in order, each place claimed once: overlapping ones become one, named by the rule that comes first."""
    blocking: list[Span] = []
    every = sorted(found, key=lambda span: (span.start, -span.end, _rank(span.rule), span.inner))
    for span in (span for span in every if not span.review):
        if blocking and span.start < blocking[-1].end:
            blocking[-1] = _joined(blocking[-1], span)
        else:
            blocking.append(span)
    review: list[Span] = []
    for span in (span for span in every if span.review):
        if not any(other.start < span.end and span.start < other.end for other in (*blocking, *review[-1:])):
            review.append(span)
    return sorted((*blocking, *review))


def _joined(one: Span, other: Span) -> Span:
    first, second = (one, other) if _rank(one.rule) <= _rank(other.rule) else (other, one)
    start, end = min(one.start, other.start), max(one.end, other.end)
    return replace(first, start=start, end=end, inner=first.inner or second.inner, quote=first.quote or second.quote)


def _aligned(spans: list[Span], text: str) -> list[Span]:
    """The spans, none of which starts or ends inside a JSON escape: half an escape left over would break the JSON."""
    if not spans or "\\" not in text:
        return spans
    escapes = [found.span() for found in ESCAPE.finditer(text)]
    return merged(replace(span, start=_out(span.start, escapes, 0), end=_out(span.end, escapes, 1)) for span in spans)


def _out(at: int, escapes: list[tuple[int, int]], side: int) -> int:
    """The offset, or the given side of the escape that it is inside of."""
    before = bisect_left(escapes, (at, 0)) - 1
    inside = before >= 0 and at < escapes[before][1]
    return escapes[before][side] if inside else at


@cache
def _rank(rule: str) -> int:
    from runwright.secrets.rules import RULES

    names = [each.name for each in RULES]
    return names.index(rule) if rule in names else len(names)
