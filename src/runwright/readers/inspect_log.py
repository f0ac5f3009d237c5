"""The samples of an Inspect log, a document or an archive, with what they store once put where it belongs."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator

import orjson

from runwright.errors import ReaderError
from runwright.readers.input import Input
from runwright.readers.lenient import a_text, an_object, objects
from runwright.readers.lines import document_of
from runwright.readers.packed import RATIO, SMALL, ZSTD, unpacked
from runwright.readers.reading import Reading
from runwright.secrets.shortened import shortened
from runwright.trace.model import JSON

Object = dict[str, JSON]
ATTACHED = "attachment://"
ARCHIVE = b"PK\x03\x04"
ZSTANDARD = 93
"""The method of compression of today's archives, which Python's own library does not know."""

MOST_REFERENCES = 2_000_000
"""Messages of a sample's requests together, each counted in every request that it is in; more is a bomb."""


def log_of(source: Input, reading: Reading) -> tuple[Object, list[Object]]:
    """The header of a log and its samples; ReaderError where the file is damaged or a bomb."""
    return _zipped(source, reading) if source.data[:4] == ARCHIVE else _document(source, reading)


def _document(source: Input, reading: Reading) -> tuple[Object, list[Object]]:
    value = _object(source, reading)
    return value, objects(value.get("samples"))


# --- archives ------------------------------------------------------------------------------------


def _zipped(source: Input, reading: Reading) -> tuple[Object, list[Object]]:
    limit = max(SMALL, RATIO * len(source.data))
    try:
        archive = zipfile.ZipFile(io.BytesIO(source.data))
        if sum(each.file_size for each in archive.infolist()) > limit:
            raise ReaderError(f"expands to more than {RATIO} times its size", place=source.name)
        members = {each.filename: each for each in archive.infolist()}
        parts = {
            name: _member(archive, each, limit, source) for name, each in members.items() if name.startswith("samples/")
        }
        header = _member(archive, members["header.json"], limit, source) if "header.json" in members else b"{}"
    except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError, RuntimeError, ValueError, zlib.error) as error:
        raise ReaderError(f"cannot be expanded: {shortened(str(error), 200)}", place=source.name) from error
    found = [_object(Input(f"{source.name}: {name}", data), reading) for name, data in sorted(parts.items())]
    return _object(Input(f"{source.name}: header.json", header), reading), found


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, limit: int, source: Input) -> bytes:
    if member.compress_type == ZSTANDARD:
        return unpacked(_frames(member, source.data), f"{source.name}: {member.filename}")
    with archive.open(member) as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise ValueError(f"{member.filename} expands to more than {limit} bytes")
    return data


def _frames(member: zipfile.ZipInfo, data: bytes) -> bytes:
    """The bytes of a member as they are stored: they follow its own header, whose last two fields are of any length."""
    at = member.header_offset
    if data[at : at + 4] != ARCHIVE:
        raise zipfile.BadZipFile(f"{member.filename} is not where the archive says")
    start = at + 30 + sum(int.from_bytes(data[at + place : at + place + 2], "little") for place in (26, 28))
    found = data[start : start + member.compress_size]
    if not found.startswith(ZSTD):
        raise zipfile.BadZipFile(f"{member.filename} is not compressed as the archive says")
    return found


def _object(source: Input, reading: Reading) -> Object:
    value = document_of(source, reading)
    if not isinstance(value, dict):
        raise ReaderError("no object in it", place=source.name)
    return value


# --- what is stored once -------------------------------------------------------------------------


def whole(sample: Object, reading: Reading, where: str) -> Object:
    """The sample with its attachments, and the messages of its requests, in their places."""
    attachments = an_object(sample.get("attachments"))
    found = {key: _whole(each, attachments) for key, each in sample.items() if key != "attachments"}
    pool = _Pool(an_object(found.get("events_data")))
    events = [pool.filled(each) for each in objects(found.get("events"))]
    if pool.missing:
        reading.lose("not_captured", f"{pool.missing} requests name messages that the log lacks, or too many", where)
    return {**{key: each for key, each in found.items() if key != "events_data"}, "events": [*events]}


def _whole(value: JSON, attachments: Object) -> JSON:
    """The value with its attachments; of a list, such as that of events, only items that name some are made anew."""
    if isinstance(value, list):
        return [_attached(each, attachments) if ATTACHED.encode() in orjson.dumps(each) else each for each in value]
    return _attached(value, attachments)


def _attached(value: JSON, attachments: Object) -> JSON:
    """The value with each attachment in its place; texts that many events share are stored once in the log."""
    if isinstance(value, str):
        found = attachments.get(value.removeprefix(ATTACHED)) if value.startswith(ATTACHED) else None
        return found if isinstance(found, str) else value
    if isinstance(value, dict):
        return {key: _attached(each, attachments) for key, each in value.items()}
    return [_attached(each, attachments) for each in value] if isinstance(value, list) else value


class _Pool:
    """The messages of a sample's requests, each stored once: events name ranges of them."""

    def __init__(self, shared: Object) -> None:
        self._shared = shared
        self._left = MOST_REFERENCES
        self.missing = 0

    def filled(self, event: Object) -> Object:
        """The event with its messages; where they cannot be had, without what would stand for none."""
        if isinstance(event.get("input_refs"), list) and not event.get("input"):
            event = {**event, "input": self._named(event["input_refs"], "messages")}
        call = an_object(event.get("call"))
        if isinstance(call.get("call_refs"), list):
            messages = self._named(call["call_refs"], "calls")
            request = {**an_object(call.get("request")), a_text(call.get("call_key")) or "messages": messages}
            event = {**event, "call": {**call, "request": request if messages is not None else None}}
        inner = event.get("events")
        return {**event, "events": [self.filled(each) for each in objects(inner)]} if inner else event

    def _named(self, ranges: JSON, kind: str) -> JSON:
        pool = self._shared.get(kind)
        held = pool if isinstance(pool, list) else []
        spans = list(_spans(ranges, len(held)))
        self._left -= sum(end - start for start, end in spans)
        if self._left < 0 or len(spans) != len(ranges if isinstance(ranges, list) else []):
            self.missing += 1
            return None
        return [each for start, end in spans for each in held[start:end]]


def _spans(ranges: JSON, size: int) -> Iterator[tuple[int, int]]:
    """The ranges that lie within the pool."""
    for each in ranges if isinstance(ranges, list) else []:
        match each:
            case [int(start), int(end)] if 0 <= start <= end <= size:
                yield start, end
