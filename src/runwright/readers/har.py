"""HTTP Archives (HAR 1.2): what browsers, proxies and clients captured."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

from runwright.errors import ReaderError
from runwright.readers.assembled import Found, Source, assembled, seconds_of
from runwright.readers.input import Input, text_body
from runwright.readers.lenient import a_number, an_object
from runwright.readers.lines import document_of, file_name
from runwright.readers.reader import Reader, Run
from runwright.readers.reading import Reading
from runwright.readers.wire import Call, Headers, records_of
from runwright.trace.model import JSON, FaultRecord

Object = dict[str, JSON]


def sniff_har(head: bytes) -> int:
    """85 where a JSON object begins with a `log` that has entries, a creator or a version."""
    start = b"".join(text_body(head[:4096]).split())
    return 85 if start.startswith(b'{"log":{') and (b'"creator"' in head or b'"entries"' in head) else 0


def read_har(files: Sequence[Input]) -> tuple[Run, ...]:
    """One run of all the files, in the order of their entries' starts."""
    reading = Reading()
    found: list[Found] = []
    faults: list[FaultRecord] = []
    creators = []
    for source in files:
        log = _log(source, reading)
        creators.append(_creator(log))
        for number, entry in enumerate(_entries(log, source)):
            where = f"{file_name(source)}: entry {number}"
            call = _call(entry, reading, where)
            if call is None:
                continue
            read = records_of(call, reading, where)
            began = seconds_of(entry.get("startedDateTime"))
            ended = None if began is None else began + _seconds(entry.get("time"))
            found += [Found(record=record, began=began, ended=ended) for record in read.records]
            if read.cut:
                faults.append(
                    FaultRecord(id="", kind="truncation", detail=f"the stream of {where} stops before its end")
                )
    if not found:
        raise ReaderError("no entry in it", place=files[0].name)
    tool, version = creators[0]
    source_of = Source(format="har", inputs=files, tool=tool, version=version)
    return (Run("", assembled(found, source_of, reading, faults=faults)),)


def _log(source: Input, reading: Reading) -> Object:
    document = document_of(source, reading)
    log = document.get("log") if isinstance(document, dict) else None
    if not isinstance(log, dict):
        raise ReaderError("no log in it", place=source.name)
    return log


def _creator(log: Object) -> tuple[str | None, str | None]:
    creator = log.get("creator")
    told = creator if isinstance(creator, dict) else {}
    name, version = told.get("name"), told.get("version")
    return name if isinstance(name, str) else None, version if isinstance(version, str) else None


def _entries(log: Object, source: Input) -> Iterator[Object]:
    entries = log.get("entries")
    if not isinstance(entries, list):
        raise ReaderError("no list of entries in it", place=source.name)
    return (each for each in entries if isinstance(each, dict))


def _call(entry: Object, reading: Reading, where: str) -> Call | None:
    request, response = an_object(entry.get("request")), an_object(entry.get("response"))
    url = request.get("url")
    if not isinstance(url, str):
        reading.lose("malformed", "an entry without a URL", where)
        return None
    status = response.get("status")
    answered = isinstance(status, int) and not isinstance(status, bool) and 100 <= status < 600
    content = an_object(response.get("content"))
    body = _body(content)
    if (mended := _mended(body, content)) is not None:
        body = mended
        reading.lose("inexact", "the capture took a stream's UTF-8 for Latin-1; it is read as what it was", where)
    if answered and body is None and a_number(content.get("size")) > 0:
        reading.lose("not_captured", "the capture kept no body of an answer: save it with content", where)
    error = response.get("_error", entry.get("_error"))
    return Call(
        method=str(request.get("method") or "GET").upper(),
        url=url,
        request_headers=_headers(request.get("headers")),
        request_body=_posted(an_object(request.get("postData"))),
        status=status if answered and isinstance(status, int) else None,
        response_headers=_expanded(_headers(response.get("headers"))),
        response_body=body,
        error=error if isinstance(error, str) else None,
        cut=("response",) if _is_cut(content, body) else (),
    )


def _is_cut(content: Object, body: bytes | None) -> bool:
    size = a_number(content.get("size"))
    return (
        body is not None and size > len(body) > 0 and "compression" not in content and content.get("encoding") is None
    )


def _body(content: Object) -> bytes | None:
    text = content.get("text")
    if not isinstance(text, str):
        return None
    if content.get("encoding") == "base64":
        try:
            return base64.b64decode(text)
        except ValueError:
            return None
    return text.encode("utf-8", "surrogatepass")


def _mended(body: bytes | None, content: Object) -> bytes | None:
    """The bytes of a stream that mitmproxy, finding no charset, told as Latin-1: streams of events are always UTF-8."""
    if body is None or body.isascii() or "event-stream" not in str(content.get("mimeType")):
        return None
    if content.get("encoding") is not None or content.get("size") == len(body):
        return None
    try:
        told = body.decode("utf-8").encode("latin-1")
        told.decode("utf-8")
    except ValueError:
        return None
    return told


def _posted(data: Object) -> bytes | None:
    text, params = data.get("text"), data.get("params")
    if isinstance(text, str):
        if data.get("encoding") == "base64":
            try:
                return base64.b64decode(text)
            except ValueError:
                return None
        return text.encode("utf-8", "surrogatepass")
    if not isinstance(params, list):
        return None
    pairs = [(str(each.get("name")), str(each.get("value", ""))) for each in params if isinstance(each, dict)]
    return urlencode(pairs).encode()


def _headers(headers: JSON) -> Headers:
    listed = headers if isinstance(headers, list) else []
    return tuple(
        (str(each.get("name")), str(each.get("value", "")))
        for each in listed
        if isinstance(each, dict) and "name" in each
    )


def _expanded(headers: Headers) -> Headers:
    """A HAR holds bodies expanded; the header that says otherwise is about the wire."""
    return tuple((name, value) for name, value in headers if name.lower() != "content-encoding")


def _seconds(milliseconds: JSON) -> float:
    return max(0.0, min(a_number(milliseconds), 1e12)) / 1000


HAR = Reader(
    name="har",
    sniff=sniff_har,
    read=read_har,
    recognised='JSON that begins with `"log": {` and has `creator` or `entries`',
    kept="every request and answer with its time: model exchanges with streams, MCP over HTTP, other HTTP",
    lost="bodies that the capture left out (browsers drop those of streams), pages, timings, caches",
    versions="1.1, 1.2",
    models=False,
)
