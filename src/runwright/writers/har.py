"""HTTP Archives (HAR 1.2)."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl, urlsplit

import msgspec
import orjson

from runwright import __version__
from runwright.trace import JSON, Header, HttpRecord, Record, Trace
from runwright.writers.wire import Headers, Traffic, phrase, traffic
from runwright.writers.writer import Writer, Written
from runwright.writers.writing import DETAILS, Writing

Object = dict[str, JSON]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
UNTIMED = "an entry has a time and a duration: those that are not known are written as the latest known, and zero"


def write_har(trace: Trace) -> Written:
    """The run's HTTP traffic as an archive, in the order of its starts; what it holds nothing of is a loss."""
    writing = Writing()
    writing.header(trace.header)
    started = _started(trace.header, writing)
    timed = sorted(_timed(list(traffic(trace, writing)), started, writing), key=lambda each: each[0])
    writing.numbered(call.record for _, call in timed)
    log: Object = {
        "version": "1.2",
        "creator": {"name": "runwright", "version": __version__},
        "pages": [],
        "entries": [_entry(call, moment) for moment, call in timed],
    }
    return Written(orjson.dumps({"log": log}, option=orjson.OPT_INDENT_2), writing.losses())


def _started(header: Header, writing: Writing) -> datetime:
    if header.started_at is not None:
        return datetime.fromisoformat(header.started_at)
    writing.lose("inexact", "the run's start is not known: times count from 1970", "header", "$.started_at")
    return EPOCH


def _timed(calls: Sequence[Traffic], started: datetime, writing: Writing) -> list[tuple[datetime, Traffic]]:
    """The calls with their starts; one without a start has that of the call before it."""
    found: list[tuple[datetime, Traffic]] = []
    latest = started
    for call in calls:
        record = call.record
        moment = _moment(started, record.t)
        latest = moment or latest
        found.append((latest, call))
        writing.holds(record, _held(call))
        writing.lose(*DETAILS["after_inferred"], record.id, "$.after_inferred")
        for field, known in (("$.t", moment is not None), ("$.duration", record.duration is not None)):
            if not known:
                writing.lose("inexact", UNTIMED, record.id, field)
    return found


def _moment(started: datetime, t: float | None) -> datetime | None:
    try:
        return None if t is None else started + timedelta(seconds=t)
    except (OverflowError, ValueError):
        return None


def _held(call: Traffic) -> Record:
    """An archive holds bodies expanded, and says where one was cut."""
    held = msgspec.structs.replace(call.held, t=call.record.t, duration=call.record.duration)
    if not isinstance(held, HttpRecord) or held.response is None:
        return held
    headers = tuple(each for each in held.response.headers if each[0].lower() != "content-encoding")
    return msgspec.structs.replace(held, response=msgspec.structs.replace(held.response, headers=headers))


def _entry(call: Traffic, moment: datetime) -> Object:
    milliseconds = (call.record.duration or 0) * 1000
    return {
        "startedDateTime": moment.isoformat(timespec="microseconds"),
        "time": milliseconds,
        "request": _request(call),
        "response": _response(call),
        "cache": {},
        "timings": {"send": 0, "wait": milliseconds, "receive": 0},
    }


def _request(call: Traffic) -> Object:
    posted: Object = {} if call.request_body is None else {"postData": _posted(call)}
    return {
        "method": call.method,
        "url": call.url,
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _headers(call.request_headers),
        "queryString": [{"name": name, "value": value} for name, value in _query(call.url)],
        "headersSize": -1,
        "bodySize": len(call.request_body or b""),
        **posted,
    }


def _response(call: Traffic) -> Object:
    status = call.status or 0
    failed: Object = {} if call.error is None else {"_error": call.error}
    return {
        "status": status,
        "statusText": phrase(status),
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _headers(call.response_headers),
        "content": _content(call.response_body, _kind(call.response_headers)),
        "redirectURL": "",
        "headersSize": -1,
        "bodySize": len(call.response_body or b""),
        **failed,
    }


def _posted(call: Traffic) -> Object:
    content = _content(call.request_body, _kind(call.request_headers))
    return {key: value for key, value in content.items() if key != "size"}


def _content(body: bytes | None, kind: str) -> Object:
    told: Object = {"size": len(body or b""), "mimeType": kind}
    if body is None:
        return told
    try:
        return {**told, "text": body.decode()}
    except UnicodeDecodeError:
        return {**told, "text": base64.b64encode(body).decode(), "encoding": "base64"}


def _headers(headers: Headers) -> list[JSON]:
    return [{"name": name, "value": value} for name, value in headers]


def _kind(headers: Headers) -> str:
    return next((value for name, value in headers if name.lower() == "content-type"), "application/octet-stream")


def _query(url: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(urlsplit(url).query, keep_blank_values=True)
    except ValueError:
        return []


HAR = Writer(
    name="har",
    write=write_har,
    suffix=".har",
    used="browsers' developer tools, proxies, Playwright",
    kept="model exchanges, MCP over HTTP and other HTTP as they were or would be on the wire, with their times",
    lost="nesting, agents, tool runs and side effects",
)
