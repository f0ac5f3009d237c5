"""`runwright run`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def run(
    paths: Annotated[list[Path] | None, typer.Argument(help="Flows, or folders of flows. Default: flows/.")] = None,
    junit: Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write a JUnit report.")] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a report of one HTML page.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", metavar="FILE", help="Write a summary for a pull request.")
    ] = None,
    proposal: Annotated[
        str | None, typer.Option("--proposal", metavar="NAME", help="Run this pending proposal.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 2 where fields were never compared.")] = False,
    recording_only: Annotated[
        bool, typer.Option("--recording-only", help="Let a flow without an agent check its own recording.")
    ] = False,
    timeout: Annotated[float | None, typer.Option("--timeout", metavar="SECONDS", help="Time limit of a flow.")] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Flows that run at a time.")] = 1,
    keep: Annotated[bool, typer.Option("--keep", help="Keep each live trace under .runwright/runs/.")] = False,
    dry_world: Annotated[
        bool, typer.Option("--dry-world", help="Throw away what the agents change, once that is seen.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> int:
    """Replay flows: no model, no API key, no network; fail when the agent's behaviour changed."""
    from runwright.cli.output import say_report, write_file
    from runwright.reports import render_html, render_json, render_junit, render_markdown, render_text, report_of
    from runwright.run import RunOptions, run_suite

    options = RunOptions(
        timeout=timeout, strict=strict, recording_only=recording_only, keep=keep, jobs=jobs, dry_world=dry_world
    )
    suite = run_suite(paths or [], options, proposal=proposal)
    report = report_of(suite)
    say_report(render_json(report) if json else render_text(report, colour=sys.stdout.isatty()))
    for path, render in ((junit, render_junit), (html, render_html), (markdown, render_markdown)):
        if path is not None:
            write_file(path, render(report).encode())
    return int(suite.exit)
