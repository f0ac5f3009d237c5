"""Paths in, a scan out: each file as the trace that a reader makes of it, and as it stands there.

Either alone would miss secrets: a reader joins what a stream split, and a reader leaves out what no trace can hold.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from runwright.errors import ReaderError, RunwrightError
from runwright.readers import READERS, Input, sniff
from runwright.readers.input import head_of, read_inputs
from runwright.scan.content import Content, Document, content_of, text_of
from runwright.scan.files import chosen
from runwright.scan.found import FileScan, Scan
from runwright.scan.tally import Tally
from runwright.secrets import Allowlist, Finding, clean_text
from runwright.secrets.detect import Scanner
from runwright.secrets.gate import secrets_of_text
from runwright.secrets.leaves import Leaf
from runwright.secrets.located import Place, located
from runwright.secrets.scan import secrets_in, values_of

NATIVE = "runwright"
NO_TEXT = "it is no text, and no reader knows it"


def scan_paths(paths: Sequence[Path], allow: Allowlist | None = None, skip: Sequence[str] = ()) -> Scan:
    """Look at every file that the paths name, folders as a whole. UsageError where one names none."""
    allow = allow or Allowlist()
    found = chosen(paths, skip)
    met: list[tuple[str, Finding]] = []
    files = [FileScan(file=_shown(Path(place)), read_as=None, reason=why) for place, why in found.unread.items()]
    files += [_scan_path(path, allow, met) for path in found.files]
    unused = tuple(
        entry for entry in allow.unused(met) if any(entry.is_about(each.file) for each in files if each.read_as)
    )
    return Scan(files=tuple(files), skipped=tuple(found.skipped), unused=unused)


def _scan_path(path: Path, allow: Allowlist, met: list[tuple[str, Finding]]) -> FileScan:
    try:
        (source,) = read_inputs([path])
    except ReaderError as error:
        return FileScan(file=_shown(path), read_as=None, reason=error.message)
    return scan_input(Input(source.name if str(path) == "-" else _shown(path), source.data), allow, met)


def _shown(path: Path) -> str:
    """The path as the allowlist and a report name it: from here, where it is below."""
    whole = path.absolute()
    return whole.relative_to(Path.cwd()).as_posix() if whole.is_relative_to(Path.cwd()) else str(path)


def scan_input(source: Input, allow: Allowlist | None = None, met: list[tuple[str, Finding]] | None = None) -> FileScan:
    """Look at one file. `met` is told of every finding, those that the allowlist lets pass included."""
    tally, notes, broken = Tally(source.name, allow or Allowlist(), [] if met is None else met), list[str](), ""
    name = sniff(head_of(source.data))
    if name is not None:
        try:
            _read(source, name, tally)
        except RunwrightError as error:
            broken = f"not read as {name}: {clean_text(error.message)}"
    text = text_of(source.data)
    if text is None:
        read = name is not None and not broken
        reason = None if read else broken or NO_TEXT
        return FileScan(file=source.name, read_as=name if read else None, hits=tally.hits(), reason=reason)
    if not text.whole:
        notes.append("some of its bytes are no text in its encoding")
    content = content_of(text.text, source.name)
    _look(content, text.text, tally)
    form = content.form if name is None or broken else name
    if broken and (name == NATIVE or content.form == "text" or not text.whole):
        return FileScan(
            file=source.name, read_as=content.form, hits=tally.hits(), reason=broken, notes=tuple(notes)
        )  # it is of a known form and damaged: what would stand in one piece in the trace may stand in two here
    notes += [broken] if broken else []
    return FileScan(file=source.name, read_as=form, hits=tally.hits(), notes=tuple(notes))


def _read(source: Input, name: str, tally: Tally) -> None:
    """Look at the runs that a reader finds in a file."""
    runs = READERS[name].read([source])
    for run in runs:
        scanner = Scanner()
        tally.run = f"{scanner.clean(run.id)}: " if len(runs) > 1 and run.id else ""
        for finding, _, secret in secrets_in(partial(values_of, run.trace), scanner, tally.allows):
            tally.note("trace", finding, secret)
    tally.run = ""


def _look(content: Content, text: str, tally: Tally) -> None:
    """Look at a file's documents and at its text."""
    scanner = Scanner()
    lines = {each.name: _Lines(each, text if content.form == "json" else None) for each in content.documents}
    values = [(each.name, each.value) for each in content.documents]
    for finding, leaf, secret in secrets_in(lambda: values, scanner, tally.allows):
        tally.note("document", finding, secret, lines[finding.record].of(leaf))
    for finding, secret in secrets_of_text(content.text, scanner) if content.text is not None else ():
        tally.note("text", finding, secret, int(finding.path.removeprefix("line ")))


class _Lines:
    """The lines of a document's leaves, worked out when the first is asked for."""

    def __init__(self, document: Document, text: str | None) -> None:
        self._line, self._text = document.line, text
        self._spans: dict[Place, tuple[int, int]] | None = None
        self._ends: list[int] = []

    def of(self, leaf: Leaf) -> int | None:
        """The line that a leaf stands on; None where neither it nor the document's is known."""
        if self._text is None:
            return self._line
        if self._spans is None:
            self._spans = located(self._text)
            self._ends = [found.start() for found in re.finditer("\n", self._text)]
        span = self._spans.get((leaf.parts, leaf.kind == "key"))
        return None if span is None else bisect_left(self._ends, span[0]) + 1
