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
    from runwright.cli.output import say_json
    from runwright.errors import Exit
    from runwright.readers import read_foreign
    from runwright.reports.view import view_json, view_text
    from runwright.secrets import clean_text, redact_value

    shown = read_foreign([trace])
    if json:
        say_json(redact_value(view_json(shown)))
    else:
        print(clean_text(view_text(shown)), end="")
    return int(Exit.OK)
