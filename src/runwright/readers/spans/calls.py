"""The model calls of a run: each span with all that its attributes and events show of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from runwright.readers.reading import Reading
from runwright.readers.spans.captured import Captured, merged
from runwright.readers.spans.classify import api_of, kind_of
from runwright.readers.spans.collected import SpanKey
from runwright.readers.spans.duplicates import Call, echoes
from runwright.readers.spans.events import from_content_events, from_events, shows_content
from runwright.readers.spans.gen_ai import DETAILS, from_gen_ai
from runwright.readers.spans.openinference import from_openinference
from runwright.readers.spans.prompts import from_prompts
from runwright.readers.spans.span import Event, Span
from runwright.readers.spans.vercel import from_ai_sdk

Process = tuple[str | None, str | None, str]


def model_calls(
    spans: Sequence[Span], events: Mapping[SpanKey, tuple[Event, ...]], reading: Reading
) -> tuple[tuple[Call, ...], dict[str, str]]:
    """The calls, each once, and which span stands for each one that was left out."""
    models = [_joined(span, events) for span in spans if kind_of(span) == "model"]
    speaking = {_process(span) for span in models if any(shows_content(each, reading) for each in span.events)}
    calls = [Call(span, _seen(span, _process(span) in speaking, reading)) for span in models]
    found = {call.span.span_id: call for call in calls}
    stands_for: dict[str, str] = {}
    for echo in sorted(echoes(calls), key=lambda each: each.dropped.span.window):
        dropped, kept = echo.dropped.span, echo.kept.span
        stands_for[dropped.span_id] = kept.span_id
        names = dropped.scope.name, kept.scope.name
        reading.lose(
            "duplicate",
            f"span {dropped.span_id} of {names[0]} shows the same call as {kept.span_id} of {names[1]}",
            f"span {dropped.span_id}",
        )
        lost = found.pop(dropped.span_id)
        mine = found[kept.span_id]
        found[kept.span_id] = msgspec.structs.replace(mine, seen=merged([mine.seen, lost.seen]))
    return tuple(found.values()), stands_for


def _process(span: Span) -> Process:
    return span.scope.service, span.scope.instance, span.scope.name


def _joined(span: Span, events: Mapping[SpanKey, tuple[Event, ...]]) -> Span:
    more = events.get((span.trace_id, span.span_id), ())
    return msgspec.structs.replace(span, events=(*span.events, *more)) if more else span


def _seen(span: Span, speaking: bool, reading: Reading) -> Captured:
    spoken = [event for event in span.events if event.name.startswith("gen_ai.") and event.name != DETAILS]
    if all(any(getattr(each, part) is not None for each in span.told) for part in ("messages", "content")):
        reading = Reading()  # what the attributes cannot show of these, the format itself has shown
    sources = [*span.told, *from_ai_sdk(span, api_of(span), reading), *from_openinference(span, reading)]
    sources += [*from_gen_ai(span, reading), *from_prompts(span, reading)]
    if spoken:
        sources += [*from_events(span, spoken, speaking, reading), *from_content_events(span, reading)]
    return merged(sources)
