"""The report for a terminal: the verdict of each trace or group, below it each field that differs, then the count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from runwright.drift import Verdict
from runwright.reports.drift.model import (
    AgentDriftReport,
    BehaviourDrift,
    DriftField,
    SetDriftReport,
    State,
    TraceDrift,
)
from runwright.reports.model import Problem
from runwright.reports.shown import one_line, plural, value

_COLOURS: dict[Verdict, str] = {"SAME": "32", "DRIFTED": "31", "UNVERIFIED": "33"}
_WIDTH = max(map(len, _COLOURS))
_STATES: dict[State, str] = {
    "same": "in both",
    "new": "only in the current set",
    "gone": "only in the baseline",
    "not_judged": "comparable with nothing",
}
NAMED = 5
"""Traces of a group that are named, and reasons."""

COMPARED = 8
"""Facts that are named one by one; of more, the tools are counted."""


def render_drift_text(report: AgentDriftReport | SetDriftReport, *, colour: bool = False) -> str:
    """The report as plain text that ends with a newline; `colour` is for terminals only."""
    body = _agent(report, colour) if isinstance(report, AgentDriftReport) else _sets(report, colour)
    return "".join(f"{line}\n" for line in (*body, *_rest(report.problems, report.notes), _total(report, colour)))


def _agent(report: AgentDriftReport, colour: bool) -> Iterator[str]:
    for each in report.traces:
        yield f"{_word(each.verdict, colour)}  {one_line(each.trace)}{f': {each.reason}' if each.reason else ''}"
        yield from (f"  {one_line(line)}" for line in _trace(each))


def _trace(each: TraceDrift) -> Iterator[str]:
    yield from map(_field, each.differences)
    yield f"compared: {_compared(each.compared)}"
    if each.not_compared:
        yield from (f"not compared: {reason}" for reason in each.not_compared)
    yield from (f"note: {note}" for note in each.notes)


def _compared(paths: Sequence[str]) -> str:
    names = [path.removeprefix("$.") for path in paths]
    if len(names) > COMPARED:
        kinds = Counter(name.split(".")[0].split("[")[0] for name in names)
        names = [kind if count == 1 else f"{kind} ({count} facts)" for kind, count in kinds.items()]
    return ", ".join(names) or "nothing"


def _field(each: DriftField) -> str:
    """`path: old -> new`; the path of a tool's field holds the tool's name."""
    digest = "  (a side keeps a digest only, not the value)" if each.digest_only else ""
    return f"{each.path}: {value(each.recorded)} -> {value(each.current)}{digest}"


def _sets(report: SetDriftReport, colour: bool) -> Iterator[str]:
    for title, members in (("behaviour", report.behaviours), ("specification", report.specifications)):
        told = {(each.nearest, each.current) for each in members if each.state == "new"}
        for each in members:
            verdict = _verdict(each)
            yield f"{_word(verdict, colour)}  {title} {_STATES[each.state]}: {_names(each)}"
            if each.nearest:
                yield f"  nearest: {one_line(_listed(each.nearest))}"
            if (each.baseline, each.nearest) not in told:  # else the same differences stand there
                yield from (f"  {one_line(_field(field))}" for field in each.differences)
            if each.not_compared:
                yield f"  not compared: {one_line(_listed(each.not_compared, '; '))}"


def _verdict(each: BehaviourDrift) -> Verdict:
    if each.state == "same":
        return "SAME"
    return "UNVERIFIED" if each.state == "not_judged" else "DRIFTED"


def _names(each: BehaviourDrift) -> str:
    if each.state == "same":
        return f"{plural(len(each.baseline), 'trace')} and {len(each.current)}, such as {one_line(each.current[0])}"
    return one_line(_listed(each.baseline or each.current))


def _listed(names: Sequence[str], between: str = ", ") -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return between.join(names[:NAMED]) + more


def _rest(problems: Sequence[Problem], notes: Sequence[str]) -> Iterator[str]:
    for problem in problems:
        yield one_line(f"could not be judged: {problem.place}: {problem.message}".replace(": :", ":"))
        if problem.hint:
            yield one_line(f"    hint: {problem.hint}")
    yield from (one_line(f"note: {note}") for note in notes)


def _total(report: AgentDriftReport | SetDriftReport, colour: bool) -> str:
    word = _word(report.verdict, colour).rstrip()
    if isinstance(report, SetDriftReport):
        one = plural(report.baseline_traces, "trace")
        return f"{word}: {one_line(report.baseline)} ({one}) -> {one_line(report.current)} ({report.current_traces})"
    words = {"SAME": "same", "DRIFTED": "drifted", "UNVERIFIED": "could not be judged"}
    counts = Counter(each.verdict for each in report.traces) + Counter({"UNVERIFIED": len(report.problems)})
    told = ", ".join(f"{counts[verdict]} {said}" for verdict, said in words.items() if counts[verdict])
    return f"{word}: {one_line(report.agent)} against {plural(len(report.traces), 'trace')}: {told}"


def _word(verdict: Verdict, colour: bool) -> str:
    word = verdict.ljust(_WIDTH)
    return f"\x1b[{_COLOURS[verdict]}m{word}\x1b[0m" if colour else word
