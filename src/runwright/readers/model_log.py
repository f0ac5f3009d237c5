"""A model log: JSON Lines of wire requests and replies (docs/reference/model-log.md). Anyone can write one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import msgspec
import orjson

from runwright.errors import DialectError, ReaderError
from runwright.readers.assembled import DIGITS
from runwright.readers.exact import NotJson, parse_json
from runwright.readers.header import header_of
from runwright.readers.input import Input, digest_of, text_body
from runwright.readers.lenient import an_object
from runwright.readers.lines import DEEPEST, file_name
from runwright.readers.log_line import BadLine, Line, log_line
from runwright.readers.reader import Reader, only
from runwright.readers.reading import Reading
from runwright.readers.speech import with_speech
from runwright.secrets.shortened import shortened
from runwright.trace import with_edges
from runwright.trace.model import (
    ID_LETTER,
    JSON,
    FaultRecord,
    Loss,
    MessageRecord,
    ModelRecord,
    Origin,
    Record,
    Trace,
    lane_of,
)

OPENS = re.compile(rb'\s*\{\s*"(?:api|path|request|tool|message|agent|started_at|duration)"\s*:')
ANSWERS = ("response", "sse", "error")
HIDES = ("model", "tool", "message")


def sniff_model_log(head: bytes) -> int:
    """80 for a first line with a request and an answer, or a tool or message line; 30 where it is too long to tell."""
    first = text_body(head).lstrip().split(b"\n", 1)[0]
    try:
        value = orjson.loads(first)
    except ValueError:
        asked = any(field in first for field in (b'"messages"', b'"input"', b'"contents"'))
        return 30 if OPENS.match(first) and b'"request"' in first and asked else 0
    if not isinstance(value, dict):
        return 0
    exchange = isinstance(value.get("request"), dict)
    named = any(
        isinstance(an_object(value.get(key)).get(text), str) for key, text in (("tool", "name"), ("message", "content"))
    )
    return 80 if exchange and any(key in value for key in ANSWERS) else 60 if exchange else 40 if named else 0


class _Kept(msgspec.Struct, frozen=True):
    line: Line
    place: str


def read_model_log(files: Sequence[Input]) -> Trace:
    """The run that model logs hold: exchanges as they were on the wire, tool calls and messages where logged.

    Lines stand in the order of their `started_at` if all have one, else in that of the files and lines. A line that
    cannot be kept is a loss and a fault: what it would have shown is missing. ReaderError where no exchange is left.
    """
    reading, faults = Reading(), list[str]()
    inputs = [each for at, each in enumerate(files) if each.data not in [earlier.data for earlier in files[:at]]]
    for _ in range(len(files) - len(inputs)):
        reading.lose("duplicate", "a file that was given twice")
    kept = [each for source in inputs for each in _lines(source, reading, faults)]
    if not any(isinstance(each.line.record, ModelRecord) for each in kept):
        raise _nothing(inputs, reading)
    records = _records(_ordered(kept), faults)
    header = header_of(
        records,
        losses=reading.losses(),
        source=Origin(format="model_log", digest=digest_of(files)),
        agent=next((record.agent for record in records if record.agent), None),
        started_at=_moment(kept),
        duration=_duration(records),
    )
    return Trace(header=header, records=records)


def _lines(source: Input, reading: Reading, faults: list[str]) -> Iterator[_Kept]:
    for number, data in enumerate(text_body(source.data).split(b"\n"), start=1):
        if not data.strip():
            continue
        place = f"{file_name(source)}:{number}"
        try:
            line = log_line(_exact(data))
        except (NotJson, BadLine, DialectError) as error:
            reading.lose(
                "not_representable" if isinstance(error, DialectError) else "malformed",
                shortened(str(error), 300),
                place,
            )
            faults.append(f"line {place} could not be kept")
            continue
        for key in line.left_out:
            reading.lose("dropped", f"the field {key!r}", place)
        if isinstance(line.record, ModelRecord) and line.record.response is None and line.record.error is None:
            reading.lose("not_captured", "no response, sse or error was logged for a request: log one", place)
        yield _Kept(line, place)


def _exact(data: bytes) -> JSON:
    """The line's value; a body that had to be changed would not be what was on the wire."""
    changes: list[str] = []
    value = parse_json(data, changes.append, DEEPEST)
    if changes:
        raise BadLine(f"cannot be kept as it was: {changes[0]}")
    return value


def _nothing(inputs: Sequence[Input], reading: Reading) -> ReaderError:
    losses: tuple[Loss, ...] = reading.losses()
    first = f": {losses[0].where}: {losses[0].detail}" if losses else ""
    return ReaderError(
        f"no exchange could be read{first}",
        place=inputs[0].name if inputs else "",
        hint='each line is {"request": {...}, "response": {...}}: see docs/reference/model-log.md',
    )


def _ordered(kept: list[_Kept]) -> list[_Kept]:
    if any(each.line.began is None for each in kept):
        return kept
    return sorted(kept, key=lambda each: each.line.began or 0.0)


def _records(kept: Sequence[_Kept], faults: Sequence[str]) -> tuple[Record, ...]:
    """The records with ids and times; faults for what is cut or missing."""
    began = [each.line.began for each in kept if each.line.began is not None]
    start = min(began, default=0.0)
    counts: dict[str, int] = {}
    found: list[Record] = []
    cut: list[FaultRecord] = []
    for each in kept:
        record, at = each.line.record, each.line.began
        letter = ID_LETTER[lane_of(record)]
        counts[letter] = counts.get(letter, 0) + 1
        name = f"{letter}{counts[letter]}"
        found.append(msgspec.structs.replace(record, id=name, t=None if at is None else round(at - start, DIGITS)))
        if each.line.cut:
            detail = f"the stream of {name} stops before its end mark"
            cut.append(FaultRecord(id="", kind="truncation", detail=detail, hides=(name,)))
    missing = [FaultRecord(id="", kind="observer_failed", detail=detail, hides=HIDES) for detail in faults]
    numbered = [msgspec.structs.replace(fault, id=f"f{at}") for at, fault in enumerate((*cut, *missing), start=1)]
    spoken = found if any(isinstance(record, MessageRecord) for record in found) else with_speech(found)
    return with_edges((*spoken, *numbered))


def _moment(kept: Sequence[_Kept]) -> str | None:
    began = [each.line.began for each in kept if each.line.began is not None]
    if not began or not 0 < min(began) < 253_402_300_800:
        return None
    return datetime.fromtimestamp(min(began), UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _duration(records: Sequence[Record]) -> float | None:
    ends = [record.t + (record.duration or 0.0) for record in records if record.t is not None]
    return round(max(ends), 9) if ends else None


MODEL_LOG = Reader(
    name="model_log",
    sniff=sniff_model_log,
    read=only(read_model_log),
    recognised="JSON Lines with `request`, `tool` or `message` first in each",
    kept="wire bodies and streams exactly; tool calls, messages, times, agents",
    lost="fields beside those of docs/reference/model-log.md, each named",
    versions="this project's own shape",
)
