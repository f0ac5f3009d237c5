"""`runwright import`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def import_(
    files: Annotated[
        list[Path], typer.Argument(help="Files of one run together; or folders and patterns of many; - is stdin.")
    ],
    format: Annotated[str | None, typer.Option("--format", help="Their format, where it cannot be told.")] = None,
    trace_id: Annotated[
        str | None, typer.Option("--trace-id", help="Which run of files that hold several, by the source's own id.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write the trace here, not to stdout (-); a folder for many.")
    ] = None,
    redact: Annotated[bool, typer.Option("--redact", help="Replace secrets by tokens and go on.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print a summary as JSON; needs --out.")] = False,
) -> int:
    """Read another tool's export and write it as a trace; of a folder, everything that can be read."""
    from runwright.cli.importing import import_many, import_one
    from runwright.cli.output import say_json
    from runwright.errors import UsageError
    from runwright.readers.many import is_many

    out = None if str(out) == "-" else out
    if json and out is None:
        raise UsageError("--json prints a summary, so the trace needs a place", hint="add --out FILE")
    if is_many(files) or (out is not None and out.is_dir()):
        if trace_id is not None:
            raise UsageError(
                "--trace-id chooses one run, and here all are imported", hint="give one file, and --out FILE"
            )
        done = import_many(files, format, out, redact=redact, summed_up=json)
    else:
        done = import_one(files, format, trace_id, out, redact=redact)
    if json:
        say_json(done.summary)
    sys.stdout.flush()
    return int(done.exit)
