"""What a trace could know: the facts on which its fingerprint may be compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from runwright.fingerprint.calls import Call
from runwright.fingerprint.graph import Graph
from runwright.fingerprint.model import Fact
from runwright.trace.model import (
    EFFECT_KINDS,
    EffectKind,
    FaultRecord,
    HttpRecord,
    ModelRecord,
    ToolRecord,
    Trace,
)
from runwright.trace.outcome import OutcomeClass

_REPLY = re.compile(r"\$\.response(?:\.content(?:\[(?:\d+|\*)\](?:\.name)?)?)?")
_MODEL = ("$.request", "$.request.model")
_MESSAGES = ("$.request", "$.request.messages")
_LOST = "the parent of a span"
"""What readers of spans tell of a tree that is cut."""

_EVERYTHING = ("model", "tool", "mcp", "http", "side_effect")


def basis(trace: Trace, graph: Graph, calls: Sequence[Call], outcome: OutcomeClass | None) -> frozenset[Fact]:
    """The facts that the trace could know. What a fault may hide is not known."""
    hidden = _hidden(trace)
    found: set[Fact] = {kind for kind in EFFECT_KINDS if _watched(trace, kind, hidden)}
    if "http" not in hidden and ("http_request" in found or any(isinstance(e, HttpRecord) for e in trace.records)):
        found.add("endpoints")
    if any(node.agent for node in graph.nodes):
        found.add("agents")
    found.update(_of_calls(trace, graph, calls, hidden))
    if any(around is not None for around in graph.inside):
        found.add("nesting")
    elif "tools" in found and "tool" not in hidden and _tells_nesting(trace) and all(call.records for call in calls):
        found.add("flat")
    if outcome and "model" not in hidden and (outcome != "unknown" or _ended_in_sight(trace)):
        found.add("outcome")
    return frozenset(found)


def _hidden(trace: Trace) -> set[str]:
    """The lanes and kinds that a fault may hide; one that does not say what may hide everything."""
    hidden: set[str] = set()
    for record in trace.records:
        if isinstance(record, FaultRecord):
            silent = not record.hides and record.kind in ("observer_failed", "dropped_spans")
            hidden.update(_EVERYTHING if silent else record.hides)
    return hidden


def _watched(trace: Trace, kind: EffectKind, hidden: set[str]) -> bool:
    seen = any(effect.side_effect.kind == kind for effect in trace.effects)
    told = trace.header.observation.get(kind, "not_observed") != "not_observed"
    return (seen or told) and hidden.isdisjoint(("side_effect", kind))


def _tells_nesting(trace: Trace) -> bool:
    """Whether a run inside a call would have been recorded as such: by our own recording, and by whole trees of spans.

    Sessions do not tell: the files of their subagents may be elsewhere. Nor does a tree of which a parent is lost.
    """
    source = trace.header.source
    if source is None or source.format == "runwright":
        return True
    lost = any(loss.kind == "dropped" and _LOST in loss.detail for loss in trace.header.losses)
    ran = (each for each in trace.records if isinstance(each, (ModelRecord, ToolRecord)))
    return not lost and all("span_id" in each.ext for each in ran)


def _of_calls(trace: Trace, graph: Graph, calls: Sequence[Call], hidden: set[str]) -> Iterator[Fact]:
    """What is known of exchanges and calls. Replies tell which tools were called, and so do the tools themselves."""
    exchanges = [] if "model" in hidden else trace.models
    if exchanges:
        yield "exchanges"
        if not any(path in _MODEL for each in exchanges for path in each.unknown):
            yield "models"
    replies = bool(exchanges) and all(_answer_is_known(each) for each in exchanges)
    ran = any(call.records for call in calls) and hidden.isdisjoint(("tool", "mcp"))
    if (replies or ran) and "model" not in hidden:
        yield "tools"
        if all(call.shapes for call in calls):
            yield "arguments"
    ended = all(call.records for call in calls) and not any(map(_may_have_failed, trace.tools))
    if hidden.isdisjoint(("tool", "mcp")) and (ran or (replies and not calls)) and ended:
        yield "tool_outcomes"
    timed = all(node.timed for node in graph.nodes if node.leads)
    guessed = any(record.after_inferred for record in trace.records)
    if "model" not in hidden and graph.nodes and (timed or all(_question_is_known(each) for each in exchanges)):
        yield "order"
        if timed or guessed or graph.serial:
            yield "concurrency"


def _answer_is_known(exchange: ModelRecord) -> bool:
    """Whether the calls that the reply asks for are known; an error asks for none."""
    if exchange.error is not None:
        return True
    return exchange.response is not None and not any(_REPLY.fullmatch(path) for path in exchange.unknown)


def _question_is_known(exchange: ModelRecord) -> bool:
    return not any(path in _MESSAGES for path in exchange.unknown)


def _may_have_failed(ran: ToolRecord) -> bool:
    return "$.outcome" in ran.unknown


def _ended_in_sight(trace: Trace) -> bool:
    """Whether an ending of no class is one that was seen: the last answer is there, and it asks for more."""
    if trace.models:
        return _answer_is_known(trace.models[-1])
    return any(isinstance(record, ToolRecord) for record in trace.records)
