"""Assertions on tool calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runwright.flow.assertions import NoToolCall, ToolCall
from runwright.flow.evidence import Call, Evidence
from runwright.flow.matchers import (
    ABSENT,
    Found as Value,
    Where,
    at_path,
    clause_text,
    number,
    path_text,
    satisfies,
    text,
)
from runwright.flow.spec import Step
from runwright.flow.state import Found, failed, held
from runwright.trace.shortened import shortened

COMPARISONS = ("greater_than", "at_least", "less_than", "at_most")
HIDDEN = "a fault in the live run hides tool calls"
SHOWN = 120
"""Characters of a value in a message."""


def judge_tool_call(assertion: ToolCall, evidence: Evidence, turn: int | None, after: int) -> Found:
    """Answered or executed as often as said, the first of them behind what earlier assertions have passed."""
    if assertion.level == "executed" and not evidence.surroundings.executions_seen:
        return _unseen()
    all_ = [n for n, call in _calls(evidence, turn) if _fits(assertion, call) and _counts(assertion, call)]
    fitting = [n for n in all_ if turn is None or evidence.calls[n].turn == turn]
    where = ", ".join(_cited(evidence.calls[n]) for n in fitting)
    if assertion.at_most is not None and len(fitting) > assertion.at_most:
        wanted = "exactly" if assertion.at_least == assertion.at_most else "at most"
        detail = f"{assertion.tool} was called {_times(len(fitting))} ({where}), {wanted} {assertion.at_most} wanted"
        return Found(state="failed", detail=detail, too_many=True)
    if len(fitting) < len(all_) and (len(fitting) < assertion.at_least or assertion.at_most is not None):
        return Found(state="not_judged", detail=f"to which delivery {assertion.tool} belongs is not known")
    if len(fitting) < assertion.at_least:
        return failed(_too_few(assertion, evidence, turn, fitting))
    if assertion.at_most is not None and hides_calls(evidence):
        return Found(state="not_judged", detail=HIDDEN)
    if not fitting:
        return held(f"{assertion.tool} was never called")
    behind = [n for n in fitting if n >= after]
    if not behind:
        return failed(f"{assertion.tool} was called only before what must precede it ({where})")
    return held(where, passed=behind[0] + 1)


def judge_no_tool_call(assertion: NoToolCall, evidence: Evidence, turn: int | None) -> Found:
    """Neither requested, answered nor executed; at level executed only the last, which must then have been watched."""
    executed = assertion.level == "executed"
    bad = [call for _, call in _calls(evidence, turn) if _forbidden(assertion, call)]
    if bad:
        return failed("; ".join(f"{_written(call)} was {_done(call)}" for call in bad))
    if executed and not evidence.surroundings.executions_seen:
        return _unseen()
    if hides_calls(evidence):
        return Found(state="not_judged", detail=HIDDEN)
    unsure = [why for _, call in _calls(evidence, turn) if (why := _undecidable(assertion, call))]
    return Found(state="not_judged", detail="; ".join(unsure)) if unsure else held()


def hides_calls(evidence: Evidence) -> bool:
    """Whether there may be calls that a fault kept from being seen."""
    return bool({"tool", "mcp"} & set(evidence.hidden))


def unclaimed(steps: Sequence[Step], evidence: Evidence) -> list[str]:
    """The calls that no assertion on a tool call claims; what the provider ran itself is nobody's to claim.

    An assertion claims the first call that fits it and is not claimed yet; one that counts claims as many as it counts.
    """
    left = [call for call in evidence.calls if not call.provided]
    for step in steps:
        if isinstance(step.assertion, ToolCall):
            own = [n for n, call in enumerate(left) if step.turn is None or call.turn in (None, step.turn)]
            claimed = [n for n in own if _fits(step.assertion, left[n])][: _claims(step.assertion)]
            left = [call for n, call in enumerate(left) if n not in claimed]
    return [_written(call) for call in left]


def _undecidable(assertion: NoToolCall, call: Call) -> str:
    """Why it cannot be told whether this is the forbidden call; empty where it can."""
    if not _named(assertion.tool, call) or (assertion.level is not None and call.executed is None):
        return ""
    shown = f"{call.tool} ({_done(call)})"
    if _has_no_fields(call) and _names_fields(assertion.where):
        return f"the arguments of {shown} are no JSON: {_shown(call.arguments)}"
    if assertion.result and call.result is ABSENT and satisfies(assertion.where, call.arguments):
        return f"what {shown} gave is not known"
    for where, value in ((assertion.where, call.arguments), (assertion.result, call.result)):
        for clause in (each for clauses in where for each in clauses):
            found = at_path(value, clause.path)
            if clause.test.op in COMPARISONS and isinstance(found, str) and number(found) is None:
                return f"{_shown(found)} of {shown} is no number to compare"
    return ""


def _claims(assertion: ToolCall) -> int | None:
    """How many calls the assertion is about, None for any number."""
    return 1 if (assertion.at_least, assertion.at_most) == (1, None) else assertion.at_most


def _calls(evidence: Evidence, turn: int | None) -> Iterator[tuple[int, Call]]:
    return ((n, call) for n, call in enumerate(evidence.calls) if turn is None or call.turn in (None, turn))


def _named(tool: str, call: Call) -> bool:
    return tool == call.tool or (call.server is not None and tool == f"{call.server}/{call.tool}")


def _fits(assertion: ToolCall | NoToolCall, call: Call) -> bool:
    return (
        _named(assertion.tool, call)
        and not (isinstance(assertion, ToolCall) and _has_no_fields(call) and _names_fields(assertion.where))
        and satisfies(assertion.where, call.arguments)
        and satisfies(assertion.result, call.result)
    )


def _has_no_fields(call: Call) -> bool:
    """Arguments that are no JSON have no fields, so that one is absent there is no finding about the agent."""
    return isinstance(call.arguments, str)


def _names_fields(where: Where) -> bool:
    return any(clause.path for clauses in where for clause in clauses)


def _counts(assertion: ToolCall, call: Call) -> bool:
    return call.executed is not None if assertion.level == "executed" else call.happened


def _forbidden(assertion: NoToolCall, call: Call) -> bool:
    return _fits(assertion, call) and (assertion.level is None or call.executed is not None)


def _unseen() -> Found:
    detail = "no boundary that tools run behind was observed: whether one was executed cannot be told"
    return Found(state="capability", detail=detail)


# --- messages ------------------------------------------------------------------------------------


def _too_few(assertion: ToolCall, evidence: Evidence, turn: int | None, fitting: Sequence[int]) -> str:
    same = [call for _, call in _calls(evidence, turn) if _named(assertion.tool, call)]
    if fitting:
        where = ", ".join(_cited(evidence.calls[n]) for n in fitting)
        return f"{assertion.tool} was called {_times(len(fitting))} ({where}), {assertion.at_least} wanted"
    if not same:
        others = sorted({call.tool for _, call in _calls(evidence, turn) if call.happened})
        return f"{assertion.tool} was never called" + (f"; called: {', '.join(others)}" if others else "")
    asked = [call for call in same if _fits(assertion, call)]
    if asked:
        how = "executed" if assertion.level == "executed" else "answered or executed"
        return f"{assertion.tool} was {_done(asked[0])}, but never {how}"
    return _nearest(assertion, same)


def _nearest(assertion: ToolCall, same: Sequence[Call]) -> str:
    """The same-named call that satisfies the most clauses, and those that it does not."""
    nearest = min(same, key=lambda call: len(_wrong(assertion, call)))
    return f"nearest: {_written(nearest)}, {_done(nearest)}: {'; '.join(_wrong(assertion, nearest))}"


def _wrong(assertion: ToolCall, call: Call) -> list[str]:
    return [*_unmet(assertion.where, call.arguments, ""), *_unmet(assertion.result, call.result, "the result's ")]


def _unmet(where: Where, value: Value, of: str) -> list[str]:
    alternatives = [
        [
            f"{of}{path_text(each.path) or 'whole'} is {_shown(at_path(value, each.path))}, wanted: {clause_text(each)}"
            for each in clauses
            if not each.test.holds(at_path(value, each.path))
        ]
        for clauses in where
    ]
    return min(alternatives, key=len, default=[])


def _done(call: Call) -> str:
    done = [
        f"{word} in {place}"
        for word, place in (("requested", call.requested), ("answered", call.answered), ("executed", call.executed))
        if place
    ]
    return ", ".join(done)


def _cited(call: Call) -> str:
    return call.requested or call.executed or call.answered or call.tool


def _written(call: Call) -> str:
    if not isinstance(call.arguments, dict):
        return f"{call.tool}({_shown(call.arguments)})"
    return f"{call.tool}({', '.join(f'{name}={_shown(value)}' for name, value in call.arguments.items())})"


def _shown(value: Value) -> str:
    if value is ABSENT:
        return "absent"
    return shortened(repr(value) if isinstance(value, str) else text(value), SHOWN)


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")
