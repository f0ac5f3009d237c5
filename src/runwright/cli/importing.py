"""Writing what was imported: behind the secret gate, one run or many."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

from runwright.cli.output import make_folder, say_error, say_note, say_trace, write_file
from runwright.errors import Exit, IncompleteTrace, RunwrightError, UsageError
from runwright.readers import read_foreign
from runwright.readers.many import Group, file_name, files_of, read_many
from runwright.reports.view import import_summary, view_text
from runwright.secrets import Allowlist, clean_text, gate_trace, load_allowlist
from runwright.trace import JSON, Trace, dumps_trace, packed_for


class Imported(NamedTuple):
    """What an import wrote, as a JSON value, and its exit status."""

    summary: JSON
    exit: Exit


def import_one(
    files: Sequence[Path], format: str | None, trace_id: str | None, out: Path | None, *, redact: bool
) -> Imported:
    """One run, to a file or to standard output. Raises what keeps it from being read or written."""
    trace = _gated(
        read_foreign(files, format, trace_id=trace_id),
        str(files[0]),
        load_allowlist(Path.cwd()),
        redact=redact,
        name=str(out or "the trace"),
    )
    if out is None:
        say_trace(dumps_trace(trace))
    else:
        write_file(out, packed_for(out, dumps_trace(trace)))
        say_note(view_text(trace))
    return Imported(import_summary(trace), Exit.OK)


def import_many(
    paths: Sequence[Path], format: str | None, out: Path | None, *, redact: bool, summed_up: bool = True
) -> Imported:
    """Every run that the paths hold, one file each in the folder `out`; what fails is told, and the rest goes on.

    The exit is 2 where a file could not be read, else 1 where a secret kept one from being written. The summary lists
    every run, and is empty where it need not be `summed_up`: it would grow with the files.
    """
    if out is None:
        raise UsageError("many runs need a folder", hint="add --out FOLDER")
    make_folder(out)
    files = files_of(paths)
    allow = load_allowlist(Path.cwd())
    written: list[JSON] = []
    refused: list[JSON] = []
    worst, good, bad = Exit.OK, 0, 0
    for name, done in _written(_shown(read_many(files, format), len(files)), out, allow, redact=redact):
        if isinstance(done, RunwrightError):
            say_error(done)
            bad += 1
            refused += [{"file": name, "error": clean_text(str(done)), "slug": done.slug}] if summed_up else []
            worst = Exit.NOT_JUDGED if Exit.NOT_JUDGED in (worst, done.exit_code) else done.exit_code
        else:
            good += 1
            written += [{"file": name, **done}] if summed_up else []
    say_note(f"{good} {'run' if good == 1 else 'runs'} written to {out}, {bad} not")
    return Imported({"written": written, "refused": refused} if summed_up else None, worst)


def _written(
    groups: Iterator[Group], out: Path, allow: Allowlist, *, redact: bool
) -> Iterator[tuple[str, dict[str, JSON] | RunwrightError]]:
    """Each run with its summary, or with the error that kept it from being written."""
    used: dict[str, int] = {}
    for group in groups:
        source = str(group.files[0])
        if group.error is not None:
            yield source, group.error
        for run in group.runs:
            path = _free(out, file_name(group, run), used)
            try:
                trace = _gated(run.trace, source, allow, redact=redact, name=source)
                write_file(path, dumps_trace(trace))
            except RunwrightError as error:
                yield source, error
            else:
                summary = import_summary(trace)
                yield str(path), summary if isinstance(summary, dict) else {}
                del trace
            del run
        del group  # the next one is read with none of this one's runs in memory


def _gated(trace: Trace, source: str, allow: Allowlist, *, redact: bool, name: str) -> Trace:
    if not trace.complete:  # writing it would seal what cannot be trusted
        hint = "runwright seal FILE, once its lines are right"
        raise IncompleteTrace("its seal is missing or wrong", place=source, hint=hint)
    return gate_trace(trace, redact=redact, allow=allow, name=name)


def _free(folder: Path, stem: str, used: dict[str, int]) -> Path:
    """A name that no file in the folder has; `used` holds for each stem the number that was free at last."""
    for number in count(used.get(stem, 1)):
        path = folder / (f"{stem}.jsonl" if number == 1 else f"{stem}-{number}.jsonl")
        if not path.exists():
            used[stem] = number
            break
    return path


def _shown(groups: Iterator[Group], files: int) -> Iterator[Group]:
    """The groups, with a bar on a terminal that counts their files."""
    if not sys.stderr.isatty():
        yield from groups
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("importing", total=files)
        done: set[Path] = set()  # a long file comes in several groups
        for group in groups:
            done.update(group.files)
            yield group
            del group
            bar.update(task, completed=len(done))
