"""`runwright validate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def validate(
    traces: Annotated[list[Path], typer.Argument(help="Traces or cassettes to check.")],
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> int:
    """Check traces against the format: every line, every reference, the seal."""
    from runwright.cli.output import say, say_json, say_note
    from runwright.errors import Exit
    from runwright.trace import validate_trace

    checked = [validate_trace(path) for path in traces]
    for each in checked:
        for problem in each.problems:
            say_note(problem)
    if json:
        say_json({"files": [each.as_json() for each in checked]})
    else:
        for each in checked:
            say(f"{each.name}: {'CLEAN' if not each.problems else 'INVALID'}, {each.total} records")
    return int(Exit.NOT_JUDGED if any(each.problems for each in checked) else Exit.OK)
