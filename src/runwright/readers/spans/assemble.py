"""The trace of a run, from its spans: order, ids, nesting, agents, messages, edges and the header."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from runwright.readers.circles import without_circles
from runwright.readers.pairing import with_call_ids, with_handoffs, with_silent_turns, with_told_results
from runwright.readers.reading import Reading, unread
from runwright.readers.spans.asking import with_askers, with_whole_arguments
from runwright.readers.spans.calls import model_calls
from runwright.readers.spans.classify import kind_of
from runwright.readers.spans.collected import Collected
from runwright.readers.spans.events import is_kept
from runwright.readers.spans.exchange import exchange
from runwright.readers.spans.gen_ai import DETAILS
from runwright.readers.spans.langchain import in_graph, node_of
from runwright.readers.spans.span import Span
from runwright.readers.spans.tool import NAMES, tool_record
from runwright.readers.spans.tree import Tree
from runwright.readers.spans.vercel import OPERATION
from runwright.readers.speech import with_speech
from runwright.trace import with_edges
from runwright.trace.model import FaultRecord, ModelRecord, Record, ToolRecord

Placed = tuple[Span, ModelRecord | ToolRecord]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def records_of(
    spans: Sequence[Span], collected: Collected, reading: Reading, *, told_results: bool = False
) -> tuple[Record, ...]:
    """The records of a run, in start order, with edges; what was left out is noted.

    With `told_results` tools that ran under no span and were told of in messages are records too.
    """
    calls, stands_for = model_calls(spans, collected.events, reading)
    found: list[Placed] = [(call.span, exchange(call.span, call.seen, reading)) for call in calls]
    tools = _tools(spans, reading)
    found += [(span, tool_record(span, reading)) for span in tools]
    _tell_left_out(spans, reading)
    _tell_unread_events(spans, collected, reading)
    tree = Tree(spans, stands_for)
    for span in tree.missing_parents():
        reading.lose("dropped", "the parent of a span is not in the export", f"span {span.span_id}")
    records = without_circles(_numbered(_in_order(found, tree), tree, begun(spans)), reading)
    faults = _faults(spans, collected, reading)
    paired = with_handoffs(with_call_ids(with_whole_arguments(records)), _beside(found, records))
    paired = with_askers(paired, _in_graphs(found, records, tree))
    whole = with_told_results(paired) if told_results else paired
    return with_edges(with_speech((*with_silent_turns(whole), *faults)))


def _in_graphs(found: Sequence[Placed], records: Sequence[Record], tree: Tree) -> frozenset[str]:
    """The tool records that ran in a node of a graph which is no agent."""
    spans = {span.span_id: span for span, _ in found}
    mine = [(each.id, spans[str(each.ext["span_id"])]) for each in records if isinstance(each, ToolRecord)]
    return frozenset(id for id, span in mine if in_graph(span) and not tree.is_agent(node_of(span)))


def _beside(found: Sequence[Placed], records: Sequence[Record]) -> dict[str, str]:
    """For each tool record whose span names no tool, the latest exchange before it under the same span."""
    spans = {span.span_id: span for span, _ in found}
    latest: dict[str, str] = {}
    beside: dict[str, str] = {}
    for record in records:
        span = spans[str(record.ext["span_id"])]
        if isinstance(record, ModelRecord):
            latest[span.parent_id] = record.id
        elif not span.text(*NAMES) and span.parent_id in latest:
            beside[record.id] = latest[span.parent_id]
    return beside


def _tools(spans: Sequence[Span], reading: Reading) -> list[Span]:
    """The tool spans; one inside another for the same call is that call seen from further in."""
    tools = {span.span_id: span for span in spans if kind_of(span) == "tool"}
    kept = []
    for span in tools.values():
        outer = tools.get(span.parent_id)
        if outer is not None and tool_record(outer, Reading()).name == tool_record(span, Reading()).name:
            reading.lose("duplicate", "a tool span inside the span of the same call", f"span {span.span_id}")
        else:
            kept.append(span)
    return kept


def _tell_left_out(spans: Sequence[Span], reading: Reading) -> None:
    for span in spans:
        kind = kind_of(span)
        if kind == "unsupported":
            what = span.text("gen_ai.operation.name", "openinference.span.kind", "llm.request.type", OPERATION).lower()
            reading.lose("unsupported", f"{what} calls are not kept", f"span {span.span_id}")
        elif kind == "pending":
            reading.lose("duplicate", "a span written while it was running", f"span {span.span_id}")
        elif kind == "other":
            reading.lose(
                "unsupported", f"spans of {span.scope.name or 'no scope'}: only their nesting is kept", span.name
            )


def _tell_unread_events(spans: Sequence[Span], collected: Collected, reading: Reading) -> None:
    """Events of the run that are neither read nor the sign of a span that is missing."""
    kinds = {(span.trace_id, span.span_id): kind_of(span) for span in spans}
    traces = {span.trace_id for span in spans}
    linked = [(key, event) for key, events in collected.events.items() for event in events]
    own = [((span.trace_id, span.span_id), event) for span in spans for event in span.events]
    for key, event in (*linked, *own):
        if key[0] not in traces:
            reading.lose("dropped", "log records of other traces are left out", f"trace {key[0]}")
        elif not event.name.startswith("gen_ai."):
            if event.name != "exception":
                reading.lose("unsupported", "events and log records that are no gen_ai events", event.name or key[1])
        elif kinds.get(key, "model") != "model":
            reading.lose("unsupported", f"{event.name} events of spans that are no model call", f"span {key[1]}")
        elif not is_kept(event) and event.name != DETAILS:
            reading.lose("unsupported", f"{event.name} events are not kept", f"span {key[1]}")


def _in_order(found: Sequence[Placed], tree: Tree) -> list[Placed]:
    """By start; a span whose clock says that it began before the one around it comes after that one."""
    nesting = _nesting(found, tree)

    def key(placed: Placed) -> tuple[int, int, int, str]:
        span = placed[0]
        start, depth = nesting[span.span_id]
        return (start, depth, span.window[1], span.span_id)

    return sorted(found, key=key)


def _nesting(found: Sequence[Placed], tree: Tree) -> dict[str, tuple[int, int]]:
    """For each span the latest start among it and those around it, and how many they are; circles are cut open."""
    kept = {span.span_id: span for span, _ in found}
    known: dict[str, tuple[int, int]] = {}
    for span in kept.values():
        inner: dict[str, Span] = {}
        at: Span | None = span
        while at is not None and at.span_id not in known and at.span_id not in inner:
            inner[at.span_id] = at
            at = kept.get(tree.parent_among(at, kept) or "")
        start, depth = known.get(at.span_id if at is not None else "", (0, -1))
        for each in reversed(inner.values()):
            start, depth = max(start, each.window[0]), depth + 1
            known[each.span_id] = start, depth
    return known


def _numbered(found: Sequence[Placed], tree: Tree, start: int) -> tuple[Record, ...]:
    """The records with ids in this order, their times, nesting and agents."""
    counts = {"m": 0, "t": 0}
    ids: dict[str, str] = {}
    for span, record in found:
        letter = "m" if isinstance(record, ModelRecord) else "t"
        counts[letter] += 1
        ids[span.span_id] = f"{letter}{counts[letter]}"
    return tuple(_placed(span, record, ids, tree, start) for span, record in found)


def _placed(span: Span, record: ModelRecord | ToolRecord, ids: Mapping[str, str], tree: Tree, start: int) -> Record:
    parent = tree.parent_among(span, ids)
    began, ended = span.window
    timed = span.start is not None
    return msgspec.structs.replace(
        record,
        id=ids[span.span_id],
        parent=ids[parent] if parent else None,
        agent=tree.agent_of(span),
        t=seconds(began - start) if timed else None,
        duration=seconds(ended - began) if timed and span.end is not None else None,
    )


def _faults(spans: Sequence[Span], collected: Collected, reading: Reading) -> list[FaultRecord]:
    """What is known to be missing: calls whose log records are there and whose spans are not, and broken lines."""
    found = []
    traces = {span.trace_id for span in spans}
    lost = [span_id for trace_id, span_id in collected.orphans if trace_id in traces]
    if lost:
        detail = (
            f"log records tell of {len(lost)} model calls whose spans are not in the export: {', '.join(lost[:12])}"
        )
        found.append(FaultRecord(id="", kind="dropped_spans", detail=detail, hides=("model",)))
        reading.lose("dropped", "log records of a span that is not in the export", f"span {lost[0]}")
    found += unread((*collected.before, *reading.losses()))
    return [msgspec.structs.replace(fault, id=f"f{at}") for at, fault in enumerate(found, start=1)]


def begun(spans: Sequence[Span]) -> int:
    """The earliest start, in nanoseconds since 1970; zero where no span has one."""
    return min((span.start for span in spans if span.start is not None), default=0)


def lasted(spans: Sequence[Span]) -> float | None:
    """Seconds from the earliest start to the latest end."""
    ends = [span.window[1] for span in spans if span.start is not None]
    return seconds(max(ends) - begun(spans)) if ends else None


def seconds(nanoseconds: int) -> float:
    """Nanoseconds as seconds."""
    return round(nanoseconds / 1e9, 9)


def moment(nanoseconds: int) -> str | None:
    """RFC 3339 in UTC, to the microsecond; None where there is no time. 64 bits end in the year 2554."""
    if nanoseconds <= 0:
        return None
    when = EPOCH + timedelta(microseconds=nanoseconds // 1000)
    return when.isoformat(timespec="microseconds").replace("+00:00", "Z")
