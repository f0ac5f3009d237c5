"""The report for a terminal: what changed by lane, then each change with its fields, then the verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from runwright.diff import KINDS, Coarse, Kind
from runwright.reports.diff.model import SECTIONS, ChangeReport, DiffReport, FieldReport, RecordReport, UnknownReport
from runwright.reports.shown import one_line, plural, value

FIELDS_SHOWN = 12
MARKS = 40
"""Marks of a lane's line; more changes share them."""

SIGNS: dict[Kind, str] = {"inserted": "+", "deleted": "-", "changed": "~", "moved": ">"}
_COLOURS: dict[Kind, str] = {"inserted": "32", "deleted": "31", "changed": "33", "moved": "36"}
VALUE_WIDTH = 400


def render_diff_text(report: DiffReport, *, colour: bool = False, stat: bool = False) -> str:
    """The report as plain text that ends with a newline; `stat` leaves the changes themselves out."""
    blocks = [list(_heads(report)), list(_stat(report, colour))]
    if not stat:
        blocks.append([one_line(f"~ header: {field_line(field)}") for field in report.header])
        for section, title in SECTIONS.items():
            lines = [line for each in report.changes if each.section == section for line in _change(each, colour)]
            blocks.append([f"{title}:", *lines] if title and lines else lines)
    blocks.append(list(outcome_lines(report)))
    blocks.append(list(ending(report)))
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _heads(report: DiffReport) -> Iterator[str]:
    for sign, side in (("---", report.left), ("+++", report.right)):
        damaged = "" if side.complete else ", incomplete"
        yield one_line(f"{sign} {side.name}  {side.trace_id}  ({plural(side.records, 'record')}{damaged})")


def _stat(report: DiffReport, colour: bool) -> Iterator[str]:
    """` model  3  ~~-`: the lanes with a change, and what changed in them."""
    lanes = Counter((change.lane, change.kind) for change in report.changes)
    totals = Counter(change.lane for change in report.changes)
    most = max(totals.values(), default=0)
    width = max((len(lane) for lane in totals), default=0)
    for lane, total in totals.items():
        marks = "".join(_coloured(SIGNS[kind] * _marks(lanes[lane, kind], most), kind, colour) for kind in KINDS)
        yield f" {lane:<{width}} | {total:>{len(str(most))}} {marks}"


def _marks(count: int, most: int) -> int:
    return count if most <= MARKS or not count else max(1, count * MARKS // most)


def _change(change: ChangeReport, colour: bool) -> Iterator[str]:
    yield _coloured(one_line(change_line(change)), change.kind, colour)
    for field in change.fields[:FIELDS_SHOWN]:
        yield one_line(f"    {field_line(field)}")
    if len(change.fields) > FIELDS_SHOWN:
        yield f"    and {plural(len(change.fields) - FIELDS_SHOWN, 'more field')}"
    if change.carried:
        yield f"    {carried_line(change)}"


def change_line(change: ChangeReport) -> str:
    """`~ model m2 -> m3: what it says`."""
    left, right = _record(change.left), _record(change.right)
    ids = " -> ".join(dict.fromkeys(each.id for each in (left, right) if each is not None))
    shown = right or left
    return f"{SIGNS[change.kind]} {change.lane} {ids}: {shown.summary if shown else ''}"


def _record(record: RecordReport | msgspec.UnsetType) -> RecordReport | None:
    return None if isinstance(record, msgspec.UnsetType) else record


def carried_line(change: ChangeReport) -> str:
    """How many later exchanges repeat the change."""
    return f"repeated by {plural(change.carried, 'later exchange')}"


def field_line(field: FieldReport) -> str:
    """`path: before -> after`."""
    path = field.path if field.right_path is None else f"{field.path} ({field.right_path} on the right)"
    return f"{path}: {_cut(value(field.before))} -> {_cut(value(field.after))}"


def _cut(text: str) -> str:
    return text if len(text) <= VALUE_WIDTH else text[: VALUE_WIDTH - 1] + "…"


def outcome_lines(report: DiffReport) -> Iterator[str]:
    """`outcome: success -> tool_error`, where the runs ended otherwise."""
    if report.outcome.before != report.outcome.after:
        yield f"outcome: {report.outcome.before} -> {report.outcome.after}"


COARSE: dict[Coarse, str] = {
    "alignment": "coarse: long stretches in which nothing occurs just once were aligned a part at a time",
    "pairing": "coarse: in long stretches with nothing equal, records were paired by lane and name alone",
    "causes": "coarse: so much changed places that not all was followed to its causes; moved records may be parallel",
}


def coarse_lines(report: DiffReport) -> Iterator[str]:
    """What was looked at less than all, since the traces are too unlike."""
    yield from (COARSE[each] for each in report.coarse)


def ending(report: DiffReport) -> Iterator[str]:
    """What was never compared, and the verdict."""
    yield from (one_line(line) for line in unknown_lines(report))
    yield from coarse_lines(report)
    yield f"{report.word}: {totals(report)}"
    yield from (one_line(f"    {reason}") for reason in report.reasons)


def unknown_lines(report: DiffReport) -> Iterator[str]:
    """`not compared, unknown on the left: model $.streamed, $.request.tools (4 records)`."""
    groups: dict[tuple[str, str, int], list[UnknownReport]] = {}
    for entry in report.unknown:
        groups.setdefault((entry.side, entry.lane, entry.count), []).append(entry)
    for (side, lane, count), entries in groups.items():
        where = "on both sides" if side == "both" else f"on the {side}"
        counted = f" ({plural(count, 'record')})" if entries[0].left or entries[0].right else ""
        paths = ", ".join(entry.path for entry in entries)
        yield f"not compared, unknown {where}: {lane + ' ' if lane else ''}{paths}{counted}"


def totals(report: DiffReport) -> str:
    """`1 inserted, 2 changed; 14 records the same, of which 3 repeat an earlier change`."""
    counts = report.counts
    found = {kind: getattr(counts, kind) for kind in KINDS}
    said = [f"{count} {kind}" for kind, count in found.items() if count]
    if counts.header:
        said.append(plural(counts.header, "header field"))
    repeated = f", of which {counts.carried} repeat an earlier change" if counts.carried else ""
    unseen = f"; {plural(counts.not_compared, 'record')} not compared" if counts.not_compared else ""
    return f"{', '.join(said) or 'no difference'}; {plural(counts.same, 'record')} the same{repeated}{unseen}"


def _coloured(text: str, kind: Kind, colour: bool) -> str:
    return f"\x1b[{_COLOURS[kind]}m{text}\x1b[0m" if colour and text else text
