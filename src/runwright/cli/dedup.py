"""`runwright dedup`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def dedup(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH...", help="Traces, or logs that a reader knows; folders, patterns.")
    ],
    threshold: Annotated[
        float, typer.Option("--threshold", min=0, max=1, help="Group behaviours that are no farther apart than this.")
    ] = 0.0,
    format: Annotated[str | None, typer.Option("--format", help="The files' format, where it cannot be told.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> int:
    """Group runs by what they did; say what sets each group apart, and which a flow guards already."""
    from runwright.cli.output import say, say_error, say_json
    from runwright.corpus import dedup as deduped, guards, seen
    from runwright.reports.dedup import dedup_exit, dedup_json, dedup_text

    found = deduped(seen(paths, format), guards(Path.cwd()), threshold)
    if json:
        say_json(dedup_json(found))
    else:
        say(dedup_text(found).rstrip("\n"))
    for each in found.left:
        say_error(each.error)
    return int(dedup_exit(found))
