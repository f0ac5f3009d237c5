"""`runwright diff`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def diff(
    left: Annotated[Path, typer.Argument(help="A trace, a cassette, or any log that a reader knows.")],
    right: Annotated[Path, typer.Argument(help="The one to compare it with.")],
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the report for a pull request.")] = False,
    stat: Annotated[bool, typer.Option("--stat", help="Print what changed by lane, not each change.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 2 where fields were never compared.")] = False,
) -> int:
    """Compare two runs: which records came, went or changed, and in which fields. Ids and times do not count."""
    from runwright.cli.output import say_note, say_report
    from runwright.diff import diff as compare
    from runwright.errors import UsageError
    from runwright.readers import read_foreign
    from runwright.reports.diff import diff_report, render_diff_json, render_diff_markdown, render_diff_text

    if json + markdown + stat > 1:
        raise UsageError("--json, --markdown and --stat exclude each other", hint="choose one of them")
    one, other = read_foreign([left]), read_foreign([right])
    report = diff_report(compare(one, other), one, other, (str(left), str(right)), strict=strict)
    if json:
        say_report(render_diff_json(report))
    elif markdown:
        say_report(render_diff_markdown(report))
    else:
        say_report(render_diff_text(report, colour=sys.stdout.isatty(), stat=stat))
    for reason in report.reasons:
        say_note(f"warning: {reason}")
    return report.exit
