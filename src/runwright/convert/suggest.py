"""Assertions that the recorded run suggests, each citing its records; a person decides which of them must hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from runwright.convert.calls import cites, tool_calls
from runwright.convert.suggest_effects import suggested_effects
from runwright.convert.until import Until
from runwright.flow import Call
from runwright.trace import outcome_class
from runwright.trace.model import JSON, ModelRecord, Record, Trace


@dataclass(frozen=True)
class Suggestion:
    """An assertion as the flow would state it, the records it rests on, and what to know about it."""

    assertion: dict[str, JSON]
    cites: tuple[str, ...]
    why: str


def suggest(trace: Trace, until: Until) -> tuple[Suggestion, ...]:
    """Suggestions in a fixed order; with `until` only what the first request after it decides."""
    head = decidable(trace.records, until.id)
    everything = tool_calls(trace.records)
    suggested = [*_tools(head, everything, until), *_never_called(trace, everything), *_effects(trace, head, until)]
    if until.id is None:
        suggested.extend(_outcome(trace))
    return tuple(suggested)


def decidable(records: Sequence[Record], until: str | None) -> tuple[Record, ...]:
    """The records up to the first request after `until`, that request without its answer."""
    if until is None:
        return tuple(records)
    at = next(n for n, record in enumerate(records) if record.id == until)
    for n, record in enumerate(records[at + 1 :], start=at + 1):
        if isinstance(record, ModelRecord):
            return (*records[:n], msgspec.structs.replace(record, response=None, error=None))
    return tuple(records)


def _tools(head: Sequence[Record], everything: Sequence[Call], until: Until) -> Iterator[Suggestion]:
    """Tools called, with how often: answered in a later request, or executed on a lane of its own."""
    here = tool_calls(head)
    held = [call for call in here if call.happened]
    for name in dict.fromkeys(call.tool for call in held):
        calls = [call for call in held if call.tool == name]
        again = [cites(call)[0] for call in everything if call.tool == name][len(calls) :]
        more = f"; after {until.id} the recorded run asked again: {', '.join(again)}" if again and until.id else ""
        why = f"called: {', '.join(' -> '.join(cites(call)) for call in calls)}{more}"
        cited = tuple(dict.fromkeys(each for call in calls for each in cites(call)))
        yield Suggestion({"assert_tool_call": {"tool": name, "times": len(calls)}}, cited, why)
    for name in dict.fromkeys(call.tool for call in everything):
        if until.id is not None and all(call.tool != name for call in here):
            first = next(cites(call) for call in everything if call.tool == name)[:1]
            why = f"first asked for after {until.id}, by {first[0]}: forbid it if that was the fault"
            yield Suggestion(_forbidden(name), first, why)


def _forbidden(name: str) -> dict[str, JSON]:
    """The short form where prose reads the name as one word, else the structured one."""
    return {"assert_no_tool_call": name if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) else {"tool": name}}


def _never_called(trace: Trace, everything: Sequence[Call]) -> Iterator[Suggestion]:
    """Tools that the model was offered and that no one called."""
    called = {call.tool for call in everything}
    declared: dict[str, str] = {}
    for exchange in trace.models:
        for tool in exchange.request.tools:
            declared.setdefault(tool.name, exchange.id)
    for name, exchange_id in declared.items():
        if name not in called:
            yield Suggestion(_forbidden(name), (exchange_id,), f"declared in {exchange_id}, never called")


def _effects(trace: Trace, head: Sequence[Record], until: Until) -> Iterator[Suggestion]:
    for each in suggested_effects(trace, head, until.id):
        yield Suggestion(each.assertion, each.cites, each.why)


def _outcome(trace: Trace) -> Iterator[Suggestion]:
    outcome = str(outcome_class(trace))
    if trace.records and outcome not in ("unknown", "truncated", "interrupted"):
        last = trace.models[-1].id if trace.models else trace.records[-1].id
        yield Suggestion({"assert_outcome": outcome}, (last,), f"the run ended so, in {last}")
