"""Spans put in order, each place claimed once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from runwright.secrets.finding import Span
from runwright.secrets.views import ESCAPE, View


def moved(span: Span, view: View) -> Span:
    """A view's span as one of the text that the view was made from."""
    start, end = view.outer(span.start, span.end)
    rest = () if view.whole else tuple(view.outer(*each) for each in span.rest)
    inner = " -> ".join(part for part in (view.name, span.inner) if part)
    return replace(span, start=start, end=end, inner=inner, rest=rest)


def shifted(span: Span, by: int) -> Span:
    """The span, so much further on."""
    rest = tuple((start + by, end + by) for start, end in span.rest)
    return replace(span, start=span.start + by, end=span.end + by, rest=rest)


def merged(found: Iterable[Span]) -> list[Span]:
    """Spans in order, each place claimed once: overlapping ones become one, named by the rule that comes first."""
    blocking: list[Span] = []
    every = sorted(_beside_pieces(list(found)), key=lambda span: (span.start, -span.end, _rank(span.rule), span.inner))
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
    return replace(
        first,
        start=start,
        end=end,
        inner=first.inner or second.inner,
        quote=first.quote or second.quote,
        rest=first.rest or second.rest,
    )


def _beside_pieces(found: list[Span]) -> list[Span]:
    """The spans less those that lie where a secret in pieces goes on; what they leave over is found again."""
    kept: list[Span] = []
    claimed: list[tuple[int, int]] = []
    for span in sorted((span for span in found if span.rest), key=lambda span: (span.start, -len(span.rest))):
        pieces = ((span.start, span.end), *span.rest)
        if not any(_overlap(piece, other) for piece in pieces for other in claimed):
            kept.append(span)
            claimed += span.rest
    if not kept:
        return [span for span in found if not span.rest]
    rest = (span for span in found if not span.rest)
    return kept + [span for span in rest if not any(_overlap((span.start, span.end), other) for other in claimed)]


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def aligned(spans: list[Span], text: str) -> list[Span]:
    """The spans, none of which starts or ends inside a JSON escape: half an escape left over would break the JSON."""
    if not spans or "\\" not in text:
        return spans
    escapes = [found.span() for found in ESCAPE.finditer(text)]
    return merged(_widened(span, escapes) for span in spans)


def _widened(span: Span, escapes: list[tuple[int, int]]) -> Span:
    rest = tuple((_out(start, escapes, 0), _out(end, escapes, 1)) for start, end in span.rest)
    return replace(span, start=_out(span.start, escapes, 0), end=_out(span.end, escapes, 1), rest=rest)


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
