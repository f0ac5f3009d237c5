"""The report as Markdown for a pull request: never longer than a comment may be, and it says what was cut."""

from __future__ import annotations

from collections.abc import Iterator

from runwright.reports.diff.model import SECTIONS, ChangeReport, DiffReport
from runwright.reports.diff.text import (
    carried_line,
    change_line,
    coarse_lines,
    field_line,
    outcome_lines,
    totals,
    unknown_lines,
)
from runwright.reports.markdown import escaped
from runwright.reports.shown import one_line, plural

MAX_LENGTH = 60_000
"""Characters of the whole; a GitHub comment may have 65,536."""

FIELDS_SHOWN = 8
UNKNOWN_SHOWN = 20
LINE = 500


def render_diff_markdown(report: DiffReport) -> str:
    """A heading with the verdict, a table of what differs by kind, and the changes as far as they fit."""
    start = "\n".join([*_start(report)]) + "\n"
    end = "".join(f"{line}\n" for line in _end(report))
    header = _header(report)
    left = MAX_LENGTH - len(start) - len(end) - len(header) - 100
    shown: list[str] = []
    for block in _blocks(report):
        left -= len(block)
        if left < 0:
            break
        shown.append(block)
    hidden = len(report.changes) - len(shown)
    cut = f"\n{plural(hidden, 'more change')} not shown: a comment has no room for more.\n" if hidden else ""
    return start + header + "".join(shown) + cut + end


def _start(report: DiffReport) -> Iterator[str]:
    yield f"### {report.word}: {escaped(totals(report))}"
    yield ""
    yield from (f"* {escaped(reason)}" for reason in report.reasons)
    if report.reasons:
        yield ""
    yield "| | trace | records |"
    yield "|---|---|---|"
    for sign, side in (("−", report.left), ("+", report.right)):
        yield f"| {sign} | {escaped(_named(side.name, side.trace_id))} | {side.records} |"
    yield ""


def _named(name: str, trace_id: str) -> str:
    return f"{name[:200]} ({trace_id[:100]})"


def _header(report: DiffReport) -> str:
    lines = [one_line(f"    ~ header: {field_line(field)}") for field in report.header[:FIELDS_SHOWN]]
    if len(report.header) > FIELDS_SHOWN:
        lines.append(f"    and {plural(len(report.header) - FIELDS_SHOWN, 'more field')} of the header")
    return "".join(f"{line}\n" for line in lines)


def _block(change: ChangeReport) -> str:
    """A change as lines of one block of code, in which nothing is Markdown."""
    lines = [one_line(change_line(change))]
    lines += [one_line(f"    {field_line(field)}") for field in change.fields[:FIELDS_SHOWN]]
    if len(change.fields) > FIELDS_SHOWN:
        lines.append(f"    and {plural(len(change.fields) - FIELDS_SHOWN, 'more field')}")
    lines += [f"    {carried_line(change)}"] if change.carried else []
    return "".join(f"    {line}\n" for line in lines)


def _blocks(report: DiffReport) -> Iterator[str]:
    """The changes, section by section; the first of a section has its title before it."""
    for section, title in SECTIONS.items():
        lead = f"\n**{title}**\n\n" if title else ""
        for change in report.changes:
            if change.section == section:
                yield lead + _block(change)
                lead = ""


def _end(report: DiffReport) -> Iterator[str]:
    lines = [*outcome_lines(report), *unknown_lines(report), *coarse_lines(report)]
    if lines:
        yield ""
    yield from (f"* {escaped(line[:LINE])}" for line in lines[:UNKNOWN_SHOWN])
    if len(lines) > UNKNOWN_SHOWN:
        yield f"* and {plural(len(lines) - UNKNOWN_SHOWN, 'more line')} of fields not compared"
