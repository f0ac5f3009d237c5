"""`runwright formats`."""

from __future__ import annotations

from typing import Annotated

import typer


def formats(json: Annotated[bool, typer.Option("--json", help="Print the table as JSON.")] = False) -> int:
    """List the formats that can be read: how each is recognised, what is kept and what is lost."""
    from runwright.cli.output import say, say_json
    from runwright.errors import Exit
    from runwright.reports.formats import formats_json, formats_text

    if json:
        say_json(formats_json())
    else:
        say(formats_text().rstrip("\n"))
    return int(Exit.OK)
