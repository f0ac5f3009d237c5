"""`runwright import`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def import_(
    files: Annotated[list[Path], typer.Argument(help="Files of one run: spans and log records together.")],
    format: Annotated[str | None, typer.Option("--format", help="Their format, where it cannot be told.")] = None,
    trace_id: Annotated[
        str | None, typer.Option("--trace-id", help="Which trace of an OTLP export that holds several.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write the trace here, not to stdout.")] = None,
    redact: Annotated[bool, typer.Option("--redact", help="Replace secrets by tokens and go on.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print a summary as JSON; needs --out.")] = False,
) -> int:
    """Read another tool's export and write it as a trace."""
    from runwright.cli.output import say_json, say_note
    from runwright.errors import Exit, IncompleteTrace, UsageError
    from runwright.readers import read_foreign
    from runwright.reports.view import import_summary, view_text
    from runwright.secrets import clean_text, gate_trace, load_allowlist
    from runwright.trace import dumps_trace

    if json and out is None:
        raise UsageError("--json prints a summary, so the trace needs a place", hint="add --out FILE")
    name = str(out or "the trace")
    read = read_foreign(files, format, trace_id=trace_id)
    if not read.complete:  # writing it would seal what cannot be trusted
        hint = "runwright seal FILE, once its lines are right"
        raise IncompleteTrace("its seal is missing or wrong", place=str(files[0]), hint=hint)
    trace = gate_trace(read, redact=redact, allow=load_allowlist(Path.cwd()), name=name)
    data = dumps_trace(trace)
    if out is None:
        sys.stdout.buffer.write(data)
    else:
        out.write_bytes(data)
        say_note(clean_text(view_text(trace)))
    if json:
        say_json(import_summary(trace))
    return int(Exit.OK)
