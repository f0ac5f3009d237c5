"""`runwright redact`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def redact(
    trace: Annotated[Path, typer.Argument(help="A sealed trace or cassette.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write it here, not to stdout; may be the trace itself.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print what was replaced as JSON; needs --out.")] = False,
) -> int:
    """Replace the secrets of a trace by tokens that still match at replay; the same secret by the same token."""
    from runwright.cli.output import say_json, say_note, say_trace
    from runwright.convert.write import replace_bytes
    from runwright.errors import Exit, UsageError
    from runwright.secrets import gate_trace, load_allowlist, redact_trace
    from runwright.trace import dumps_trace, packed_for, read_trace

    if str(out) == "-":
        out = None
    if json and out is None:
        raise UsageError("--json prints a summary, so the trace needs a place", hint="add --out FILE")
    allow, name = load_allowlist(Path.cwd()), str(out or trace)
    redacted, counts = redact_trace(read_trace(trace), allow, file=name)
    data = dumps_trace(gate_trace(redacted, redact=False, allow=allow, name=name))
    if out is None:
        say_trace(data)
    else:
        replace_bytes(out, packed_for(out, data))
    for rule, count in sorted(counts.items()):
        say_note(f"{rule}: {count} replaced")
    if not counts:
        say_note("nothing to replace")
    if json:
        say_json({"file": name, "replaced": dict(sorted(counts.items()))})
    return int(Exit.OK)
