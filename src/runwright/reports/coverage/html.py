"""The report as one self-contained page: no script, nothing fetched, everything escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from runwright.reports.coverage.model import CoverageReport, Figure, ToolReport
from runwright.reports.coverage.text import counted, endings, lacks, share
from runwright.reports.html import POLICY, STYLE
from runwright.reports.shown import plural, printable

ROWS = 2000
"""Rows of one table; the JSON report has all."""


def render_coverage_html(report: CoverageReport) -> str:
    """The whole page."""
    return "".join(f"{line}\n" for line in _page(report))


def _page(report: CoverageReport) -> Iterator[str]:
    title = f"{report.verdict}: coverage of {plural(len(report.traces), 'trace')}"
    yield "<!doctype html>"
    yield f'<html lang="en"><head><meta charset="utf-8"><title>{_text(title)}</title>'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    yield f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>'
    yield f"<h1>{_text(title)}</h1>"
    yield from _figure("Tool coverage", report.tool_coverage)
    yield from _figure("Boundary coverage", report.boundary_coverage)
    for problem in report.problems:
        yield f'<p class="word">{_text(problem.place)} {_text(problem.message)}</p>'
    yield from _table("Tools", ("tool", "calls", "outcomes", "never exercised"), [_tool(each) for each in report.tools])
    pairs = [(each.before, each.after, str(each.count)) for each in report.pairs]
    yield from _table("Pairs", ("before", "after", "times"), pairs)
    kinds = dict.fromkeys((*report.effects_watched, *report.effects))
    yield from _table("Side effects", ("kind", "times"), [(each, str(report.effects.get(each, 0))) for each in kinds])
    controls = [
        (each.id, each.title, ", ".join(each.flows) or "no flow guards it", counted(each.decided))
        for each in report.controls
    ]
    yield from _table("Controls", ("control", "title", "flows", "decided"), controls)
    yield from (f'<p class="path">{_text(note)}</p>' for note in report.notes)
    yield "</body></html>"


def _figure(name: str, figure: Figure) -> Iterator[str]:
    colour = "PASS" if figure.met and figure.covered == figure.of else "other" if figure.met else "FAIL"
    yield f'<details class="{colour}" open><summary><span class="word">{name}</span> {_text(share(figure))}</summary>'
    yield f'<meter min="0" max="100" value="{figure.percent or 0}"></meter></details>'


def _tool(tool: ToolReport) -> tuple[str, ...]:
    return (tool.name, str(tool.calls), endings(tool), "\n".join(lacks(tool)))


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if not rows:
        return
    yield f"<h2>{title}</h2><table><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>"
    for row in rows[:ROWS]:
        yield f"<tr>{''.join(f'<td><pre>{_text(cell)}</pre></td>' for cell in row)}</tr>"
    yield "</table>"
    if len(rows) > ROWS:
        yield f"<p>and {len(rows) - ROWS} more</p>"


def _text(text: str) -> str:
    return escape(printable(text))
