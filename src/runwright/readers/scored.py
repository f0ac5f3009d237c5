"""Which events of an evaluated sample are its scorers': they judge the run and are no part of it."""

from __future__ import annotations

from collections.abc import Sequence

from runwright.readers.lenient import a_text
from runwright.trace.model import JSON

SCORERS = ("scorer", "scorers")


def scored(events: Sequence[dict[str, JSON]]) -> frozenset[int]:
    """The numbers of the events in scorers' spans, or between the steps that older logs mark as a scorer's."""
    spans: set[str] = set()
    steps: list[bool] = []
    open_steps = 0
    found = set()
    for number, event in enumerate(events):
        kind, judges = event.get("event"), event.get("type") in SCORERS
        if kind == "span_begin" and (judges or _is_one(event.get("parent_id"), spans)):
            spans.add(a_text(event.get("id")))
        elif kind == "step" and event.get("action") == "begin":
            steps.append(judges)
            open_steps += judges
        elif kind == "step" and steps:
            open_steps -= steps.pop()
        if open_steps or _is_one(event.get("span_id"), spans):
            found.add(number)
    return frozenset(found)


def _is_one(id: JSON, spans: set[str]) -> bool:
    return isinstance(id, str) and id != "" and id in spans
