"""A run from spans that a format of its own gave: the records, and the header that tells where they came from."""

from __future__ import annotations

from collections.abc import Sequence

from runwright.readers.header import header_of
from runwright.readers.reading import Reading
from runwright.readers.spans.assemble import begun, lasted, moment, records_of
from runwright.readers.spans.collected import Collected
from runwright.readers.spans.span import Span
from runwright.readers.spans.tree import Tree, steady
from runwright.trace.model import Loss, Origin, Trace


def run_of(
    given: Sequence[Span],
    origin: str,
    digest: str,
    reading: Reading,
    *,
    chosen: str = "",
    agent: str | None = None,
    before: Sequence[Loss] = (),
    version: str | None = None,
) -> Trace:
    """The run that these spans draw, read from files of a format called `origin` and of this digest.

    `chosen` is the source's own id of the run, `before` what was lost before the run was told apart from others, and
    `agent` who ran if no span says it. Tools that were only told of in messages become records too.
    """
    spans = _each_once(given, reading)
    records = records_of(spans, Collected(spans=spans, before=tuple(before)), reading, told_results=True)
    tree = Tree(spans, {})
    named = next((name for span in sorted(spans, key=lambda each: each.window) if (name := tree.agent_of(span))), None)
    tools = sorted({span.scope.name for span in spans if span.scope.name})
    header = header_of(
        records,
        losses=(*before, *reading.losses()),
        source=Origin(format=origin, tool=", ".join(tools) or None, version=version, digest=digest),
        agent=named or steady(agent or "") or None,
        chosen=chosen,
        started_at=moment(begun(spans)),
        duration=lasted(spans),
    )
    return Trace(header=header, records=records)


def _each_once(given: Sequence[Span], reading: Reading) -> tuple[Span, ...]:
    """The spans that have an id, each once."""
    found: dict[str, Span] = {}
    for span in given:
        if not span.span_id:
            reading.lose("malformed", "a span without an id", span.place)
        elif found.setdefault(span.span_id, span) is not span:
            reading.lose("duplicate", "a span under the id of another", span.place)
    return tuple(found.values())
