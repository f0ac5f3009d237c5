"""`runwright observe`."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer


class HttpOption(Enum):
    """How requests are seen."""

    hooks = "hooks"
    proxy = "proxy"
    none = "none"


def observe(
    command: Annotated[list[str], typer.Argument(metavar="-- COMMAND...", help="The command, and its arguments.")],
    workspace: Annotated[
        Path | None, typer.Option("--workspace", "-w", metavar="DIR", help="Its files are told by name; default: here.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="TRACE", help="Write a trace of it.")] = None,
    diff: Annotated[bool, typer.Option("--diff", help="Show how small texts changed.")] = False,
    outside: Annotated[bool, typer.Option("--outside", help="Print the real names of files outside, too.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Leave out no caches and temporary files.")] = False,
    wait: Annotated[
        float, typer.Option("--wait", min=0, metavar="SECONDS", help="How long its background processes may go on.")
    ] = 5.0,
    http: Annotated[
        HttpOption, typer.Option("--http", help="How requests are seen: within Python, or by a proxy.")
    ] = HttpOption.hooks,
    postgres: Annotated[
        list[str] | None,
        typer.Option("--postgres", metavar="DSN|$VAR", help="A PostgreSQL database whose changes are told, too."),
    ] = None,
    dry_world: Annotated[
        bool, typer.Option("--dry-world", help="Throw away what it changes, once that is told.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> int:
    """Run a command, and tell what it and all that it starts did to the world. Its output goes to stderr."""
    import os

    from runwright.cli.output import say_report, write_file
    from runwright.record.command import observe as observed_of
    from runwright.record.database import address_of
    from runwright.reports.observed import exit_of, gated, observed_json, observed_text
    from runwright.secrets import load_allowlist
    from runwright.trace import dumps_trace, packed_for

    dsns = [address_of(each, os.environ) for each in postgres or ()]
    found = observed_of(
        command, workspace, wait=wait, everything=everything, dry=dry_world, http=http.value, databases=dsns
    )
    observed = gated(found, load_allowlist(Path.cwd()), out)
    shown = (
        observed_json(observed, out, outside=outside) if json else observed_text(observed, diff=diff, outside=outside)
    )
    say_report(shown)
    if out is not None:
        write_file(out, packed_for(out, dumps_trace(observed.trace)))
    return int(exit_of(observed))
