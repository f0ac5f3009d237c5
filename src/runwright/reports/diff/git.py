"""Two versions of a file, as git hands them to an external diff: our report, or their lines where it is no trace."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from runwright.diff import diff
from runwright.errors import RunwrightError, UsageError
from runwright.readers import read_foreign
from runwright.readers.input import Input
from runwright.readers.packed import unpacked
from runwright.reports.diff.lines import counted, unified
from runwright.reports.diff.report import diff_report
from runwright.reports.diff.text import render_diff_text
from runwright.reports.shown import one_line, plural, printable
from runwright.secrets import clean_text, redact_value
from runwright.trace import Trace, digest_bytes

ABSENT = "/dev/null"
"""What git gives for a side that does not have the file."""

PLAIN = "git diff --no-ext-diff --no-textconv"


class Version(NamedTuple):
    """One side of a change: the name to show, the bytes and git's mode, all None where the file is not there."""

    name: str
    data: bytes | None
    mode: str | None


def git_diff(old: Version, new: Version, message: str = "", *, colour: bool = False) -> str:
    """What changed in a file, as text that ends with a newline; `message` is what git says of a rename."""
    parts = [
        "\n".join(_heads(old, new, message)),
        _compared(old, new, colour=colour) if old.data != new.data else "",
    ]
    return "".join(f"{part.rstrip()}\n" for part in parts if part)


def _heads(old: Version, new: Version, message: str) -> Iterator[str]:
    yield one_line(clean_text(f"diff --runwright {old.name} {new.name}"))
    if old.mode is None:
        yield f"new file mode {new.mode}"
    elif new.mode is None:
        yield f"deleted file mode {old.mode}"
    elif old.mode != new.mode:
        yield f"old mode {old.mode}"
        yield f"new mode {new.mode}"
    yield from (one_line(clean_text(line)) for line in message.splitlines())


def _compared(old: Version, new: Version, *, colour: bool) -> str:
    try:
        left, right = _traces(old, new)
    except RunwrightError as error:
        return "\n".join((one_line(clean_text(f"no trace: {error}")), *_lines(old, new)))
    names = _name(old), _name(new)
    report = diff_report(diff(left, right), left, right, names)
    shown = render_diff_text(report, colour=colour).rstrip("\n")
    return f"{shown}\n{_whole(old, new)}"


def _traces(old: Version, new: Version) -> tuple[Trace, Trace]:
    """Both sides as traces; one that is not there has no record, and is like the other in all else."""
    found = [None if each.data is None else _trace(each.name, each.data) for each in (old, new)]
    given = next((each for each in found if each is not None), None)
    if given is None:
        raise UsageError("neither side has the file", place=old.name)
    left, right = (each or Trace(header=given.header, records=()) for each in found)
    return left, right


def _trace(name: str, data: bytes) -> Trace:
    return read_foreign([Input(name, unpacked(data, name))])


def _name(version: Version) -> str:
    return ABSENT if version.data is None else version.name


def _whole(old: Version, new: Version) -> str:
    """How much of the file differs, since what is not compared may be part of a change."""
    gone, come = counted(*(_split(each.data or b"") for each in (old, new)))
    said = f"{plural(gone, 'line')} removed, {come} added"
    return f"in the file itself: {said}; {PLAIN} shows them, with ids, times and whatever else is not compared"


def unmerged(path: str) -> str:
    """What is said of a path of which a merge left several versions: git compares none of them."""
    return f"{one_line(clean_text(f'unmerged {path}'))}\n"


def laid_out(name: str, data: bytes) -> str:
    """A file as text that git can compare line by line: JSON with a value on each line, its digest before all else.

    Secrets are replaced. Whatever changes in the file changes the first line at least.
    """
    found = unpacked(data, name)
    if b"\0" in found:
        return f"{_digest(data)}\n"
    lines = (line for text in _split(found) for line in _laid(text))
    [clean] = _clean(["\n".join(lines)])
    return f"{_digest(data)}\n{printable(clean)}\n"


def _laid(line: str) -> list[str]:
    """A line that is JSON as indented JSON; any other as it is."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return [line]
    return json.dumps(value, indent=2, ensure_ascii=False).split("\n") if isinstance(value, dict | list) else [line]


# --- what is no trace ---------------------------------------------------------------------------


def _lines(old: Version, new: Version) -> Iterator[str]:
    yield f"--- {one_line(clean_text(_name(old)))}"
    yield f"+++ {one_line(clean_text(_name(new)))}"
    if any(b"\0" in (each.data or b"") for each in (old, new)):
        yield f"binary files differ: {_size(old)} -> {_size(new)}"
        return
    left, right = (_split(each) for each in _clean([_text(each.data or b"") for each in (old, new)]))
    shown = [printable(line) for line in unified(left, right)]
    yield from shown or [f"no line that may be shown differs: {_size(old)} -> {_size(new)}"]


def _size(version: Version) -> str:
    return "absent" if version.data is None else _digest(version.data)


def _digest(data: bytes) -> str:
    return f"{len(data)} bytes, {digest_bytes(data)}"


def _text(data: bytes) -> str:
    """The bytes as text, others where they were others."""
    return data.decode("utf-8", "backslashreplace")


def _clean(texts: list[str]) -> list[str]:
    """Both texts with tokens for their secrets: one token for one secret, so that another one differs still."""
    redacted: Any = redact_value(list(texts))
    return [str(each) for each in redacted]


def _split(data: bytes | str) -> Sequence[str]:
    """The lines; an end of line that is not a plain one is part of its line."""
    lines = (data if isinstance(data, str) else _text(data)).split("\n")
    if lines[-1]:
        lines[-1] += "\n\\ No newline at end of file"
        return lines
    return lines[:-1]
