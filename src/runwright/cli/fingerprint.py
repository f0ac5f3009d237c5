"""`runwright fingerprint`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runwright.cli.quick import HEAD

if TYPE_CHECKING:
    from runwright.fingerprint import Fingerprint


def fingerprint(
    traces: Annotated[list[Path], typer.Argument(metavar="TRACE...", help="Traces, or logs that a reader knows.")],
    against: Annotated[
        Path | None, typer.Option("--against", help="Compare with this fingerprint file or recorded trace.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write the fingerprint to this file.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Say what a run did, without its words, ids and times; or whether it still does that."""
    from runwright.cli.output import say, say_json, write_file
    from runwright.errors import Exit, UsageError
    from runwright.fingerprint import (
        agree,
        agreements_json,
        agreements_text,
        dumps_fingerprint,
        fingerprints_json,
        fingerprints_text,
    )
    from runwright.secrets import gate_text, load_allowlist

    if out is not None and len(traces) > 1:
        raise UsageError("--out takes the fingerprint of one trace", hint="give one trace at a time")
    prints = [(str(path), _taken(path)) for path in traces]
    if out is not None:
        text = dumps_fingerprint(prints[0][1])
        gate_text(text, str(out), load_allowlist(Path.cwd()))
        write_file(out, text.encode())
    if against is None:
        if json:
            say_json(fingerprints_json(prints))
        else:
            say(fingerprints_text(prints).rstrip("\n"))
        return int(Exit.OK)
    recorded = _taken(against)
    judged = [(name, agree(recorded, live)) for name, live in prints]
    if json:
        say_json(agreements_json(judged))
    else:
        say(agreements_text(judged).rstrip("\n"))
    verdicts = {each.verdict for _, each in judged}
    return int(Exit.NOT_JUDGED if "UNVERIFIED" in verdicts else Exit.FAILED if "DRIFTED" in verdicts else Exit.OK)


def _taken(path: Path) -> Fingerprint:
    """The fingerprint that a file is, or that of the trace in it; IncompleteTrace for one that is not whole."""
    from runwright.errors import IncompleteTrace
    from runwright.fingerprint import fingerprint, fingerprint_of_file, is_fingerprint, loads_fingerprint
    from runwright.readers import read_foreign
    from runwright.readers.input import read_inputs

    if _is_native(path):
        return fingerprint_of_file(path)
    (source,) = read_inputs([path])
    if is_fingerprint(source.data):
        return loads_fingerprint(source.data, source.name)
    trace = read_foreign([source])
    if not trace.complete:
        hint = "runwright seal FILE, once its lines are right"
        raise IncompleteTrace("its seal is missing or wrong", place=str(path), hint=hint)
    return fingerprint(trace)


def _is_native(path: Path) -> bool:
    """Whether a file begins as this tool writes traces; then none of it need be held."""
    if str(path) == "-" or not path.is_file():
        return False
    try:
        with path.open("rb") as stream:
            return stream.read(len(HEAD)) == HEAD
    except OSError:
        return False
