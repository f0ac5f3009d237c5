"""Records as HTTP traffic: what a capture of the run would hold of them."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from http.client import responses
from typing import TypeVar
from urllib.parse import quote, urlsplit

import msgspec

from runwright.dialects import DIALECTS, Body, Dialect, addressed, dialect_for_path, parse_stream_body
from runwright.dialects.exact import compact, exact_loads
from runwright.errors import DialectError
from runwright.secrets.shortened import shortened
from runwright.trace import (
    JSON,
    HttpBody,
    HttpRecord,
    McpRecord,
    ModelError,
    ModelRecord,
    ModelResponse,
    Record,
    Trace,
    lane_of,
)
from runwright.writers.writing import Writing

Headers = tuple[tuple[str, str], ...]
Answer = tuple[int, Headers, bytes]

HOSTS = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com"}
"""Where an exchange goes whose address the trace does not know; of other providers, a host that is none."""

CHAT = "openai.chat_completions"
MESSAGES, MODEL, CONTENT = "$.request.messages", "$.request.model", "$.response.content"
JSON_BODY: Headers = (("content-type", "application/json"),)
EVENTS: Headers = (("content-type", "text/event-stream; charset=utf-8"),)
OK, ACCEPTED, FAILED = 200, 202, 500
UNSAID = "what was said across the run's boundary is found anew in the model exchanges"


class Traffic(msgspec.Struct, frozen=True, kw_only=True):
    """One HTTP call; `status` is None where it was not answered.

    `record` is what it was made from, and `held` what a reader finds in it, without place and times.
    """

    record: Record
    held: Record
    method: str
    url: str
    request_headers: Headers = ()
    request_body: bytes | None = None
    status: int | None = None
    response_headers: Headers = ()
    response_body: bytes | None = None
    error: str | None = None


def phrase(status: int) -> str:
    """The words for a status; none for one that nobody knows."""
    return responses.get(status, "")


def traffic(trace: Trace, writing: Writing) -> Iterator[Traffic]:
    """The calls of a run, in line order; what never went over HTTP is left out, which is told."""
    for number, record in enumerate(trace.records):
        call = None
        if isinstance(record, ModelRecord):
            call = _model(record, writing)
        elif isinstance(record, HttpRecord):
            call = _http(record, writing)
        elif isinstance(record, McpRecord) and record.transport == "http" and record.direction == "client":
            call = _mcp(record, number, writing)
        elif lane_of(record) == "message":
            writing.leave_out(record, UNSAID)
        else:
            writing.leave_out(record, f"{lane_of(record)} records that are no HTTP have no place in it")
        if call is not None:
            yield call


Placed = TypeVar("Placed", bound=Record)


def unplaced(record: Placed) -> Placed:
    """A record without what says where in the run it stands."""
    return msgspec.structs.replace(
        record, parent=None, agent=None, t=None, duration=None, after=(), after_inferred=(), ext={}
    )


# --- model exchanges -----------------------------------------------------------------------------


def _model(record: ModelRecord, writing: Writing) -> Traffic | None:
    dialect = DIALECTS.get(record.request.api)
    if dialect is None:
        writing.leave_out(record, f"the wire form of {record.request.api} is not known")
    elif record.fidelity == "none" or {MESSAGES, MODEL} & set(record.unknown):
        writing.leave_out(record, "exchanges whose request is not known have no wire form")
    else:
        try:
            return _exchange(record, dialect)
        except (DialectError, ValueError) as error:
            writing.leave_out(record, f"{record.request.api} cannot hold it: {shortened(str(error), 200)}")
    return None


def _exchange(record: ModelRecord, dialect: Dialect) -> Traffic:
    url = _url(record, dialect)
    body = {**dialect.encode_request(record.request, bool(record.streamed)), **_options(record)}
    request, streamed = dialect.decode_request(addressed(dialect, urlsplit(url).path, _sent(body)))
    held = msgspec.structs.replace(
        unplaced(record), request=request, streamed=streamed, fidelity="raw", unknown=(), reconstructed=(), adopted=()
    )
    held, answer = _answered(record, held, dialect, body)
    kept = {"url": url} if record.ext.get("url") == url else {}
    return Traffic(
        record=record,
        held=msgspec.structs.replace(held, ext=kept),
        method="POST",
        url=url,
        request_headers=JSON_BODY,
        request_body=compact(body),
        status=answer[0] if answer else None,
        response_headers=answer[1] if answer else (),
        response_body=answer[2] if answer else None,
    )


def _options(record: ModelRecord) -> Body:
    """A stream of Chat Completions that ends with its usage was asked to; the trace itself has no such field."""
    counted = record.response is not None and record.response.usage is not None
    asked = counted and bool(record.streamed) and record.request.api == CHAT
    return {"stream_options": {"include_usage": True}} if asked else {}


def _answered(
    record: ModelRecord, held: ModelRecord, dialect: Dialect, body: Body
) -> tuple[ModelRecord, Answer | None]:
    """What is held of the answer, and the answer; None where the trace has none that is whole."""
    error, response = record.error, record.response
    if error is not None:
        if record.streamed and error.status == OK and dialect.encode_break is not None:
            events = b"".join(dialect.encode_break(response, error, body, record.chunks))
            return _streamed(held, dialect, events), (OK, EVENTS, events)
        return _failed(held, dialect, error)
    if response is None or CONTENT in record.unknown:
        nothing = msgspec.structs.replace(held, response=None, chunks=None, fidelity="partial", unknown=(CONTENT,))
        return nothing, None
    if record.streamed:
        events = b"".join(dialect.encode_stream(response, body, record.chunks))
        return _streamed(held, dialect, events), (OK, EVENTS, events)
    answer = dialect.encode_response(response, record.request)
    found = dialect.decode_response(_sent(answer))
    return msgspec.structs.replace(held, response=found, chunks=None), (OK, JSON_BODY, compact(answer))


def _streamed(held: ModelRecord, dialect: Dialect, events: bytes) -> ModelRecord:
    """The exchange as its events tell it, whole or broken off with an error."""
    values = parse_stream_body(events.decode()).values
    broke = next((at for at, event in enumerate(values) if dialect.is_break(event)), None)
    response, chunks = dialect.decode_stream(values[:broke])
    error = None if broke is None else dialect.decode_error(OK, values[broke])
    began = error is None or response != ModelResponse()
    return msgspec.structs.replace(
        held, response=response if began else None, chunks=chunks if began else None, error=error, streamed=True
    )


def _failed(held: ModelRecord, dialect: Dialect, error: ModelError) -> tuple[ModelRecord, Answer]:
    status, body = dialect.encode_error(error)
    status = status if status in range(400, 600) else FAILED
    waits = "" if error.retry_after is None else str(error.retry_after)
    waits = waits if waits.replace(".", "", 1).isdigit() else ""
    found = msgspec.structs.replace(
        dialect.decode_error(status, _sent(body)), retry_after=float(waits) if waits else None
    )
    headers = (*JSON_BODY, *((("retry-after", waits),) if waits else ()))
    return msgspec.structs.replace(held, response=None, chunks=None, error=found), (status, headers, compact(body))


def _url(record: ModelRecord, dialect: Dialect) -> str:
    """The address that the trace knows, or the provider's own."""
    known = record.ext.get("url")
    if isinstance(known, str) and _is_called_at(known, dialect):
        return known
    suffix = dialect.stream_path if record.streamed and dialect.stream_path else dialect.path
    host = HOSTS.get(record.request.provider or dialect.provider, f"https://{dialect.provider}.invalid")
    return host + suffix.replace("{model}", quote(record.request.model, safe=""))


def _is_called_at(url: str, dialect: Dialect) -> bool:
    try:
        return dialect_for_path(urlsplit(url).path) is dialect
    except ValueError:
        return False


def _sent(body: Body) -> Body:
    """The body as it arrives; ValueError where it nests too deep to be read again."""
    found = exact_loads(compact(body))
    return found if isinstance(found, dict) else {}


# --- MCP and plain HTTP --------------------------------------------------------------------------


def _mcp(record: McpRecord, number: int, writing: Writing) -> Traffic | None:
    url = f"http://{record.server}/mcp"
    asked: Body = {"jsonrpc": "2.0", "method": record.method}
    asked |= {} if record.params is None else {"params": record.params}
    asked |= {} if record.notification else {"id": number}
    answer = None if record.notification or "$.result" in record.unknown else _mcp_answer(record, number)
    try:
        netloc = urlsplit(url).netloc
        for each in (asked, answer or {}):
            _sent(each)
    except ValueError as error:
        writing.leave_out(record, f"it has no form on the wire: {shortened(str(error), 200)}")
        return None
    whole = record.notification or answer is not None
    held = msgspec.structs.replace(
        unplaced(record),
        server=netloc,
        result=answer.get("result") if answer else None,
        error=record.error if answer else None,
        call_id=None,
        fidelity="raw" if whole else "partial",
        unknown=() if whole else ("$.result",),
    )
    return Traffic(
        record=record,
        held=held,
        method="POST",
        url=url,
        request_headers=JSON_BODY,
        request_body=compact(asked),
        status=OK if answer else ACCEPTED,
        response_headers=JSON_BODY if answer else (),
        response_body=compact(answer) if answer else b"",
    )


def _mcp_answer(record: McpRecord, number: int) -> Body:
    error = record.error
    if error is None:
        return {"jsonrpc": "2.0", "id": number, "result": record.result}
    told: dict[str, JSON] = {"code": error.code, "message": error.message}
    told |= {} if error.data is None else {"data": error.data}
    return {"jsonrpc": "2.0", "id": number, "error": told}


def _http(record: HttpRecord, writing: Writing) -> Traffic:
    request, response = record.request, record.response
    answered = response is not None and response.status in range(100, 600)
    sent, got = _bytes(request.body), _bytes(response.body) if response and answered else None
    request_headers = _true(request.headers, request.body)
    response_headers = _true(response.headers, response.body) if response and answered else ()
    method = (request.method or "GET").upper()
    if method == "POST" and _reads_otherwise(request.url, sent or b""):
        detail = "HTTP calls with the address or the form of a model call or of MCP may be read as such"
        writing.lose("inexact", detail, record.id, "$.lane")
    held = msgspec.structs.replace(
        unplaced(record),
        request=msgspec.structs.replace(
            request, method=method, headers=request_headers, body=_read(sent, request_headers)
        ),
        response=msgspec.structs.replace(response, headers=response_headers, body=_read(got, response_headers))
        if response and answered
        else None,
        error=None if answered else record.error,
        fidelity="raw" if answered or record.error is not None else "partial",
        unknown=() if answered or record.error is not None else ("$.response",),
    )
    return Traffic(
        record=record,
        held=held,
        method=method,
        url=request.url,
        request_headers=request_headers,
        request_body=sent,
        status=response.status if response and answered else None,
        response_headers=response_headers,
        response_body=got,
        error=None if answered else record.error,
    )


def _reads_otherwise(url: str, body: bytes) -> bool:
    try:
        path = urlsplit(url).path
    except ValueError:
        path = ""
    return b'"jsonrpc"' in body or dialect_for_path(path) is not None


def _bytes(body: HttpBody | None) -> bytes | None:
    if body is None or (body.text is None and body.base64 is None):
        return None
    return body.text.encode() if body.text is not None else base64.b64decode(body.base64 or "")


def _true(headers: Headers, body: HttpBody | None) -> Headers:
    """The headers without the encoding of a body that is kept expanded."""
    if body is None or body.text is None:
        return headers
    return tuple(each for each in headers if each[0].lower() != "content-encoding")


def _read(body: bytes | None, headers: Headers) -> HttpBody | None:
    """How a body is read again; one that is still encoded may be read expanded or not, which is told as nothing."""
    if body is None or any(name.lower() == "content-encoding" for name, _ in headers):
        return None
    try:
        return HttpBody(text=body.decode())
    except UnicodeDecodeError:
        return HttpBody(base64=base64.b64encode(body).decode())
