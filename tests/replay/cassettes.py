"""Cassettes written by hand, and a replay of one with the real matcher behind the real server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from runwright.dialects import DIALECTS
from runwright.match import Matcher
from runwright.replay import ReplayServer, ReplaySession
from runwright.trace.model import Header, ModelRecord, Trace

CHAT = DIALECTS["openai.chat_completions"]
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def exchange(number, body, reply=None, *, error=None, chunks=None, dialect=CHAT) -> ModelRecord:
    """A recorded exchange from wire bodies."""
    request, streamed = dialect.decode_request(body)
    return ModelRecord(
        id=f"m{number}",
        request=request,
        response=None if reply is None else dialect.decode_response(reply),
        error=None if error is None else dialect.decode_error(*error),
        streamed=streamed,
        chunks=chunks,
        fidelity="raw",
    )


def body(text, *, model="gpt-4o", **fields):
    return {"model": model, "messages": [{"role": "user", "content": text}], **fields}


def reply(text=None, *, calls=(), number=1):
    message = {"role": "assistant", "content": text, "refusal": None}
    if calls:
        message["tool_calls"] = list(calls)
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop", "logprobs": None}
    usage = {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 7,
        "model": "gpt-4o-2024-08-06",
        "choices": [choice],
        "usage": usage,
    }


def call(id_, name, arguments):
    return {"id": id_, "type": "function", "function": {"name": name, "arguments": arguments}}


def cassette(*records) -> Trace:
    header = Header(kind="cassette", trace_id="t", started_at="2026-01-01T00:00:00Z", duration=1.0)
    return Trace(header=header, records=records)


def matcher_of(trace: Trace) -> Matcher:
    return Matcher(trace, flag=lambda _: [], live_window=lambda: (NOW, NOW))


def session_of(trace: Trace, clean=str) -> ReplaySession:
    return ReplaySession(trace, matcher_of(trace), clean=clean)


@contextmanager
def replayed(*records, clean=str, **options) -> Iterator[tuple[ReplaySession, str]]:
    """The session and the server's origin, while it serves these exchanges."""
    session = session_of(cassette(*records), clean)
    with ReplayServer(session, clean=clean, **options) as server:
        yield session, server.base_url
