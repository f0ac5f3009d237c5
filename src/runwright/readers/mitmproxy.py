"""mitmproxy's flow files: captured traffic in netstrings, read without mitmproxy itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias, Union

from runwright.errors import ReaderError
from runwright.readers.assembled import Found, Source, assembled, seconds_of
from runwright.readers.input import Input
from runwright.readers.lines import file_name
from runwright.readers.reader import Reader, Run
from runwright.readers.reading import Reading
from runwright.readers.wire import Call, Headers, records_of
from runwright.trace.model import FaultRecord

DEEPEST = 64
DIGITS = 12
"""Digits that a length may have."""

Value: TypeAlias = Union[None, bool, int, float, bytes, str, list["Value"], dict[str, "Value"]]


class Broken(ValueError):
    """The bytes are no netstring, or end within one."""


def sniff_mitmproxy(head: bytes) -> int:
    """90 where a length and a dictionary with a flow's first keys begin the file."""
    digits, colon, rest = head[:DIGITS].partition(b":")
    flow = b"9:websocket;" in head[:64] or b"7:version;" in head or b"4:type;4:http;" in head
    return 90 if colon and digits.isdigit() and rest and flow else 0


def read_mitmproxy(files: Sequence[Input]) -> tuple[Run, ...]:
    """One run of all the flows, in the order of their starts; a file that breaks off is kept up to there."""
    reading = Reading()
    found: list[Found] = []
    faults: list[FaultRecord] = []
    version = None
    for source in files:
        for number, flow in enumerate(_flows(source, reading, faults)):
            where = f"{file_name(source)}: flow {number}"
            version = version or _version(flow)
            call = _call(flow, reading, where)
            if call is None:
                continue
            read = records_of(call, reading, where)
            began, ended = _times(flow)
            found += [
                Found(record=record, key=_text(flow.get("id")), began=began, ended=ended) for record in read.records
            ]
            if read.cut:
                detail = f"the stream of {where} stops before its end"
                faults.append(FaultRecord(id="", kind="truncation", detail=detail))
    if not found:
        raise ReaderError("no HTTP flow in it", place=files[0].name)
    source_of = Source(format="mitmproxy", inputs=files, tool="mitmproxy", version=version)
    return (Run("", assembled(found, source_of, reading, faults=faults)),)


def _flows(source: Input, reading: Reading, faults: list[FaultRecord]) -> Iterator[Mapping[str, Value]]:
    at = 0
    while at < len(source.data):
        try:
            value, at = _parse(memoryview(source.data), at, 0)
        except Broken as error:
            reading.lose("truncated", f"the file breaks off: {error}", f"{file_name(source)}: byte {at}")
            detail = f"{file_name(source)} cannot be read from byte {at} on"
            faults.append(FaultRecord(id="", kind="interruption", detail=detail))
            return
        if isinstance(value, dict):
            yield value


def _parse(data: memoryview, at: int, depth: int) -> tuple[Value, int]:
    """The value that begins at a byte, and where it ends. Broken where the bytes make none."""
    if depth > DEEPEST:
        raise Broken("nested beyond all reason")
    head = bytes(data[at : at + DIGITS + 1])
    digits, colon, _ = head.partition(b":")
    if not colon or not digits.isdigit():
        raise Broken("a length is missing")
    start = at + len(digits) + 1
    end = start + int(digits)
    if end >= len(data):
        raise Broken("it ends within a value")
    return _value(data[start:end], chr(data[end]), depth), end + 1


def _value(data: memoryview, kind: str, depth: int) -> Value:
    if kind in "]}":
        items = list(_items(data, depth))
        if kind == "]":
            return items
        return {_key(key): value for key, value in zip(items[::2], items[1::2], strict=False)}
    raw = bytes(data)
    try:
        if kind == ",":
            return raw
        if kind == ";":
            return raw.decode("utf-8", "replace")
        if kind == "#":
            return int(raw[:40])
        if kind == "^":
            return float(raw)
        if kind == "!":
            return raw == b"true"
    except ValueError as error:
        raise Broken(str(error)) from error
    if kind == "~":
        return None
    raise Broken(f"a value of the kind {kind!r}")


def _items(data: memoryview, depth: int) -> Iterator[Value]:
    at = 0
    while at < len(data):
        value, at = _parse(data, at, depth + 1)
        yield value


def _key(key: Value) -> str:
    return key.decode("utf-8", "replace") if isinstance(key, bytes) else str(key)


def _call(flow: Mapping[str, Value], reading: Reading, where: str) -> Call | None:
    request, response = _object(flow.get("request")), _object(flow.get("response"))
    if flow.get("type") not in ("http", b"http") or not request:
        kind = _text(flow.get("type")) or "unknown"
        reading.lose("unsupported", f"flows of the type {kind}", where)
        return None
    if flow.get("websocket"):
        reading.lose("unsupported", "the messages of a websocket", where)
    status = response.get("status_code")
    error = _object(flow.get("error")).get("msg")
    return Call(
        method=_text(request.get("method")).upper() or "GET",
        url=_url(request),
        request_headers=_headers(request.get("headers")),
        request_body=_bytes(request.get("content")),
        status=status if isinstance(status, int) and 100 <= status < 600 else None,
        response_headers=_headers(response.get("headers")),
        response_body=_bytes(response.get("content")),
        error=_text(error) or None,
    )


def _url(request: Mapping[str, Value]) -> str:
    scheme, host, port = _text(request.get("scheme")) or "http", _text(request.get("host")), request.get("port")
    own = f":{port}" if isinstance(port, int) and port not in (80, 443) else ""
    return f"{scheme}://{host}{own}{_text(request.get('path'))}"


def _headers(headers: Value) -> Headers:
    pairs = headers if isinstance(headers, list) else []
    return tuple((_text(each[0]), _text(each[1])) for each in pairs if isinstance(each, list) and len(each) == 2)


def _times(flow: Mapping[str, Value]) -> tuple[float | None, float | None]:
    request, response = _object(flow.get("request")), _object(flow.get("response"))
    return seconds_of(request.get("timestamp_start")), seconds_of(response.get("timestamp_end"))


def _version(flow: Mapping[str, Value]) -> str | None:
    version = flow.get("version")
    return f"flow format {version}" if isinstance(version, int) else None


def _object(value: Value) -> dict[str, Value]:
    return value if isinstance(value, dict) else {}


def _bytes(value: Value) -> bytes | None:
    if isinstance(value, bytes):
        return value
    return value.encode() if isinstance(value, str) else None


def _text(value: Value) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, str) else ""


MITMPROXY = Reader(
    name="mitmproxy",
    sniff=sniff_mitmproxy,
    read=read_mitmproxy,
    recognised="a netstring that begins with a length and a flow's first keys",
    kept="every HTTP flow with its times: model exchanges with streams, MCP over HTTP, other HTTP; connection errors",
    lost="websocket messages, TCP, UDP and DNS flows, certificates",
    versions="11.0 (flow format 20)",
    models=False,
)
