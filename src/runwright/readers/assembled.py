"""A run from the records that a reader found: their order, ids, nesting, times, messages, edges and the header."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from runwright.readers.circles import without_circles
from runwright.readers.header import header_of
from runwright.readers.input import Input, digest_of
from runwright.readers.pairing import with_call_ids
from runwright.readers.reading import Reading, unread
from runwright.readers.speech import exchanges_of, primary_thread, with_speech
from runwright.trace import with_edges
from runwright.trace.model import (
    ID_LETTER,
    EffectKind,
    FaultRecord,
    Header,
    MessageRecord,
    ModelRecord,
    Observation,
    Origin,
    Record,
    SideEffectRecord,
    Trace,
    lane_of,
)

LAST_MOMENT = 253_402_300_800
"""Seconds from 1970 to the year 10000: what lies beyond is no time that can be written."""


DIGITS = 6
"""Of a second: a moment of our days, as a float, has no more, and what a difference shows beyond them is noise."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A record as its source shows it, without id, place and times.

    `key` is the source's own name for it, and `parent` the name of what encloses it, which need be no record.
    `began` and `ended` are seconds since 1970. `cause` is the key of the record that a side effect came from.
    """

    record: Record
    key: str = ""
    parent: str = ""
    began: float | None = None
    ended: float | None = None
    cause: str = ""


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """What the header says of where a run came from. `seen` are the effect kinds that the format records."""

    format: str
    inputs: Sequence[Input]
    tool: str | None = None
    version: str | None = None
    agent: str | None = None
    chosen: str = ""
    seen: Mapping[EffectKind, Observation] = {}


def assembled(
    found: Sequence[Found],
    source: Source,
    reading: Reading,
    *,
    enclosing: Mapping[str, str] | None = None,
    faults: Sequence[FaultRecord] = (),
    in_order: bool = False,
) -> Trace:
    """The run of these records.

    They are put in the order of their starts where all have one, unless they are `in_order` already. `enclosing` maps
    keys of the source that are no records to what encloses them. User turns and last words are taken from the
    exchanges where the source has no messages of its own. What the reading found malformed is a fault.
    """
    ordered = found if in_order else _by_start(found)
    start = min([each.began for each in ordered if each.began is not None], default=0.0)
    records = without_circles(_numbered(ordered, enclosing or {}, start), reading)
    spoken = any(isinstance(record, MessageRecord) for record in records)
    paired = with_call_ids(records)
    told = sum(isinstance(record, FaultRecord) for record in records)
    missing = [
        msgspec.structs.replace(fault, id=f"f{number}")
        for number, fault in enumerate((*faults, *unread(reading.losses())), start=told + 1)
    ]
    thread = primary_thread(exchanges_of(paired))
    whole = with_edges((*(paired if spoken else with_speech(paired, thread)), *missing))
    return Trace(header=_header(whole, ordered, source, reading, start, thread), records=whole)


def seconds_of(moment: object) -> float | None:
    """Seconds since 1970 of an ISO time or of a number of seconds; None where it is neither. Without zone it is UTC."""
    if isinstance(moment, bool):
        return None
    if isinstance(moment, (int, float)):
        return float(moment) if 0 < moment < LAST_MOMENT else None
    if not isinstance(moment, str):
        return None
    try:
        when = datetime.fromisoformat(moment.strip())
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def _by_start(found: Sequence[Found]) -> list[Found]:
    """By start; one without a start stays behind what it follows in the source."""
    placed, latest = [], 0.0
    for position, each in enumerate(found):
        latest = each.began if each.began is not None else latest
        placed.append((latest, position, each))
    return [each for _, _, each in sorted(placed, key=lambda item: item[:2])]


def _numbered(found: Sequence[Found], enclosing: Mapping[str, str], start: float) -> tuple[Record, ...]:
    counts: dict[str, int] = {}
    ids: dict[str, str] = {}
    named = []
    for each in found:
        letter = ID_LETTER[lane_of(each.record)]
        counts[letter] = counts.get(letter, 0) + 1
        named.append(f"{letter}{counts[letter]}")
        if each.key:
            ids.setdefault(each.key, named[-1])
    return tuple([_placed(each, id, ids, enclosing, start) for each, id in zip(found, named, strict=True)])


def _placed(each: Found, id: str, ids: Mapping[str, str], enclosing: Mapping[str, str], start: float) -> Record:
    parent = _parent(each.parent, ids, enclosing) if each.parent else None
    record = msgspec.structs.replace(
        each.record,
        id=id,
        parent=parent if parent != id else None,
        t=None if each.began is None else round(each.began - start, DIGITS),
        duration=_lasted(each),
    )
    if isinstance(record, SideEffectRecord) and each.cause in ids:
        effect = msgspec.structs.replace(record.side_effect, caused_by=ids[each.cause])
        record = msgspec.structs.replace(record, side_effect=effect)
    return record


def _parent(key: str, ids: Mapping[str, str], enclosing: Mapping[str, str]) -> str | None:
    seen: set[str] = set()
    while key and key not in seen:
        if key in ids:
            return ids[key]
        seen.add(key)
        key = enclosing.get(key, "")
    return None


def _lasted(each: Found) -> float | None:
    if each.began is None or each.ended is None or each.ended < each.began:
        return None
    return round(each.ended - each.began, DIGITS)


def _header(
    records: Sequence[Record],
    found: Sequence[Found],
    source: Source,
    reading: Reading,
    start: float,
    thread: Sequence[ModelRecord],
) -> Header:
    ends = [end for each in found if (end := each.ended if each.ended is not None else each.began) is not None]
    return header_of(
        records,
        losses=reading.losses(),
        source=Origin(format=source.format, tool=source.tool, version=source.version, digest=digest_of(source.inputs)),
        agent=source.agent,
        chosen=source.chosen,
        started_at=moment_of(start),
        duration=round(max(0.0, max(ends) - start), DIGITS) if ends and start else None,
        seen=source.seen,
        thread=thread,
    )


def moment_of(seconds: float) -> str | None:
    """RFC 3339 in UTC, to the microsecond; None where there is no time."""
    if not 0 < seconds < LAST_MOMENT:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
