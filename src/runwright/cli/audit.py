"""`runwright audit`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def audit(
    paths: Annotated[list[Path] | None, typer.Argument(help="Flows, or folders of flows. Default: flows/.")] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Judge this report of run --json; run nothing.")
    ] = None,
    since: Annotated[
        Path | None,
        typer.Option("--since", metavar="FILE", help="Fail for what this earlier report checked and is lost."),
    ] = None,
    timeout: Annotated[float | None, typer.Option("--timeout", metavar="SECONDS", help="Time limit of a flow.")] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Flows that run at a time.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print the audit as JSON.")] = False,
) -> int:
    """Tell which controls hold, on what evidence, and what is no longer checked since an earlier report."""
    from runwright.cli.output import say_report
    from runwright.errors import UsageError
    from runwright.reports import audit_of, read_report, render_audit_text, render_json, report_of
    from runwright.run import RunOptions, run_suite

    if report is not None and paths:
        raise UsageError("a saved report is judged as a whole", hint="give either --report or flows to run")
    earlier = read_report(since) if since is not None else None
    if report is not None:
        current = read_report(report)
    else:
        current = report_of(run_suite(paths or [], RunOptions(timeout=timeout, jobs=jobs)))
    found = audit_of(current, earlier)
    say_report(render_json(found) if json else render_audit_text(found, colour=sys.stdout.isatty()))
    return found.exit
