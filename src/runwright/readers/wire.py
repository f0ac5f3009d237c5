"""Captured HTTP traffic as records: model exchanges where a dialect knows the API, MCP messages, else HTTP."""

from __future__ import annotations

import base64
import gzip
import io
import zlib
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

import msgspec

from runwright.dialects import Dialect, addressed, dialect_for_path
from runwright.errors import DialectError
from runwright.readers.answered import unanswered, with_events, with_stream
from runwright.readers.bodies import decoded_request
from runwright.readers.exact import NotJson
from runwright.readers.reading import Reading
from runwright.secrets.shortened import shortened
from runwright.trace.model import (
    JSON,
    HttpBody,
    HttpRecord,
    HttpRequest,
    HttpResponse,
    McpError,
    McpRecord,
    ModelRecord,
    Record,
)

EXPANDED = 64 * 1024 * 1024
"""Bytes that a compressed body may become: beyond it is a bomb, and the body is kept as it is."""

Headers = tuple[tuple[str, str], ...]


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One HTTP call as a capture shows it. Bodies are as they came, undecoded; None where none was captured.

    `status` is None where there was no answer. `cut` names the sides whose body the capture shortened.
    """

    method: str
    url: str
    request_headers: Headers = ()
    request_body: bytes | None = None
    status: int | None = None
    response_headers: Headers = ()
    response_body: bytes | None = None
    error: str | None = None
    cut: tuple[str, ...] = ()


class Read(NamedTuple):
    """The records of a call, and whether its answer stops before its end."""

    records: tuple[Record, ...]
    cut: bool = False


def records_of(call: Call, reading: Reading, where: str) -> Read:
    """What a call was: a model exchange, MCP messages, or plain HTTP. What cannot be represented is told, and kept."""
    path = _split(call.url).path
    dialect = dialect_for_path(path) if call.method.upper() == "POST" else None
    if dialect is not None:
        try:
            return _model(call, dialect, reading, where)
        except (DialectError, NotJson) as error:
            reading.lose("not_representable", f"{dialect.api}: {shortened(str(error), 300)}", where)
    messages = _mcp(call, reading, where) if dialect is None else ()
    return Read(messages or (_http(call),))


def decoded(body: bytes, headers: Headers) -> bytes:
    """The body without its content encoding; as it is where that is unknown, wrong, or absurdly large."""
    for encoding in reversed(_header(headers, "content-encoding").lower().split(",")):
        body = _expanded(body, encoding.strip())
    return body


def _expanded(body: bytes, encoding: str) -> bytes:
    if encoding not in ("gzip", "x-gzip", "deflate"):
        return body
    try:
        if encoding == "deflate":
            bits = zlib.MAX_WBITS if body[:1] == b"x" else -zlib.MAX_WBITS
            unpacking = zlib.decompressobj(bits)
            expanded = unpacking.decompress(body, EXPANDED + 1)
            if not unpacking.eof and len(expanded) <= EXPANDED:
                return body  # no deflate stream, or none that ends
        else:
            with gzip.GzipFile(fileobj=io.BytesIO(body)) as packed:
                expanded = packed.read(EXPANDED + 1)
    except (OSError, EOFError, zlib.error):
        return body  # captures often keep the header of a body that they have expanded already
    return body if len(expanded) > EXPANDED else expanded


# --- model exchanges -----------------------------------------------------------------------------


def _model(call: Call, dialect: Dialect, reading: Reading, where: str) -> Read:
    asked = _json(decoded(call.request_body or b"", call.request_headers), reading, where)
    if not isinstance(asked, dict):
        raise NotJson("the request has no JSON object as its body")
    request, stream = decoded_request(addressed(dialect, urlsplit(call.url).path, asked), dialect)
    ext: dict[str, JSON] = {"url": call.url, "source": where}
    record = ModelRecord(id="", request=request, streamed=stream, fidelity="raw", ext=ext)
    if "request" in call.cut:
        raise NotJson("the capture cut the request short")
    body = decoded(call.response_body or b"", call.response_headers)
    if call.status is None or (not body and call.status < 400):
        reading.lose("not_captured", call.error or "the answer has no body in the capture", where)
        return Read((unanswered(record),), cut=False)
    if call.status >= 400:
        return Read((_failed(record, call, dialect, body, reading, where),))
    if _is_stream(call, body):
        found, cut = with_stream(record, dialect, body.decode("utf-8", "replace"))
        return Read((found,), cut or "response" in call.cut)
    answer = _json(body, reading, where)
    if stream and isinstance(answer, list) and all(isinstance(each, dict) for each in answer):
        found, cut = with_events(record, dialect, [each for each in answer if isinstance(each, dict)], done=False)
        return Read((found,), cut or "response" in call.cut)
    if not isinstance(answer, dict):
        raise NotJson("the answer is no JSON object")
    return Read((msgspec.structs.replace(record, response=dialect.decode_response(answer)),))


def _failed(
    record: ModelRecord, call: Call, dialect: Dialect, body: bytes, reading: Reading, where: str
) -> ModelRecord:
    try:
        told = _json(body, reading, where)
    except NotJson:
        told = body.decode("utf-8", "replace")
    error = dialect.decode_error(call.status, told)
    waits = _header(call.response_headers, "retry-after")
    if waits.replace(".", "", 1).isdigit():
        error = msgspec.structs.replace(error, retry_after=float(waits))
    return msgspec.structs.replace(record, error=error)


def _is_stream(call: Call, body: bytes) -> bool:
    kind = _header(call.response_headers, "content-type")
    return "event-stream" in kind or body.lstrip()[:6] in (b"data: ", b"event:") or body[:5] == b"data:"


# --- MCP and plain HTTP --------------------------------------------------------------------------


def _mcp(call: Call, reading: Reading, where: str) -> tuple[Record, ...]:
    """JSON-RPC messages over HTTP; none where the body is something else."""
    body = decoded(call.request_body or b"", call.request_headers)
    if call.method.upper() != "POST" or b'"jsonrpc"' not in body:
        return ()
    try:
        asked = _json(body, reading, where)
    except NotJson:
        return ()
    answers = {_id(each): each for each in _answers(call, reading, where)}
    asked_list = asked if isinstance(asked, list) else [asked]
    return tuple(_mcp_record(each, answers, call) for each in asked_list if isinstance(each, dict) and "method" in each)


def _mcp_record(message: dict[str, JSON], answers: dict[str, dict[str, JSON]], call: Call) -> McpRecord:
    answer = answers.get(_id(message), {})
    error = answer.get("error")
    notification = "id" not in message
    known = notification or bool(answer)
    code = error.get("code") if isinstance(error, dict) else None
    return McpRecord(
        id="",
        server=_split(call.url).netloc,
        method=str(message["method"]),
        transport="http",
        params=message.get("params"),
        result=answer.get("result"),
        error=McpError(
            code=code if isinstance(code, int) else 0,
            message=str(error.get("message", "")),
            data=error.get("data"),
        )
        if isinstance(error, dict)
        else None,
        notification=notification,
        fidelity="raw" if known else "partial",
        unknown=() if known else ("$.result",),
    )


def _answers(call: Call, reading: Reading, where: str) -> Iterator[dict[str, JSON]]:
    body = decoded(call.response_body or b"", call.response_headers)
    if not body:
        return
    texts = [body]
    if _is_stream(call, body):
        texts = [line[5:].strip() for line in body.split(b"\n") if line.startswith(b"data:")]
    for text in texts:
        try:
            value = _json(text, reading, where)
        except NotJson:
            continue
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict) and ("result" in each or "error" in each):
                yield each


def _id(message: dict[str, JSON]) -> str:
    return repr(message.get("id"))


def _http(call: Call) -> HttpRecord:
    request = HttpRequest(
        method=call.method,
        url=call.url,
        headers=call.request_headers,
        body=_body(call.request_body, call.request_headers, "request" in call.cut),
    )
    response = None
    if call.status is not None:
        response = HttpResponse(
            status=call.status,
            headers=call.response_headers,
            body=_body(call.response_body, call.response_headers, "response" in call.cut),
        )
    whole = response is not None or call.error is not None
    return HttpRecord(
        id="",
        request=request,
        response=response,
        error=call.error if response is None else None,
        fidelity="raw" if whole and not call.cut else "partial",
        unknown=() if whole else ("$.response",),
    )


def _body(body: bytes | None, headers: Headers, cut: bool) -> HttpBody | None:
    if body is None:
        return None
    plain = decoded(body, headers)
    try:
        return HttpBody(text=plain.decode("utf-8"), truncated=cut)
    except UnicodeDecodeError:
        return HttpBody(base64=base64.b64encode(body).decode(), truncated=cut)


def _json(body: bytes, reading: Reading, where: str) -> JSON:
    return reading.json(body, where)


def _split(url: str) -> SplitResult:
    """The parts of a URL; of one that is none, no parts."""
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def _header(headers: Headers, name: str) -> str:
    return next((value for key, value in headers if key.lower() == name), "")
