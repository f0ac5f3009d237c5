"""A scan as text: a line a file, and one a secret under it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from runwright.reports.shown import one_line, plural
from runwright.scan import FileScan, Hit, Scan, State
from runwright.scan.found import WORDS
from runwright.secrets import clean_text

COUNTED: dict[State, str] = {"clean": "clean", "found": "with secrets", "unread": "not read"}


def scan_text(scan: Scan) -> str:
    """Every file with how it was read; every secret by place and kind, never by value."""
    return "".join(f"{one_line(line)}\n" for each in scan.files for line in _lines(each))


def notes_text(scan: Scan) -> str:
    """How many files there were, what was not looked at, and which entries of the allowlist let nothing pass."""
    return "".join(f"{one_line(line)}\n" for line in _notes(scan))


def _lines(found: FileScan) -> Iterator[str]:
    read = f" (read as {found.read_as})" if found.read_as else ""
    reason = f", {found.reason}" if found.reason else ""
    secrets = f", {plural(len(found.hits), 'secret')}" if found.hits else ""
    yield f"{clean_text(found.file)}: {WORDS[found.state]}{reason}{secrets}{read}"
    yield from (f"  {place_of(hit)}: {hit.rule}{_elsewhere(hit)}" for hit in found.hits)
    yield from (f"  note: {note}" for note in found.notes)


def place_of(hit: Hit) -> str:
    """Where a secret is: the line of the file, and the record and path where there is one."""
    line = f"line {hit.line}" if hit.line is not None else ""
    path = hit.place.removeprefix(f"{line} ") if line else hit.place  # in JSON lines the place has the line already
    return ", ".join(part for part in (line, path) if part) or "in it"


def _elsewhere(hit: Hit) -> str:
    return f", {hit.places} times" if hit.places > 1 else ""


def _notes(scan: Scan) -> Iterator[str]:
    states = Counter(each.state for each in scan.files)
    counted = ", ".join(f"{states[state]} {word}" for state, word in COUNTED.items() if states[state])
    yield f"{plural(len(scan.files), 'file')}: {counted}"
    yield from (f"not looked at: {clean_text(each)}" for each in scan.skipped)
    for entry in scan.unused:
        place = f"{entry.file} {entry.place}" if entry.file != "*" else entry.place
        yield f"allowlist: the entry for {entry.rule} at {place} lets nothing pass here: remove it"
