"""`runwright prove`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def prove(
    flow: Annotated[Path, typer.Argument(help="The flow to prove.")],
    kinds: Annotated[
        list[str] | None, typer.Option("--kind", metavar="KIND", help="Only mutants of this kind; may be repeated.")
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, metavar="N", help="Try at most about so many mutants.")
    ] = 5000,
    seed: Annotated[int, typer.Option("--seed", min=0, metavar="N", help="Where there are more: try others.")] = 0,
    until: Annotated[
        str | None, typer.Option("--until", metavar="ID", help="Match strictly up to this exchange instead.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="As of a run: fields never compared are exit 2.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> int:
    """Change what the agent does, one thing at a time, and see that the flow goes red each time; no agent runs."""
    from runwright.cli.output import say_report
    from runwright.reports.prove_report import proof_report_of, render_proof_json
    from runwright.reports.prove_text import render_proof_text
    from runwright.run import RunOptions
    from runwright.run.prove import ProveOptions, kinds_named, prove_flow

    run = RunOptions(until=until, strict=strict)
    proof = prove_flow(flow, ProveOptions(run=run, kinds=kinds_named(kinds or ()), limit=limit, seed=seed))
    report = proof_report_of(proof)
    say_report(render_proof_json(report) if json else render_proof_text(report, colour=sys.stdout.isatty()))
    return int(proof.exit)
