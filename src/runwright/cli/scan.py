"""`runwright scan`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def scan(
    paths: Annotated[list[Path], typer.Argument(help="Traces, cassettes, flows, logs, any text; folders; - is stdin.")],
    sarif: Annotated[Path | None, typer.Option("--sarif", metavar="FILE", help="Write a SARIF 2.1.0 report.")] = None,
    skip: Annotated[
        list[str] | None, typer.Option("--skip", metavar="PATTERN", help="Leave such files out; may be repeated.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> int:
    """Look for secrets in files of any kind; say where and of which kind they are, and never what."""
    import orjson

    from runwright.cli.output import say_json, say_note, say_report, write_file
    from runwright.reports.scan import notes_text, sarif as sarif_of, scan_json, scan_text
    from runwright.scan import scan_paths
    from runwright.secrets import load_allowlist

    found = scan_paths(paths, load_allowlist(Path.cwd()), skip or ())
    if json:
        say_json(scan_json(found))
    else:
        say_report(scan_text(found))
    say_note(notes_text(found).rstrip())
    if sarif is not None:
        write_file(sarif, orjson.dumps(sarif_of(found), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    return int(found.exit)
