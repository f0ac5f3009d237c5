"""`runwright export`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def export(
    trace: Annotated[Path, typer.Argument(help="A sealed trace or cassette.")],
    to: Annotated[str, typer.Option("--to", help="The form to write: vcr, har, otlp or atif.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Where to write it; a name that ends in .zst packs it.")],
    redact: Annotated[bool, typer.Option("--redact", help="Replace secrets by tokens and go on.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print what was lost as JSON.")] = False,
) -> int:
    """Write a trace in a form that other tools read, and say what that form cannot hold."""
    from runwright.cli.output import say_json, say_note, write_file
    from runwright.errors import Exit
    from runwright.reports.export import export_json, export_notes
    from runwright.secrets import gate_trace, load_allowlist
    from runwright.trace import packed_for, read_trace
    from runwright.writers import write_foreign

    safe = gate_trace(read_trace(trace), redact=redact, allow=load_allowlist(Path.cwd()), name=str(out))
    written = write_foreign(safe, to)
    write_file(out, packed_for(out, written.data))
    for note in export_notes(safe, written):
        say_note(note)
    if json:
        say_json(export_json(safe, to, str(out), written))
    return int(Exit.OK)
