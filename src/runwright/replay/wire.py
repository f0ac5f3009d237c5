"""HTTP answers as values: status, headers and body pieces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runwright.dialects import Body, Dialect
from runwright.dialects.exact import compact
from runwright.errors import DialectError
from runwright.replay.miss import MISS_TYPE, LiveMiss
from runwright.trace.model import JSON, ModelRecord

_JSON = (b"content-type", b"application/json")
_EVENTS = (b"content-type", b"text/event-stream; charset=utf-8")
_AT_ONCE = ((b"retry-after", b"0"), (b"retry-after-ms", b"1"))
"""A client that retries does so at once; the official SDKs take 0 milliseconds for "not said" and back off."""

_NEVER = (b"x-should-retry", b"false")
_OK = 200
_ERRORS = range(400, 600)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer to write; a body of several pieces is streamed piece by piece."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    pieces: tuple[bytes, ...]


def reply_of(dialect: Dialect, served: ModelRecord, live_body: Body, split: int | None) -> Reply:
    """The served record on the wire: its error, its stream or its body. DialectError where it has no form there."""
    if served.error is not None and served.streamed and served.error.status == _OK and dialect.encode_break is not None:
        return _stream(dialect.encode_break(served.response, served.error, live_body, served.chunks), split)
    if served.error is not None:
        status, body = dialect.encode_error(served.error)
        return _json(status if status in _ERRORS else 500, body, _AT_ONCE)
    if served.response is None:
        raise DialectError("the recorded exchange has neither a response nor an error")
    if not served.streamed:
        return _json(_OK, dialect.encode_response(served.response, served.request))
    return _stream(dialect.encode_stream(served.response, live_body, served.chunks), split)


def _stream(events: Iterable[bytes], split: int | None) -> Reply:
    pieces = tuple(events)
    return Reply(_OK, (_EVENTS, (b"cache-control", b"no-cache")), pieces if split is None else recut(pieces, split))


def recut(pieces: Sequence[bytes], size: int) -> tuple[bytes, ...]:
    """The same bytes in pieces of `size`, wherever that cuts."""
    whole = b"".join(pieces)
    return tuple(whole[at : at + size] for at in range(0, len(whole), size))


def reply_of_miss(miss: LiveMiss, text: str) -> Reply:
    """The refusal that an SDK shows its caller and does not retry."""
    error: JSON = {"message": text, "type": MISS_TYPE, "param": None, "code": miss.kind}
    body: Body = {"type": "error", "error": error}
    return _json(miss.status, body, (_NEVER,))


def reply_of_models(models: Sequence[str]) -> Reply:
    """The model list: the models of the cassette and no others, in the words of every API at once."""
    data: list[JSON] = list(map(_model, models))
    ends: Body = {"first_id": models[0], "last_id": models[-1]} if models else {"first_id": None, "last_id": None}
    return _json(_OK, {"object": "list", "data": data, "has_more": False, **ends})


def _model(name: str) -> JSON:
    openai: Body = {"object": "model", "created": 0, "owned_by": "runwright-replay"}
    anthropic: Body = {"type": "model", "display_name": name, "created_at": "1970-01-01T00:00:00Z"}
    return {"id": name, **openai, **anthropic}


def _json(status: int, body: Body, headers: Sequence[tuple[bytes, bytes]] = ()) -> Reply:
    raw = compact(body)
    length = (b"content-length", str(len(raw)).encode())
    return Reply(status, (_JSON, length, *headers), (raw,))
