"""From what differs to what may be said of it: secrets taken out, long values cut around the place where they part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from runwright.diff import Change, FieldDifference, TraceDiff
from runwright.errors import Exit
from runwright.reports.diff.model import (
    ChangeReport,
    Counts,
    DiffReport,
    DiffWord,
    FieldReport,
    OutcomeReport,
    RecordReport,
    Section,
    TraceReport,
    UnknownReport,
)
from runwright.reports.diff.window import windowed
from runwright.reports.shown import one_line, plural
from runwright.reports.view import shortened_summary
from runwright.secrets import clean_text, redact_value
from runwright.secrets.shortened import shortened
from runwright.trace import JSON, FaultRecord, ModelRecord, Record, Trace, parse_path, plain
from runwright.trace.outcome import outcome_class

BLINDING = ("truncation", "dropped_spans", "observer_failed")
"""The faults after which a record that is not there may have been there."""

_SECTIONS: dict[str, Section] = {"side_effect": "effects", "policy": "policies"}

HIDDEN_SHOWN = 12
DETAIL = 200


def diff_report(
    diff: TraceDiff, left: Trace, right: Trace, names: tuple[str, str], *, strict: bool = False
) -> DiffReport:
    """The report of a comparison; `names` are what the two traces are called."""
    reasons = tuple(_reasons(diff, left, right, names, strict=strict))
    word: DiffWord = "UNVERIFIED" if reasons else "SAME" if diff.is_same else "MISMATCH"
    exits = {"SAME": Exit.OK, "MISMATCH": Exit.FAILED, "UNVERIFIED": Exit.NOT_JUDGED}
    clean: Any = redact_value(_document(diff))
    return DiffReport(
        word=word,
        exit=int(exits[word]),
        reasons=tuple(clean_text(reason) for reason in reasons),
        left=_side(left, names[0]),
        right=_side(right, names[1]),
        counts=_counts(diff),
        outcome=OutcomeReport(before=outcome_class(left), after=outcome_class(right)),
        coarse=diff.coarse,
        header=_fields(diff.header, clean["header"]),
        changes=tuple(_change(change, text) for change, text in zip(diff.changes, clean["changes"], strict=True)),
        unknown=tuple(
            UnknownReport(lane=u.lane, path=u.path, side=u.side, count=u.count, left=u.left, right=u.right)
            for u in diff.unknown
        ),
    )


def _reasons(diff: TraceDiff, left: Trace, right: Trace, names: tuple[str, str], *, strict: bool) -> Iterator[str]:
    """Why the two cannot be judged."""
    for trace, name in zip((left, right), names, strict=True):
        if not trace.complete:
            yield f"{name}: incomplete, its seal is missing or wrong"
        yield from _hidden(trace, name)
    if not left.records and not right.records:
        yield "neither trace has a record to compare"
    elif diff.is_same and not diff.same:
        yield "nothing was compared: no two records say what both sides know"
    elif diff.changes and "causes" in diff.coarse and not diff.header and all(map(_is_of_order, diff.changes)):
        yield "nothing differs but the order, and not all of it was followed to its causes: records may be parallel"
    if strict and diff.unknown:
        yield f"{len(diff.unknown)} fields were never compared"


def _is_of_order(change: Change) -> bool:
    """Whether a change says no more than that something comes after something else."""
    return change.kind in ("moved", "changed") and all(field.path == "$.after" for field in change.fields)


def _hidden(trace: Trace, name: str) -> Iterator[str]:
    """What a side may not have seen, one line for each kind of fault: what it lacks may be what differs."""
    faults = [each for each in trace.records if isinstance(each, FaultRecord) and each.kind in BLINDING]
    for kind in dict.fromkeys(each.kind for each in faults):
        mine = [each for each in faults if each.kind == kind]
        hides = dict.fromkeys(what for each in mine for what in each.hides)
        shown = list(hides)[:HIDDEN_SHOWN] if all(each.hides for each in mine) else []
        more = f" and {len(hides) - len(shown)} more" if shown and len(hides) > len(shown) else ""
        what = f"{', '.join(shown)}{more}" or "anything"
        detail = one_line(shortened(mine[0].detail, DETAIL))
        yield f"{name}: {plural(len(mine), 'fault')} ({kind}) may hide {what}: {detail}"


def _side(trace: Trace, name: str) -> TraceReport:
    return TraceReport(
        name=clean_text(name),
        trace_id=clean_text(trace.header.trace_id),
        complete=trace.complete,
        records=len(trace.records),
    )


def _counts(diff: TraceDiff) -> Counts:
    return Counts(
        same=diff.same,
        not_compared=diff.not_compared,
        carried=diff.carried,
        inserted=diff.count("inserted"),
        deleted=diff.count("deleted"),
        changed=diff.count("changed"),
        moved=diff.count("moved"),
        header=len(diff.header),
        unknown=sum(each.count for each in diff.unknown),
    )


# --- secrets are looked for in whole values, under the names that they stand under ----------------


def _document(diff: TraceDiff) -> JSON:
    return {
        "header": [_named(field) for field in diff.header],
        "changes": [
            {
                "left": _told(change.left),
                "right": _told(change.right),
                "fields": [_named(field) for field in change.fields],
            }
            for change in diff.changes
        ],
    }


def _named(field: FieldDifference) -> JSON:
    """Both values, each under the last name of its path, which may tell that it is a secret."""
    steps = [str(step) for step in parse_path(field.path) if isinstance(step, str)]
    name = steps[-1] if steps else "value"
    given = ("before", field.before), ("after", field.after)
    return {side: {name: value} for side, value in given if not isinstance(value, msgspec.UnsetType)}


def _told(record: Record | None) -> JSON:
    """A record without the conversation that led to it."""
    if isinstance(record, ModelRecord):
        request = msgspec.structs.replace(record.request, messages=(), tools=())
        record = msgspec.structs.replace(record, request=request)
    return None if record is None else plain(record)


def _change(change: Change, clean: Any) -> ChangeReport:
    return ChangeReport(
        kind=change.kind,
        section=_SECTIONS.get(change.lane, "run"),
        lane=change.lane,
        left=_record(clean["left"]),
        right=_record(clean["right"]),
        fields=_fields(change.fields, clean["fields"]),
        carried=change.carried,
    )


def _record(value: JSON) -> RecordReport | msgspec.UnsetType:
    if value is None:
        return msgspec.UNSET
    record: Record = msgspec.convert(value, Record)
    return RecordReport(id=record.id, summary=shortened_summary(record))


def _fields(fields: Sequence[FieldDifference], clean: Any) -> tuple[FieldReport, ...]:
    return tuple(_field(field, text) for field, text in zip(fields, clean, strict=True))


def _field(field: FieldDifference, clean: Any) -> FieldReport:
    before, after, cut = windowed(*(_only(clean.get(side)) for side in ("before", "after")))
    return FieldReport(
        path=clean_text(field.path),
        before=before,
        after=after,
        right_path=None if field.right_path is None else clean_text(field.right_path),
        cut=cut,
    )


def _only(value: Any) -> Any:
    return msgspec.UNSET if value is None else next(iter(value.values()))
