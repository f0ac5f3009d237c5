"""The calls that an agent might make besides: of every tool that the flow names, and of those that were seen."""

from __future__ import annotations

from collections.abc import Iterator

from runwright.flow import Flow, NoToolCall, ToolCall
from runwright.flow.matchers import Clause, Where, satisfies
from runwright.perturb import Ran
from runwright.perturb.values import put
from runwright.trace.model import JSON, Trace, calls_of


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
        found.setdefault(tool, Ran(tool, _arguments(where, recorded.get(tool))))
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


def _arguments(where: Where, recorded: JSON) -> JSON:
    """Arguments for which the clauses hold: the recorded ones, else some made for the first alternative."""
    if recorded is not None and satisfies(where, recorded):
        return recorded
    made: JSON = {}
    for clause in where[0] if where else ():
        made = _with(made, clause)
    return made


def _with(value: JSON, clause: Clause) -> JSON:
    test, name = clause.test, clause.path[0] if clause.path else None
    if test.negated or not isinstance(name, str) or not isinstance(value, dict) or len(clause.path) > 1:
        return value
    number = test.value if isinstance(test.value, (int, float)) else 0
    wanted: dict[str, JSON] = {"greater_than": number + 1, "less_than": number - 1, "exists": True}
    return put({**value, name: None}, (name,), wanted.get(test.op, test.value))
