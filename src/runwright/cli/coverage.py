"""`runwright coverage`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def coverage(
    paths: Annotated[list[Path], typer.Argument(help="Traces, logs that a reader knows, flows; folders, patterns.")],
    agent: Annotated[
        str | None, typer.Option("--agent", metavar="MODULE:ATTRIBUTE", help="What says which tools the agent has.")
    ] = None,
    fail_under: Annotated[
        float | None,
        typer.Option("--fail-under", metavar="PERCENT", min=0, max=100, help="Exit 1 below this tool coverage."),
    ] = None,
    boundary_under: Annotated[
        float | None,
        typer.Option(
            "--boundary-under", metavar="PERCENT", min=0, max=100, help="Exit 1 below this boundary coverage."
        ),
    ] = None,
    timeout: Annotated[float, typer.Option("--timeout", metavar="SECONDS", help="Time limit of the agent.")] = 60.0,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Also write the report as a page.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> int:
    """Tell what traces have exercised: tools, how they ended, their arguments, pairs, side effects and controls."""
    from runwright.cli.output import say_report, write_file
    from runwright.reports.coverage import Limits, coverage_report, render_coverage_html, render_coverage_text
    from runwright.reports.json import render_json
    from runwright.survey import coverage_of

    limits = Limits(tools=fail_under, boundary=boundary_under)
    report = coverage_report(coverage_of(paths, agent, timeout=timeout), agent, limits)
    if html is not None:
        write_file(html, render_coverage_html(report).encode())
    say_report(render_json(report) if json else render_coverage_text(report, colour=sys.stdout.isatty()))
    return report.exit
