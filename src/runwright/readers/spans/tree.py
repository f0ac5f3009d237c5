"""Nesting: which record a span lies in, and which agent it belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from runwright.readers.spans.classify import kind_of
from runwright.readers.spans.langchain import node_of
from runwright.readers.spans.span import Span

AGENT_NAMES = (
    "gen_ai.agent.name",
    "agent_name",
    "agent.name",
    "graph.node.id",
    "ai.telemetry.functionId",
    "traceloop.entity.name",
)


DEEPEST = 256
"""Spans around one that are looked at."""
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def steady(name: str) -> str:
    """A span's name as that of an agent: without the ids that some frameworks put there, which every run has anew."""
    return UUID.sub("", name).strip(" .:_/-")


class Tree:
    """The spans of a run by their ids, for walking upwards."""

    def __init__(self, spans: Sequence[Span], stands_for: Mapping[str, str]) -> None:
        self._spans = {span.span_id: span for span in spans}
        self._stands_for = stands_for
        self._nodes = {node for span in spans if kind_of(span) == "model" and (node := node_of(span))}

    def above(self, span: Span) -> Iterator[Span]:
        """The spans around a span, nearest first, as far as a circle does not close and it is near enough to matter."""
        seen = {span.span_id}
        at = self._spans.get(span.parent_id)
        while at is not None and at.span_id not in seen and len(seen) < DEEPEST:
            seen.add(at.span_id)
            yield at
            at = self._spans.get(at.parent_id)

    def parent_among(self, span: Span, kept: Mapping[str, object]) -> str | None:
        """The nearest span around that is kept, or whose stand-in is; never the span itself."""
        for each in self.above(span):
            found = self._stands_for.get(each.span_id, each.span_id)
            if found in kept and found != span.span_id:
                return found
        return None

    def is_agent(self, node: str) -> bool:
        """Whether a model call ran in the node."""
        return node in self._nodes

    def agent_of(self, span: Span) -> str | None:
        """The graph's node if it calls a model, the name of the nearest agent around, or what the span itself says."""
        node = node_of(span)
        if node in self._nodes:
            return node
        for each in self.above(span):
            if kind_of(each) == "agent":
                return each.text(*AGENT_NAMES) or steady(each.name) or None
        return span.text("gen_ai.agent.name") or None

    def missing_parents(self) -> list[Span]:
        """The spans whose parent is not among them."""
        return [span for span in self._spans.values() if span.parent_id and span.parent_id not in self._spans]
