"""`runwright view`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def view(
    trace: Annotated[Path, typer.Argument(help="A trace, a cassette, or any log that a reader knows.")],
    json: Annotated[bool, typer.Option("--json", help="Print the records as JSON.")] = False,
) -> int:
    """Show a trace, one line a record, with the ids that --until and ignore take."""
    from runwright.cli.output import say, say_json
    from runwright.errors import Exit
    from runwright.readers import read_foreign
    from runwright.reports.view import view_json, view_text
    from runwright.secrets import redact_trace

    shown, _ = redact_trace(read_foreign([trace]))  # before its lines are cut
    if json:
        say_json(view_json(shown))
    else:
        say(view_text(shown).rstrip("\n"))
    return int(Exit.OK)
