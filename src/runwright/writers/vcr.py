"""VCR cassettes in YAML, as vcrpy writes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import yaml

from runwright.trace import HttpBody, HttpRecord, Record, Trace
from runwright.writers.wire import Headers, Traffic, phrase, traffic
from runwright.writers.writer import Writer, Written
from runwright.writers.writing import Writing


def write_vcr(trace: Trace) -> Written:
    """The run's HTTP traffic as a cassette, in line order; what it holds nothing of is a loss."""
    writing = Writing()
    writing.header(trace.header)
    kept: list[Traffic] = []
    for call in traffic(trace, writing):
        if call.status is None:
            writing.leave_out(call.record, "a cassette holds answered calls only")
        else:
            kept.append(call)
            writing.holds(call.record, _held(call))
    writing.numbered(call.record for call in kept)
    document = {"interactions": [_interaction(call) for call in kept], "version": 1}
    text: str = yaml.dump(document, Dumper=yaml.CSafeDumper)
    return Written(text.encode(), writing.losses())


def _held(call: Traffic) -> Record:
    """A cassette groups headers by their names, and an answer has a body."""
    held = call.held
    if not isinstance(held, HttpRecord) or held.response is None:
        return held
    request = msgspec.structs.replace(held.request, headers=_flat(held.request.headers))
    response = msgspec.structs.replace(
        held.response, headers=_flat(held.response.headers), body=held.response.body or HttpBody(text="")
    )
    return msgspec.structs.replace(held, request=request, response=response)


def _flat(headers: Headers) -> Headers:
    return tuple((name, value) for name, values in _grouped(headers).items() for value in values)


def _grouped(headers: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in headers:
        found.setdefault(name, []).append(value)
    return dict(sorted(found.items()))


def _interaction(call: Traffic) -> dict[str, Any]:
    status = call.status or 0
    return {
        "request": {
            "body": _body(call.request_body),
            "headers": _grouped(call.request_headers),
            "method": call.method,
            "uri": call.url,
        },
        "response": {
            "body": {"string": _body(call.response_body or b"")},
            "headers": _grouped(call.response_headers),
            "status": {"code": status, "message": phrase(status)},
        },
    }


def _body(body: bytes | None) -> str | bytes | None:
    """A text where it is one, as vcrpy stores it."""
    try:
        return None if body is None else body.decode()
    except UnicodeDecodeError:
        return body


VCR = Writer(
    name="vcr",
    write=write_vcr,
    suffix=".yaml",
    used="vcrpy, pytest-recording",
    kept="model exchanges, MCP over HTTP and other HTTP as they were or would be on the wire, in order",
    lost="times, nesting, agents, tool runs and side effects, calls without an answer",
)
