"""The bytes of a trace: JSON Lines with a header, records and a seal. Decoding and encoding live here together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias

import msgspec
import orjson
from blake3 import blake3

from runwright.errors import IncompleteTrace, TraceError, UnknownVersion
from runwright.trace.blobs import Blobs, repeated_texts
from runwright.trace.exact import InexactJson, guard_depth, parse_exact
from runwright.trace.intern import Interner, Plain, plain
from runwright.trace.lines import MAX_LINE, Lines, Readable
from runwright.trace.model import FORMAT, ID_LETTER, VERSION, BlobRecord, FaultRecord, Header, Record, Trace
from runwright.trace.packed import is_cut, opened
from runwright.trace.references import References
from runwright.trace.resolve import BLOB_REACH, Resolver, Unresolvable
from runwright.trace.schemas import DECIDERS, problems

_LINE = orjson.OPT_APPEND_NEWLINE
SEAL_HINT = "runwright seal FILE seals it anew, once its lines are right"
CUT_LINE = "cut off in the middle of a line"
CUT_FILE = "the last line is no seal: the trace was cut off"
CUT_FRAME = "the compressed file ends within a frame: it was cut off"

Fault = Callable[[TraceError], None]


Line: TypeAlias = tuple[int, Literal["header", "record", "seal"], Plain]
"""A checked line: its number, what it is, and its value."""


def read_trace(path: Path | str, *, allow_incomplete: bool = False) -> Trace:
    """The trace in a file.

    Raises TraceError with `file:line: $.path`, UnknownVersion, and IncompleteTrace where the seal is missing or wrong;
    with `allow_incomplete` such a trace comes back up to its last whole line, with `complete` false, and with a fault
    of kind `interruption` where it was cut off.
    """
    try:
        with opened(Path(path)) as stream:
            return _load(stream, str(path), allow_incomplete)
    except OSError as error:
        raise TraceError(f"cannot be read: {error.strerror or error}", place=str(path)) from error


def loads_trace(data: bytes, name: str = "<trace>", *, allow_incomplete: bool = False) -> Trace:
    """The trace in these bytes; as `read_trace`."""
    return _load(BytesIO(data), name, allow_incomplete)


def dumps_trace(trace: Trace) -> bytes:
    """The bytes of a trace: interned and sealed; the same trace gives the same bytes."""
    interner = Interner()
    stored = [interner.stored(record) for record in trace.records if not isinstance(record, BlobRecord)]
    blobs = Blobs(repeated_texts(stored), {record.id for record in trace.records}, BLOB_REACH)
    stream = BytesIO()
    writer = TraceWriter(stream, trace.header)
    for record in stored:
        for line in blobs.lines(record):
            writer.put(line)
    writer.close()
    return stream.getvalue()


class TraceWriter:
    """Writes a trace as it comes about, in constant memory; `close` seals it, and only then is it whole.

    What a reader would refuse is refused here, as a TraceError that names the record. Blobs are the format's affair:
    a BlobRecord is passed over.
    """

    def __init__(self, stream: BinaryIO, header: Header) -> None:
        self._stream = stream
        self._hash = blake3()
        self._interner = Interner()
        self._references = References()
        self._number = 0
        self._line({"format": FORMAT, "version": VERSION, **plain(header)}, "the header")

    def write(self, record: Record) -> None:
        """Append a record."""
        if not isinstance(record, BlobRecord):
            self.put(self._interner.stored(record))

    def put(self, stored: Plain) -> None:
        """Append a record that is in stored form already."""
        for path, message in self._references.faults(self._number + 1, stored):
            raise TraceError(message, place=f"{stored['id']}: {path}")
        self._line(stored, str(stored["id"]))

    def close(self) -> str:
        """Seal the trace; the seal."""
        for path, number, message in self._references.unresolved():
            raise TraceError(message, place=f"line {number}: {path}")
        seal = f"blake3:{self._hash.hexdigest()}"
        self._line({"seal": seal, "records": dict(sorted(self._references.counts.items()))}, "the seal")
        self._stream.flush()
        return seal

    def _line(self, value: Plain, owner: str) -> None:
        try:
            line = orjson.dumps(value) + b"\n"
            guard_depth(line)
        except (TypeError, InexactJson) as error:
            raise TraceError(f"cannot be stored exactly: {error}", place=owner) from error
        if len(line) > MAX_LINE:
            raise TraceError(f"takes {len(line):,} bytes; a line may have {MAX_LINE:,}", place=owner)
        for path, message in problems("trace-v1", value):
            raise TraceError(message, place=f"{owner}: {path}")
        self._number += 1
        self._hash.update(line)
        self._stream.write(line)


def scan(stream: Readable, name: str, fault: Fault) -> Iterator[Line]:
    """Each line of a trace, checked by itself and against the lines before it, in constant memory.

    Faults go to `fault`, which raises or collects; a line that breaks the schema is not yielded.
    """
    lines, references, seal_seen, number = Lines(stream, name), References(), False, 0
    for number, raw in lines:
        value = _plainly_right(number, raw, references)
        if value is not None and not seal_seen:
            yield number, "record", value
            continue
        if value is None:
            value = _parsed(raw[:-1], name, number, fault)
        if value is None:
            continue
        if seal_seen:
            fault(TraceError("a line after the seal", place=f"{name}:{number}"))
        elif "lane" in value:
            for path, message in references.faults(number, value):
                fault(TraceError(message, place=f"{name}:{number}: {path}"))
            yield number, "record", value
        elif "seal" in value:
            seal_seen = True
            _check_seal(value, lines.digest(), references.counts, f"{name}:{number}", fault)
            yield number, "seal", value
        elif number == 1:
            yield number, "header", value
        else:
            fault(TraceError("a second header", place=f"{name}:{number}"))
    if is_cut(stream):
        fault(IncompleteTrace(CUT_FRAME, place=f"{name}:{number}"))
    if lines.rest:
        fault(IncompleteTrace(CUT_LINE, place=f"{name}:{number + 1}"))
    for path, line, message in references.unresolved():
        fault(TraceError(message, place=f"{name}:{line}: {path}"))
    if number == 0 and not lines.rest:
        fault(TraceError("the file is empty", place=f"{name}:1"))
    elif not seal_seen:
        fault(IncompleteTrace(CUT_FILE, place=f"{name}:{number}", hint=SEAL_HINT))


def _plainly_right(number: int, raw: bytes, references: References) -> Plain | None:
    """The record on a line that is exact, holds and fits, as nearly every line does; None where one must look closer.

    This is the whole cost of checking a trace: everything that tells what is wrong stands elsewhere.
    """
    try:
        value: Plain = orjson.loads(raw)
        if number > 1 and DECIDERS[value["lane"]](value) and orjson.dumps(value, option=_LINE) == raw:
            return value if references.fits(number, value) else None
    except (ValueError, LookupError, TypeError):  # no JSON, no record, no lane: told by the closer look
        pass
    return None


def _parsed(raw: bytes, name: str, number: int, fault: Fault) -> Plain | None:
    try:
        value = parse_exact(raw)
    except InexactJson as error:
        place = f"{name}:{number}: {error.path}" if error.path else f"{name}:{number}"
        fault(TraceError(str(error), place=place, hint=error.hint))
        return None
    if number == 1:
        _check_version(value, f"{name}:1")
    found = problems("trace-v1", value)
    for path, message in found:
        fault(TraceError(message, place=f"{name}:{number}: {path}"))
    return value if isinstance(value, dict) and not found else None


def _check_version(value: Any, place: str) -> None:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise TraceError(f"not a trace: the first line has no format {FORMAT!r}", place=f"{place}: $.format")
    version = value.get("version")
    if version != VERSION or type(version) is not int:
        raise UnknownVersion(
            f"version {version!r} of the format is not known; this is version {VERSION}",
            place=f"{place}: $.version",
            hint="a newer runwright reads it",
        )


def _check_seal(value: Plain, digest: str, counts: Counter[str], place: str, fault: Fault) -> None:
    if value["seal"] != digest:
        fault(
            IncompleteTrace(
                f"the seal is {value['seal']}, the lines above it give {digest}",
                place=f"{place}: $.seal",
                hint=SEAL_HINT,
            )
        )
    elif value["records"] != dict(counts):
        fault(IncompleteTrace("the seal counts other records", place=f"{place}: $.records", hint=SEAL_HINT))


def _load(stream: Readable, name: str, allow_incomplete: bool) -> Trace:
    missing: list[TraceError] = []

    def fault(error: TraceError) -> None:
        if not (allow_incomplete and isinstance(error, IncompleteTrace)):
            raise error
        missing.append(error)

    header, records = None, list[Record]()
    for _, made in resolved(stream, name, fault):
        if isinstance(made, Header):
            header = made
        else:
            records.append(made)
    if header is None:
        raise TraceError("the file has no whole header", place=f"{name}:1")
    if missing and missing[0].message in (CUT_LINE, CUT_FILE, CUT_FRAME):
        records.append(_interruption(missing[0].message, {record.id for record in records}))
    return Trace(header=header, records=tuple(records), complete=not missing)


def resolved(stream: Readable, name: str, fault: Fault) -> Iterator[tuple[Plain, Header | Record]]:
    """The header of a trace and its records, each with its line; in memory that does not grow. Blobs are left out.

    As `scan`, but a line that resolves to no record is a TraceError in any case.
    """
    resolver = Resolver()
    for number, kind, value in scan(stream, name, fault):
        if kind == "header":
            told = {key: each for key, each in value.items() if key not in ("format", "version")}
            yield value, msgspec.convert(told, Header)
        elif kind == "record":
            record = _resolved(resolver, value, f"{name}:{number}")
            if not isinstance(record, BlobRecord):
                yield value, record


def _resolved(resolver: Resolver, value: Plain, place: str) -> Record:
    try:
        return resolver.record(value)
    except Unresolvable as error:
        raise TraceError(str(error), place=f"{place}: {error.path}") from error
    except msgspec.ValidationError as error:  # splices can make what no schema of a line sees
        raise TraceError(f"resolved, it is no record: {error}", place=place) from error


def _interruption(detail: str, ids: set[str]) -> FaultRecord:
    number = 1
    while (id := f"{ID_LETTER['fault']}{number}") in ids:
        number += 1
    return FaultRecord(id=id, kind="interruption", detail=detail)
