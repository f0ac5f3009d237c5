"""One call drawn by two instrumentations: an SDK's own span beside that of a patch, nested or not.

Two spans are one call only if different instrumentations drew them (or one lies in the other), they overlap in time,
and their response ids agree, or where one has no id their models, and their token counts unless one lies in the other.
What one instrumentation draws twice are two calls, however alike.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

import msgspec

from runwright.readers.spans.captured import Captured
from runwright.readers.spans.classify import response_id
from runwright.readers.spans.span import Span
from runwright.trace.model import Block, TextBlock, ToolCallBlock

NEAREST = 64
"""Earlier spans that one is compared with, of those that have something in common with it."""


class Call(msgspec.Struct, frozen=True):
    """A model span with what it shows."""

    span: Span
    seen: Captured


class Echo(msgspec.Struct, frozen=True):
    """A span that shows the same call as another, and less of it."""

    dropped: Call
    kept: Call


def echoes(calls: Sequence[Call]) -> tuple[Echo, ...]:
    """The spans to leave out, each with the one that stands for it: at most one of each instrumentation."""
    found: list[Echo] = []
    gone: set[str] = set()
    taken: set[tuple[str, str]] = set()
    for weak, strong in sorted(_pairs(calls), key=_closeness):
        ends = ((strong.span.span_id, weak.span.scope.name), (weak.span.span_id, strong.span.scope.name))
        if weak.span.span_id in gone or strong.span.span_id in gone or taken.intersection(ends):
            continue
        gone.add(weak.span.span_id)
        taken.update(ends)
        found.append(Echo(weak, strong))
    return tuple(found)


def _pairs(calls: Sequence[Call]) -> list[tuple[Call, Call]]:
    """Candidates as (shows less, shows more); only spans that overlap are compared, and have something in common."""
    ordered = sorted(calls, key=lambda call: call.span.window)
    places = {call.span.span_id: at for at, call in enumerate(ordered)}
    open_calls: dict[tuple[object, ...], deque[int]] = {}
    near: set[tuple[int, int]] = set()
    for at, call in enumerate(ordered):
        around = places.get(call.span.parent_id, at)
        near.add((max(at, around), min(at, around)))
        for key in _common(call):
            alike = open_calls.setdefault(key, deque(maxlen=NEAREST))
            near.update((at, each) for each in alike)
            alike.append(at)
    found = ((ordered[earlier], ordered[later]) for later, earlier in sorted(near) if earlier != later)
    return [_by_worth(one, other) for one, other in found if _overlap(one, other) and _same(one, other)]


def _overlap(earlier: Call, later: Call) -> bool:
    return earlier.span.window[1] >= later.span.window[0]


def _common(call: Call) -> Iterator[tuple[object, ...]]:
    """What two spans of one call that do not lie in one another have one of in common."""
    trace, id = call.span.trace_id, response_id(call.span) or call.seen.response_id
    if id:
        yield trace, id
    for model in {call.seen.model, call.seen.response_model} - {None, ""}:
        yield trace, model, _tokens(call.seen)


def _by_worth(one: Call, other: Call) -> tuple[Call, Call]:
    weak, strong = sorted((one, other), key=lambda call: (_worth(call.seen), call.span.span_id))
    return weak, strong


def _worth(seen: Captured) -> tuple[int, ...]:
    shown = (seen.content, seen.messages, seen.tools)
    return (*(value is not None for value in shown), seen.complete, -len(seen.unknown), -len(seen.cut))


def _closeness(pair: tuple[Call, Call]) -> tuple[int, int]:
    """Nested spans first, then those whose times differ least."""
    weak, strong = pair[0].span, pair[1].span
    apart = sum(abs(one - other) for one, other in zip(weak.window, strong.window, strict=True))
    return (0 if _nested(weak, strong) else 1, apart)


def _nested(one: Span, other: Span) -> bool:
    return one.parent_id == other.span_id or other.parent_id == one.span_id


def _same(one: Call, other: Call) -> bool:
    if one.span.trace_id != other.span.trace_id or not _agree(one.seen, other.seen):
        return False
    ids = (response_id(one.span) or one.seen.response_id, response_id(other.span) or other.seen.response_id)
    nested = _nested(one.span, other.span)
    if one.span.scope.name == other.span.scope.name:
        return nested and ids[0] is not None and ids[0] == ids[1]
    if all(ids):
        return ids[0] == ids[1]
    return _models_meet(one.seen, other.seen) and (nested or _tokens(one.seen) == _tokens(other.seen))


def _models_meet(one: Captured, other: Captured) -> bool:
    names = [{each for each in (seen.model, seen.response_model) if each} for seen in (one, other)]
    return bool(names[0] & names[1])


def _tokens(seen: Captured) -> tuple[int, int] | None:
    return (seen.usage.input_tokens, seen.usage.output_tokens) if seen.usage else None


def _agree(one: Captured, other: Captured) -> bool:
    """Where both show the reply, it is the same one."""
    if one.content is None or other.content is None:
        return True
    return _said(one.content) == _said(other.content)


def _said(content: Sequence[Block]) -> list[object]:
    words = "".join(block.text for block in content if isinstance(block, TextBlock)).strip()
    return [words, *((block.id, block.name) for block in content if isinstance(block, ToolCallBlock))]
