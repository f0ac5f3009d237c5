"""What a trace could know: the facts on which its fingerprint may be compared."""

from __future__ import annotations

from runwright.fingerprint.note import Exchange, Http
from runwright.trace.words import EFFECT_KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from runwright.fingerprint.calls import Call
    from runwright.fingerprint.graph import Graph
    from runwright.fingerprint.model import Fact
    from runwright.fingerprint.note import Noted
    from runwright.trace.ends import OutcomeClass


def basis(noted: Noted, graph: Graph, calls: Sequence[Call], outcome: OutcomeClass | None) -> frozenset[Fact]:
    """The facts that the trace could know. What a fault may hide is not known."""
    hidden = noted.hidden
    found: set[Fact] = {kind for kind in EFFECT_KINDS if _watched(noted, kind)}
    if "http" not in hidden and ("http_request" in found or any(type(note) is Http for note in noted.notes)):
        found.add("endpoints")
    if any(node.agent for node in graph.nodes):
        found.add("agents")
    found.update(_of_calls(noted, graph, calls))
    if any(around is not None for around in graph.inside):
        found.add("nesting")
    elif "tools" in found and "tool" not in hidden and _tells_nesting(noted) and all(call.records for call in calls):
        found.add("flat")
    if outcome and "model" not in hidden and (outcome != "unknown" or _ended_in_sight(noted)):
        found.add("outcome")
    return frozenset(found)


def _watched(noted: Noted, kind: str) -> bool:
    told = noted.observation.get(kind, "not_observed") != "not_observed"
    return (kind in noted.effects or told) and noted.hidden.isdisjoint(("side_effect", kind))


def _tells_nesting(noted: Noted) -> bool:
    """Whether a run inside a call would have been recorded as such: by our own recording, and by whole trees of spans.

    Sessions do not tell: the files of their subagents may be elsewhere. Nor does a tree of which a parent is lost.
    """
    return noted.ours or noted.spans


def _of_calls(noted: Noted, graph: Graph, calls: Sequence[Call]) -> Iterator[Fact]:
    """What is known of exchanges and calls. Replies tell which tools were called, and so do the tools themselves."""
    hidden = noted.hidden
    exchanges = [] if "model" in hidden else noted.exchanges
    if exchanges:
        yield "exchanges"
        if all(each.named for each in exchanges):
            yield "models"
    replies = bool(exchanges) and all(each.answered for each in exchanges)
    ran = any(call.records for call in calls) and hidden.isdisjoint(("tool", "mcp"))
    if (replies or ran) and "model" not in hidden:
        yield "tools"
        if all(call.shapes for call in calls):
            yield "arguments"
    ended = all(call.records for call in calls) and not noted.unsure
    if hidden.isdisjoint(("tool", "mcp")) and (ran or (replies and not calls)) and ended:
        yield "tool_outcomes"
    timed = all(node.timed for node in graph.nodes if node.leads)
    guessed = any(note.after_inferred for note in noted.notes)
    if "model" not in hidden and graph.nodes and (timed or all(each.questioned for each in exchanges)):
        yield "order"
        if timed or guessed or graph.serial:
            yield "concurrency"


def _ended_in_sight(noted: Noted) -> bool:
    """Whether an ending of no class is one that was seen: the last answer is there, and it asks for more."""
    for note in reversed(noted.notes):
        if type(note) is Exchange:
            return note.answered
    return noted.tools
