"""From what was covered to what may be said of it, and whether it is enough."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import msgspec

from runwright.coverage import Coverage, ToolCoverage
from runwright.errors import Exit
from runwright.reports.coverage.model import (
    ControlReport,
    CoverageReport,
    Figure,
    Judged,
    Limits,
    PairReport,
    ToolReport,
    ValuesReport,
)
from runwright.reports.drift.report import problem_of
from runwright.reports.model import Problem
from runwright.secrets import redact_value
from runwright.survey import CoverageSurvey
from runwright.trace import JSON

EXITS: dict[Judged, Exit] = {"PASS": Exit.OK, "FAIL": Exit.FAILED, "UNVERIFIED": Exit.NOT_JUDGED}
NO_TRACE = "no trace was read: nothing was measured"
NO_TOOL = "no tool is registered: a share of none says nothing"
DECLARED = "registered are the tools that requests in the traces declare; --agent names those that the agent has"
UNKNOWN = "{} of {} traces do not know which tools were declared"


def coverage_report(found: CoverageSurvey, agent: str | None, limits: Limits) -> CoverageReport:
    """The report; a figure below its limit fails it, and what could not be read or measured leaves it unverified."""
    seen = found.coverage
    tools = _figure(seen.covered, seen, limits.tools)
    boundary = _figure(seen.bounded, seen, limits.boundary)
    problems = tuple(_problems(found))
    verdict: Judged = "UNVERIFIED" if problems else "PASS" if tools.met and boundary.met else "FAIL"
    report = CoverageReport(
        verdict=verdict,
        exit=int(EXITS[verdict]),
        registered_by=found.registered.source,
        agent=agent,
        files=found.surveyed.files,
        traces=tuple(name for name, _ in found.surveyed.traces),
        tool_coverage=tools,
        boundary_coverage=boundary,
        tools=tuple(map(_tool, seen.tools)),
        pairs=tuple(PairReport(before=one, after=other, count=count) for one, other, count in seen.pairs),
        effects={str(kind): count for kind, count in seen.effects.items()},
        effects_watched=tuple(seen.watched),
        controls=tuple(
            ControlReport(id=each.id, title=each.title, flows=each.flows, decided=dict(each.decided))
            for each in found.controls
        ),
        flows_without_control=tuple(str(flow.path) for flow in found.surveyed.flows if flow.control is None),
        problems=problems,
        notes=tuple(_notes(found)),
    )
    clean: Any = redact_value(msgspec.to_builtins(report))
    return msgspec.convert(clean, CoverageReport)


def _figure(covered: int, seen: Coverage, required: float | None) -> Figure:
    """A share and whether it is what is required; compared exactly, shown rounded down, so that 100 is all."""
    of = len(seen.registered)
    share = Fraction(100 * covered, of) if of else None
    return Figure(
        covered=covered,
        of=of,
        percent=None if share is None else float(Fraction(share * 10 // 1, 10)),
        required=required,
        met=required is None or (share is not None and share >= Fraction(str(required))),
    )


def _tool(tool: ToolCoverage) -> ToolReport:
    return ToolReport(
        name=tool.name,
        registered=tool.registered,
        calls=tool.calls,
        asked=tool.asked,
        outcomes={str(ending): count for ending, count in tool.outcomes.items()},
        untold=tool.untold,
        fields=tool.fields,
        never_given=tool.never_given,
        never_values=tuple(_values(name, each) for name, each in tool.never_values.items()),
        undeclared=tool.undeclared,
        effects={str(kind): count for kind, count in tool.effects.items()},
    )


def _values(field: str, values: tuple[JSON, ...]) -> ValuesReport:
    """Values of a field, cleaned under its name, which may be all that gives a secret away."""
    clean: Any = redact_value({field.rpartition(".")[2]: list(values)})
    return ValuesReport(field=field, values=tuple(next(iter(clean.values()))))


def _problems(found: CoverageSurvey) -> Iterator[Problem]:
    yield from (problem_of(each.error, each.name) for each in found.surveyed.unread)
    if not found.surveyed.traces:
        yield Problem(message=NO_TRACE)
    elif not found.registered.tools:
        yield Problem(message=NO_TOOL, hint="--agent module:attribute names the agent whose tools count")


def _notes(found: CoverageSurvey) -> Iterator[str]:
    yield from found.surveyed.notes
    if found.registered.source == "traces":
        yield DECLARED
        traces = [trace for _, trace in found.surveyed.traces]
        unknown = sum(any("$.request.tools" in each.unknown for each in trace.models) for trace in traces)
        if unknown:
            yield UNKNOWN.format(unknown, len(traces))
