"""`runwright drift`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from runwright.reports.drift import AgentDriftReport, SetDriftReport


def drift(
    paths: Annotated[
        list[Path], typer.Argument(help="With --agent, traces and flows; else a baseline and what is compared with it.")
    ],
    agent: Annotated[
        str | None, typer.Option("--agent", metavar="MODULE:ATTRIBUTE", help="What says how the agent is built now.")
    ] = None,
    ignore_whitespace: Annotated[
        bool, typer.Option("--ignore-whitespace", help="White space at the ends of lines of a prompt is no drift.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit 2 where a fact of a specification was not compared.")
    ] = False,
    behaviours_only: Annotated[
        bool, typer.Option("--behaviours-only", help="Of two sets compare what the runs did, not the specifications.")
    ] = False,
    timeout: Annotated[float, typer.Option("--timeout", metavar="SECONDS", help="Time limit of the agent.")] = 60.0,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> int:
    """Tell whether an agent is still what its traces were recorded of, or whether two sets of traces show the same."""
    from datetime import UTC, datetime

    from runwright.cli.output import say_report
    from runwright.errors import UsageError
    from runwright.reports.drift import agent_drift_report, render_drift_text, set_drift_report
    from runwright.reports.json import render_json
    from runwright.survey import drift_from_agent, drift_of_sets

    if behaviours_only and (agent is not None or strict):
        fault = f"--behaviours-only compares no specification, which {'--strict' if strict else '--agent'} asks for"
        raise UsageError(fault)
    if agent is not None:
        now = datetime.now(UTC)
        found = drift_from_agent(paths, agent, now, ignore_whitespace=ignore_whitespace, timeout=timeout)
        report: AgentDriftReport | SetDriftReport = agent_drift_report(found, agent, strict=strict)
    elif len(paths) == 2:
        sets = drift_of_sets(*paths, ignore_whitespace=ignore_whitespace, behaviours_only=behaviours_only)
        report = set_drift_report(sets, (str(paths[0]), str(paths[1])), strict=strict)
    else:
        hint = "--agent module:attribute for the agent as it is now, or two sets of traces"
        raise UsageError("nothing to compare these with", hint=hint)
    say_report(render_json(report) if json else render_drift_text(report, colour=sys.stdout.isatty()))
    return report.exit
