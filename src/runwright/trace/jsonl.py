"""The bytes of a trace: JSON Lines with a header, records and a seal. Decoding and encoding live here together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple

import msgspec
import orjson
from blake3 import blake3

from runwright.errors import IncompleteTrace, TraceError, UnknownVersion
from runwright.trace.exact import InexactJson, guard_depth, parse_exact
from runwright.trace.intern import Interner, Plain, Resolver, plain, repeated_texts
from runwright.trace.model import FORMAT, VERSION, FaultRecord, Header, Record, Trace
from runwright.trace.references import References
from runwright.trace.schemas import problems

MAX_LINE = 32 * 1024 * 1024
"""Bytes that a line may have, its line end included."""

BUFFER = 1 << 20
BOM = b"\xef\xbb\xbf"
EOL_HINT = "line ends were changed; keep them with '*.jsonl text eol=lf' in .gitattributes"
SEAL_HINT = "runwright seal FILE seals it anew, once its lines are right"

Fault = Callable[[TraceError], None]


class Line(NamedTuple):
    """A checked line: its number, what it is, and its value."""

    number: int
    kind: Literal["header", "record", "seal"]
    value: Plain


def read_trace(path: Path | str, *, allow_incomplete: bool = False) -> Trace:
    """The trace in a file.

    Raises TraceError with `file:line: $.path`, UnknownVersion, and IncompleteTrace where the seal is missing or wrong;
    with `allow_incomplete` such a trace comes back up to its last whole line, with `complete` false.
    """
    try:
        with Path(path).open("rb", buffering=BUFFER) as stream:
            return _load(stream, str(path), allow_incomplete)
    except OSError as error:
        raise TraceError(f"cannot be read: {error.strerror or error}", place=str(path)) from error


def loads_trace(data: bytes, name: str = "<trace>", *, allow_incomplete: bool = False) -> Trace:
    """The trace in these bytes; as `read_trace`."""
    return _load(BytesIO(data), name, allow_incomplete)


def dumps_trace(trace: Trace) -> bytes:
    """The bytes of a trace: interned and sealed; the same trace gives the same bytes."""
    stream = BytesIO()
    writer = TraceWriter(stream, trace.header, repeated=repeated_texts(trace.records))
    for record in trace.records:
        writer.write(record)
    writer.close()
    return stream.getvalue()


class TraceWriter:
    """Writes a trace as it comes about, in constant memory; `close` seals it, and only then is it whole."""

    def __init__(self, stream: BinaryIO, header: Header, *, repeated: set[str] | None = None) -> None:
        self._stream = stream
        self._hash = blake3()
        self._counts: Counter[str] = Counter()
        self._interner = Interner(repeated or ())
        self._line({"format": FORMAT, "version": VERSION, **plain(header)})

    def write(self, record: Record) -> None:
        """Append a record; a TraceError where it cannot be stored exactly."""
        for value in self._interner.stored(record):
            self._counts[value["lane"]] += 1
            self._line(value, record.id)

    def close(self) -> str:
        """Seal the trace; the seal."""
        seal = f"blake3:{self._hash.hexdigest()}"
        self._line({"seal": seal, "records": dict(sorted(self._counts.items()))})
        self._stream.flush()
        return seal

    def _line(self, value: Plain, owner: str = "the header") -> None:
        try:
            line = orjson.dumps(value)
            guard_depth(line)
        except (TypeError, InexactJson) as error:
            raise TraceError(f"{owner} cannot be stored exactly: {error}") from error
        line += b"\n"
        self._hash.update(line)
        self._stream.write(line)


def scan(stream: BinaryIO, name: str, fault: Fault) -> Iterator[Line]:
    """Each line of a trace, checked by itself and against the lines before it, in constant memory.

    Faults go to `fault`, which raises or collects; a faulty line is not yielded.
    """
    references, seal_seen, digest, number = References(), False, blake3(), 0
    for number, raw in enumerate(_lines(stream, name, fault), start=1):
        value = _parsed(raw, f"{name}:{number}", fault)
        if value is None:
            digest.update(raw)
            continue
        kind = _kind(value, number)
        if seal_seen:
            fault(TraceError("a line after the seal", place=f"{name}:{number}"))
        for path, message in [] if kind is None else references.faults(kind, value):
            fault(TraceError(message, place=f"{name}:{number}: {path}"))
        if kind == "seal":
            seal_seen = True
            _check_seal(value, f"blake3:{digest.hexdigest()}", references.counts, f"{name}:{number}", fault)
        digest.update(raw)
        if kind is not None:
            yield Line(number, kind, value)
    for path, line, message in references.unresolved():
        fault(TraceError(message, place=f"{name}:{line}: {path}"))
    if number == 0:
        fault(TraceError("the file is empty", place=f"{name}:1"))
    elif not seal_seen:
        fault(
            IncompleteTrace("the last line is no seal: the trace was cut off", place=f"{name}:{number}", hint=SEAL_HINT)
        )


def _lines(stream: BinaryIO, name: str, fault: Fault) -> Iterator[bytes]:
    number = 0
    while raw := stream.readline(MAX_LINE + 1):
        number += 1
        if len(raw) > MAX_LINE:
            raise TraceError(f"the line is longer than {MAX_LINE:,} bytes", place=f"{name}:{number}")
        if not raw.endswith(b"\n"):
            fault(IncompleteTrace("cut off in the middle of a line", place=f"{name}:{number}"))
            return
        yield raw


def _parsed(raw: bytes, place: str, fault: Fault) -> Plain | None:
    if raw.endswith(b"\r\n"):
        fault(TraceError("the line ends in CR LF", place=place, hint=EOL_HINT))
        return None
    if raw.startswith(BOM):
        fault(TraceError("a byte order mark", place=place, hint="save the file as UTF-8 without BOM"))
        return None
    try:
        value = parse_exact(raw[:-1])
    except InexactJson as error:
        fault(TraceError(str(error), place=f"{place}: {error.path}"))
        return None
    if place.endswith(":1"):
        _check_version(value, place)
    found = problems("trace-v1", value)
    for path, message in found:
        fault(TraceError(message, place=f"{place}: {path}"))
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


def _kind(value: Plain, number: int) -> Literal["header", "record", "seal"] | None:
    if "format" in value:
        return "header" if number == 1 else None
    return "seal" if "seal" in value else "record"


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


def _load(stream: BinaryIO, name: str, allow_incomplete: bool) -> Trace:
    missing: list[TraceError] = []

    def fault(error: TraceError) -> None:
        if not (allow_incomplete and isinstance(error, IncompleteTrace)):
            raise error
        missing.append(error)

    resolver, records, header = Resolver(), [], None
    for number, kind, value in scan(stream, name, fault):
        if kind == "header":
            header = msgspec.convert({k: each for k, each in value.items() if k not in ("format", "version")}, Header)
        elif kind == "record":
            records.append(_resolved(resolver, value, f"{name}:{number}"))
    if header is None:
        raise TraceError("the file has no header", place=f"{name}:1")
    if any("cut off" in error.message for error in missing):
        records.append(FaultRecord(id="interrupted", kind="interruption", detail=missing[0].message))
    shown = tuple(record for record in records if record.__struct_config__.tag != "blob")
    return Trace(header=header, records=shown, complete=not missing)


def _resolved(resolver: Resolver, value: Plain, place: str) -> Record:
    try:
        return resolver.record(value)
    except (LookupError, TypeError) as error:
        raise TraceError(f"a reference or splice does not fit: {error}", place=f"{place}: $.request") from error
    except msgspec.ValidationError as error:
        raise TraceError(str(error), place=place) from error
