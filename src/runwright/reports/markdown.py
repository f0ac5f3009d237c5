"""The report as Markdown, for the summary of a pull request."""

from __future__ import annotations

from runwright.reports.effects import summary_lines
from runwright.reports.model import FlowReport, RunReport
from runwright.reports.shown import one_line, printable
from runwright.reports.text import flow_lines, totals_line

_SPECIAL = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>#|~!@&$"})


def render_markdown(report: RunReport) -> str:
    """A table of all flows, then one block for each that did not pass, or whose side effects were watched."""
    lines = [f"### {escaped(totals_line(report))}", ""]
    lines += [f"* {escaped(' - '.join(filter(None, (p.place, p.message, p.hint))))}" for p in report.problems]
    if report.flows:
        lines += ["", "| verdict | flow | summary |", "|---|---|---|"]
    lines += [f"| {flow.word} | {escaped(flow.name)} | {escaped(flow.summary)} |" for flow in report.flows]
    for flow in report.flows:
        if flow.exit:
            lines += ["", *_block(flow)]
        elif flow.effects:
            body = [f"    {one_line(line)}" for line in summary_lines(flow.effects)]
            lines += ["", f"**{flow.word}** {escaped(flow.name)} ({escaped(flow.path)})", "", *body]
    return "\n".join(lines) + "\n"


def _block(flow: FlowReport) -> list[str]:
    body = "\n".join(f"    {one_line(line)}" for line in flow_lines(flow))
    return [f"**{flow.word}** {escaped(flow.name)} ({escaped(flow.path)})", "", body]


def escaped(text: str) -> str:
    """Text on one line in which nothing is Markdown."""
    return " ".join(printable(text).split()).translate(_SPECIAL)
