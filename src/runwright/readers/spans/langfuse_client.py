"""Spans that Langfuse's own client draws: what it observed stands in `langfuse.observation.*` attributes."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from runwright.readers.lenient import an_object
from runwright.readers.reading import Reading
from runwright.readers.spans.asked import opened
from runwright.readers.spans.observed import KINDS, REMEDY, TYPE, Observed, with_observed
from runwright.readers.spans.ran import tool_attributes
from runwright.readers.spans.replied import usage_of
from runwright.readers.spans.span import Span

OBSERVATION = "langfuse.observation."


def with_observations(spans: Sequence[Span], reading: Reading) -> tuple[Span, ...]:
    """The spans, with those of the client as the model calls, tools and agents that they observed."""
    return tuple(_observed(span, reading) if TYPE in span.attributes else span for span in spans)


def _observed(span: Span, reading: Reading) -> Span:
    kind = KINDS.get(span.text(TYPE).upper())
    failed = span.failed or span.text(f"{OBSERVATION}level") == "ERROR"
    status = span.status or span.text(f"{OBSERVATION}status_message")
    span = msgspec.structs.replace(span, failed=failed, status=status, remedy=REMEDY)
    if kind == "model":
        return with_observed(span, _generation(span, reading), reading)
    if kind == "tool":
        given, answer = (span.attributes.get(f"{OBSERVATION}{side}") for side in ("input", "output"))
        shown = tool_attributes(span.name, given, answer)
        return msgspec.structs.replace(span, kind=kind, attributes={**shown, **span.attributes})
    named = {"gen_ai.operation.name": span.text(TYPE)} if kind == "unsupported" else {}
    return msgspec.structs.replace(span, kind=kind, attributes={**named, **span.attributes})


def _generation(span: Span, reading: Reading) -> Observed:
    where = f"span {span.span_id}"
    counts = opened(span.attributes.get(f"{OBSERVATION}usage_details"), reading, where)
    return Observed(
        given=span.attributes.get(f"{OBSERVATION}input"),
        answer=span.attributes.get(f"{OBSERVATION}output"),
        named=span.text("gen_ai.request.model"),
        column=span.text(f"{OBSERVATION}model.name"),
        parameters=span.attributes.get(f"{OBSERVATION}model.parameters"),
        usage=usage_of(an_object(counts)),
        streamed=True if f"{OBSERVATION}completion_start_time" in span.attributes else None,
    )
