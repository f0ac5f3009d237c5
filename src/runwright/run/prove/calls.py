"""The calls that an agent might make besides: of every tool that the flow names, and of those that were seen."""

from __future__ import annotations

from collections.abc import Iterator

from runwright.flow import Flow, NoToolCall, ToolCall
from runwright.flow.matchers import Where
from runwright.perturb import Ran
from runwright.run.prove.made import value_for
from runwright.trace.model import Trace, calls_of


def calls_besides(flow: Flow, cassette: Trace) -> tuple[Ran, ...]:
    """One call a tool, with arguments that the flow's assertion on it is about."""
    recorded = {
        call.name: call.arguments
        for record in cassette.models
        if record.response
        for call in calls_of(record.response.content)
    }
    found: dict[str, Ran] = {}
    for tool, where in _named(flow):
        found.setdefault(tool, Ran(tool, value_for(where, recorded.get(tool, {}))))
    for tool, arguments in recorded.items():
        found.setdefault(tool, Ran(tool, arguments))
    for record in cassette.models:
        for each in record.request.tools:
            found.setdefault(each.name, Ran(each.name, {}))
    return tuple(found.values())


def _named(flow: Flow) -> Iterator[tuple[str, Where]]:
    for step in flow.steps:
        if isinstance(step.assertion, (ToolCall, NoToolCall)):
            yield step.assertion.tool, step.assertion.where
