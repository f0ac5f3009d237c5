"""`runwright seal`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def seal(
    trace: Annotated[Path, typer.Argument(help="A trace whose lines are right and whose seal is not.")],
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> int:
    """Seal a trace anew after a merge or a hand edit; every line is checked first."""
    from runwright.cli.output import say_json
    from runwright.errors import Exit
    from runwright.trace import seal_trace

    sealed = seal_trace(trace)
    if json:
        say_json({"name": str(trace), "seal": sealed})
    else:
        print(f"{trace}: sealed {sealed}")
    return int(Exit.OK)
