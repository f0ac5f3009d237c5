"""API probes as HTTP records. What was asked is stored; of the answer only that it was as expected."""

from __future__ import annotations

from collections.abc import Mapping

from runwright.dialects.exact import compact
from runwright.dialects.fields import object_at, text_at
from runwright.readers.reading import Reading
from runwright.trace.model import JSON, HttpBody, HttpRecord, HttpRequest, HttpResponse


def is_probe(action: Mapping[str, JSON]) -> bool:
    """Whether an action asks an HTTP API and looks at the answer."""
    params = action.get("params")
    return action.get("type") == "assert" and isinstance(params, dict) and params.get("kind") == "api"


def probe_record(action: Mapping[str, JSON], place: str, reading: Reading) -> HttpRecord:
    """The probe, without its id. A trace is written only where each expectation held, so the status was the one."""
    params = object_at(action.get("params"), f"{place}: $.action.params")
    here = f"{place}: $.action.params.request"
    request = object_at(params.get("request"), here)
    expected: dict[str, JSON] = {key: value for key, value in params.items() if key not in ("kind", "request")}
    status = expected.get("status")
    known = isinstance(status, int) and not isinstance(status, bool)
    reading.lose("not_captured", "the answer to an API probe, but for the status that it was expected to have", place)
    return HttpRecord(
        id="",
        request=HttpRequest(
            method=text_at(request.get("method"), f"{here}.method"),
            url=text_at(request.get("url"), f"{here}.url"),
            headers=_headers(request.get("headers", {}), f"{here}.headers"),
            body=_body(request),
        ),
        response=HttpResponse(status=status) if known and isinstance(status, int) else None,
        fidelity="partial",
        unknown=("$.response.headers", "$.response.body") if known else ("$.response",),
        ext={"expected": expected} if expected else {},
    )


def _headers(value: JSON, place: str) -> tuple[tuple[str, str], ...]:
    return tuple((name, text_at(each, f"{place}.{name}")) for name, each in object_at(value, place).items())


def _body(request: Mapping[str, JSON]) -> HttpBody | None:
    """The body as it is sent: a text as it is, everything else as JSON."""
    if request.get("body") is None:
        return None
    body = request["body"]
    return HttpBody(text=body if isinstance(body, str) else compact(body).decode())
