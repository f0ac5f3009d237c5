"""The report for a terminal: a table of the tools, what each lacks, pairs, effects, controls, then the two figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from runwright.reports.coverage.model import ControlReport, CoverageReport, Figure, Judged, ToolReport
from runwright.reports.shown import one_line, plural, value

_COLOURS: dict[Judged, str] = {"PASS": "32", "FAIL": "31", "UNVERIFIED": "33"}
LISTED = 12
"""Names of one list that are shown; the JSON report has all."""


def render_coverage_text(report: CoverageReport, *, colour: bool = False) -> str:
    """The report as plain text that ends with a newline; `colour` is for terminals only."""
    lines = [*_table(report.tools), *_pairs(report), *_effects(report), *map(_control, report.controls), *_rest(report)]
    shown = [one_line(line) for line in lines]
    return "".join(f"{line}\n" for line in (*shown, *_figures(report), _total(report, colour)))


def _table(tools: Sequence[ToolReport]) -> Iterator[str]:
    width = max((len(one_line(each.name)) for each in tools), default=4)
    yield f"{'tool'.ljust(width)}  calls  outcomes"
    for each in tools:
        yield f"{one_line(each.name).ljust(width)}  {each.calls:5}  {endings(each)}"
        yield from (f"    {line}" for line in lacks(each))


def endings(tool: ToolReport) -> str:
    """How the calls of a tool ended, as far as it is told."""
    told = [f"{outcome} {count}" for outcome, count in tool.outcomes.items()]
    told += [f"untold {tool.untold}"] if tool.untold else []
    told += [f"only asked for {tool.asked}"] if tool.asked else []
    return ", ".join(told) or "never called"


def lacks(tool: ToolReport) -> Iterator[str]:
    """What of a tool was never exercised, and what should not have been."""
    if not tool.registered:
        yield "not registered"
    if not tool.calls:
        return
    if tool.never_given:
        yield f"never given ({len(tool.never_given)} of {plural(tool.fields, 'field')}): {_listed(tool.never_given)}"
    for each in tool.never_values:
        yield f"values of {each.field} never given: {_listed([value(one) for one in each.values])}"
    if tool.undeclared:
        yield f"given, and not declared: {_listed(tool.undeclared)}"
    if tool.effects:
        yield f"side effects: {counted(tool.effects)}"


def counted(counts: Mapping[str, int]) -> str:
    """`fs_write 3, http_request 1`."""
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def _pairs(report: CoverageReport) -> Iterator[str]:
    names = [f"{each.before} -> {each.after} ({each.count})" for each in report.pairs]
    if names:
        known = {each.name for each in report.tools if each.registered}
        own = sum(known.issuperset((each.before, each.after)) for each in report.pairs)
        yield f"pairs seen: {_listed(names)}; {own} of the {len(known) ** 2} that registered tools can make"


def _effects(report: CoverageReport) -> Iterator[str]:
    if report.effects:
        yield f"side effects seen: {counted(report.effects)}"
    never = [kind for kind in report.effects_watched if kind not in report.effects]
    if never:
        yield f"side effects watched and never seen: {', '.join(never)}"


def _control(control: ControlReport) -> str:
    decided = f"; decided {counted(control.decided)}" if control.decided else ""
    return f"control {control.id}: {', '.join(control.flows) if control.flows else 'no flow guards it'}{decided}"


def _rest(report: CoverageReport) -> Iterator[str]:
    if report.flows_without_control:
        yield f"flows without a control: {_listed(report.flows_without_control)}"
    for problem in report.problems:
        yield f"could not be judged: {problem.place}: {problem.message}".replace(": :", ":")
        if problem.hint:
            yield f"    hint: {problem.hint}"
    yield from (f"note: {note}" for note in report.notes)


def _figures(report: CoverageReport) -> Iterator[str]:
    yield f"tool coverage      {share(report.tool_coverage)}  registered tools that were called"
    yield f"boundary coverage  {share(report.boundary_coverage)}  registered tools seen to fail, denied or held back"


def share(figure: Figure) -> str:
    """`66.6 %  (2 of 3)`, and what was required of it."""
    percent = "    - " if figure.percent is None else f"{figure.percent:5.1f} %"
    required = "" if figure.required is None else f", {'at least' if figure.met else 'below'} {figure.required:g} %"
    return f"{percent}  ({figure.covered} of {figure.of}{required})"


def _total(report: CoverageReport, colour: bool) -> str:
    word = f"\x1b[{_COLOURS[report.verdict]}m{report.verdict}\x1b[0m" if colour else report.verdict
    return f"{word}: {plural(len(report.traces), 'trace')} in {plural(report.files, 'file')}"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(names[:LISTED]) + more
