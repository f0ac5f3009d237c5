"""`runwright seal`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def seal(
    trace: Annotated[Path, typer.Argument(help="A trace whose lines are right and whose seal is not.")],
    redact: Annotated[bool, typer.Option("--redact", help="Replace secrets by tokens before.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> int:
    """Seal a trace anew after a merge or a hand edit; every line is checked first."""
    from runwright.cli.output import say, say_json
    from runwright.convert.write import replace_bytes
    from runwright.errors import Exit
    from runwright.secrets import gate_trace, load_allowlist
    from runwright.trace import dumps_trace, packed_for, read_trace, seal_trace

    allow, name = load_allowlist(Path.cwd()), str(trace)
    if redact:
        seal_trace(trace)  # what is cut off or broken is refused before anything of it is replaced
        safe = gate_trace(read_trace(trace), redact=True, allow=allow, name=name)
        replace_bytes(trace, packed_for(trace, dumps_trace(safe)))
    else:
        gate_trace(read_trace(trace, allow_incomplete=True), redact=False, allow=allow, name=name)
    sealed = seal_trace(trace)
    if json:
        say_json({"name": name, "seal": sealed})
    else:
        say(f"{name}: sealed {sealed}")
    return int(Exit.OK)
