"""New traces from old ones: without some records, or as a cassette."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from msgspec.structs import replace

from runwright.trace.model import PolicyRecord, Record, SideEffectRecord, Trace


def without(trace: Trace, ids: Collection[str]) -> Trace:
    """The trace less these records. What came after a dropped record comes after what that one came after."""
    gone = set(ids)
    by_id = {record.id: record for record in trace.records}
    kept = tuple(_unblamed(_rebased(each, gone, by_id), gone) for each in trace.records if each.id not in gone)
    return replace(trace, records=kept)


def as_cassette(trace: Trace) -> Trace:
    """The replayable form: kind `cassette`, no times on records; ids, edges and the header's time window stay."""
    records = tuple(replace(record, t=None, duration=None) for record in trace.records)
    return replace(trace, header=replace(trace.header, kind="cassette"), records=records)


def _rebased(record: Record, gone: set[str], by_id: Mapping[str, Record]) -> Record:
    named = (*record.after, *record.after_inferred, *([record.parent] if record.parent else ()))
    if gone.isdisjoint(named):
        return record
    data, inferred = _edges(record, gone, by_id)
    return replace(record, after=data, after_inferred=inferred, parent=_parent(record, gone, by_id))


def _unblamed(record: Record, gone: set[str]) -> Record:
    """The record without the name of a dropped one that it says it is about."""
    if isinstance(record, SideEffectRecord) and record.side_effect.caused_by in gone:
        return replace(record, side_effect=replace(record.side_effect, caused_by=None))
    if isinstance(record, PolicyRecord) and record.on in gone:
        return replace(record, on=None)
    return record


def _edges(record: Record, gone: set[str], by_id: Mapping[str, Record]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Edges to kept records; a path that leads over an inferred edge is inferred."""
    data = _reached(record.after, gone, by_id, inferred=False)
    inferred = _reached(record.after_inferred, gone, by_id, inferred=True)
    inferred += [each for each in _reached(record.after, gone, by_id, inferred=True) if each not in data]
    return tuple(data), tuple(dict.fromkeys(each for each in inferred if each not in data))


def _reached(start: Iterable[str], gone: set[str], by_id: Mapping[str, Record], *, inferred: bool) -> list[str]:
    """The kept records that these lead to through dropped ones; over inferred edges too when asked."""
    found: dict[str, None] = {}
    seen: set[str] = set()
    waiting = list(start)
    while waiting:
        each = waiting.pop(0)
        if each in seen:
            continue
        seen.add(each)
        if each not in gone:
            found[each] = None
        elif each in by_id:
            dropped = by_id[each]
            waiting += [*dropped.after, *(dropped.after_inferred if inferred else ())]
    return list(found)


def _parent(record: Record, gone: set[str], by_id: Mapping[str, Record]) -> str | None:
    parent = record.parent
    while parent is not None and parent in gone:
        parent = by_id[parent].parent if parent in by_id else None
    return parent
