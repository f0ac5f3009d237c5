"""Captured HTTP traffic: what a dialect knows is a model exchange, JSON-RPC is MCP, the rest stays HTTP."""

from __future__ import annotations

import gzip
import json
import zlib

import pytest

from runwright.readers.reading import Reading
from runwright.readers.wire import EXPANDED, Call, decoded, records_of
from runwright.trace.model import HttpRecord, McpRecord, ModelRecord, Record, text_of

URL = "https://api.openai.com/v1/chat/completions"
ASKED = {"model": "gpt-5", "messages": [{"role": "user", "content": "hi"}]}
ANSWER = {
    "id": "r1",
    "object": "chat.completion",
    "model": "gpt-5",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "hello"}}],
}
STREAM = (
    'data: {"id":"r1","object":"chat.completion.chunk","model":"gpt-5","choices":[{"index":0,"delta":{"content":"hel"}'
    "}]}\n\n"
    'data: {"id":"r1","object":"chat.completion.chunk","model":"gpt-5","choices":[{"index":0,"delta":{"content":"lo"},'
    '"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
)
JSON_TYPE = (("Content-Type", "application/json"),)


def call(**more: object) -> Call:
    given = {
        "method": "POST",
        "url": URL,
        "request_headers": JSON_TYPE,
        "request_body": json.dumps(ASKED).encode(),
        "status": 200,
        "response_headers": JSON_TYPE,
        "response_body": json.dumps(ANSWER).encode(),
    }
    return Call(**{**given, **more})  # type: ignore[arg-type]


def only(of: Call, reading: Reading | None = None) -> Record:
    read = records_of(of, reading or Reading(), "capture:1")
    (record,) = read.records
    return record


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        (JSON_TYPE, json.dumps(ANSWER).encode()),
        ((*JSON_TYPE, ("content-encoding", "gzip")), gzip.compress(json.dumps(ANSWER).encode())),
        ((*JSON_TYPE, ("Content-Encoding", "deflate")), zlib.compress(json.dumps(ANSWER).encode())),
        ((*JSON_TYPE, ("Content-Encoding", "gzip")), json.dumps(ANSWER).encode()),
        ((*JSON_TYPE, ("Content-Encoding", "deflate")), json.dumps(ANSWER).encode()),
        ((*JSON_TYPE, ("Content-Encoding", "deflate")), zlib.compress(json.dumps(ANSWER).encode())[2:-4]),
        ((("content-type", "text/event-stream; charset=utf-8"),), STREAM.encode()),
        ((), STREAM.encode()),
    ],
    ids=[
        "plain",
        "gzip",
        "deflate",
        "expanded by the capture",
        "expanded, said to be deflated",
        "raw deflate",
        "stream",
        "stream without a type",
    ],
)
def test_a_model_call_is_an_exchange(headers: tuple[tuple[str, str], ...], body: bytes) -> None:
    record = only(call(response_headers=headers, response_body=body))
    assert isinstance(record, ModelRecord)
    assert record.response is not None
    assert text_of(record.response.content) == "hello"
    assert record.fidelity == "raw"
    assert record.ext == {"url": URL, "source": "capture:1"}


def test_a_deployment_in_the_url_is_the_model_of_a_body_without_one() -> None:
    body = json.dumps({**ASKED, "model": None}).encode()
    url = "https://ours.openai.azure.com/openai/deployments/ours/chat/completions?api-version=2024-06-01"
    record = only(call(url=url, request_body=body))
    assert isinstance(record, ModelRecord)
    assert record.request.model == "ours"


def test_a_gemini_stream_may_be_one_list() -> None:
    url = "https://generativelanguage.googleapis.com/v1beta/models/gemini-x:streamGenerateContent"
    pieces = [
        {"candidates": [{"content": {"role": "model", "parts": [{"text": "hel"}]}}]},
        {"candidates": [{"content": {"role": "model", "parts": [{"text": "lo"}]}, "finishReason": "STOP"}]},
    ]
    body = json.dumps({"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}).encode()
    reading = Reading()
    for answer, cut in ((pieces, False), (pieces[:1], True)):
        read = records_of(call(url=url, request_body=body, response_body=json.dumps(answer).encode()), reading, "1")
        [record] = read.records
        assert isinstance(record, ModelRecord)
        assert (record.request.model, record.streamed, read.cut) == ("gemini-x", True, cut)
        assert record.response is not None
        assert record.chunks == ((0, 3), (0, 2))[: len(answer)]
        assert record.fidelity == ("partial" if cut else "raw")


def test_a_stream_that_breaks_off_is_partial_and_said_to_be_cut() -> None:
    body = STREAM.split("\n\n")[0].encode() + b"\n\n"
    read = records_of(call(response_headers=(), response_body=body), Reading(), "capture:1")
    (record,) = read.records
    assert isinstance(record, ModelRecord)
    assert (read.cut, record.fidelity, record.unknown) == (True, "partial", ("$.response.content",))


def test_a_refusal_is_an_error_with_its_body_and_its_wait() -> None:
    body = json.dumps({"error": {"message": "slow down", "type": "rate_limit"}}).encode()
    record = only(call(status=429, response_headers=(("Retry-After", "7"),), response_body=body))
    assert isinstance(record, ModelRecord)
    assert record.error is not None
    assert (record.error.status, record.error.message, record.error.retry_after) == (429, "slow down", 7.0)


@pytest.mark.parametrize("more", [{"status": None, "response_body": None}, {"response_body": None}])
def test_an_answer_that_was_not_captured_is_unknown_and_never_empty(more: dict[str, object]) -> None:
    reading = Reading()
    record = only(call(**more), reading)
    assert isinstance(record, ModelRecord)
    assert record.response is None
    assert record.unknown == ("$.response.content",)
    assert [loss.kind for loss in reading.losses()] == ["not_captured"]


@pytest.mark.parametrize(
    "more",
    [
        {"request_body": b"not json"},
        {"request_body": b"[]"},
        {"request_body": json.dumps({**ASKED, "messages": [{"role": "ghost", "content": "x"}]}).encode()},
        {"response_body": b"<html>"},
        {"response_body": b"[]"},
        {"cut": ("request",)},
    ],
    ids=["no json", "no object", "a role that is none", "html", "a list", "cut"],
)
def test_what_no_dialect_can_hold_stays_http_and_is_told(more: dict[str, object]) -> None:
    reading = Reading()
    record = only(call(**more), reading)
    assert isinstance(record, HttpRecord)
    assert [loss.kind for loss in reading.losses()] == ["not_representable"]


def test_other_traffic_stays_http() -> None:
    record = only(call(method="GET", url="https://shop.example/orders/1", request_body=None, response_body=b"\xff\x00"))
    assert isinstance(record, HttpRecord)
    assert record.response is not None
    assert record.response.body is not None
    assert (record.response.body.text, record.response.body.base64) == (None, "/wA=")


def test_a_url_that_is_none_is_kept_as_it_is() -> None:
    record = only(call(url="http://[::1/v1/chat/completions"))
    assert isinstance(record, HttpRecord)
    assert record.request.url == "http://[::1/v1/chat/completions"


def test_json_rpc_is_mcp() -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "look_up"}}).encode()
    answer = b'event: message\ndata: {"jsonrpc":"2.0","id":4,"result":{"content":[]}}\n\n'
    record = only(call(url="http://127.0.0.1:9/mcp", request_body=body, response_body=answer, response_headers=()))
    assert isinstance(record, McpRecord)
    assert (record.server, record.method, record.result, record.unknown) == (
        "127.0.0.1:9",
        "tools/call",
        {"content": []},
        (),
    )
    told = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode()
    note = only(call(url="http://127.0.0.1:9/mcp", request_body=told, status=202, response_body=b""))
    assert isinstance(note, McpRecord)
    assert (note.notification, note.unknown) == (True, ())
    lone = only(call(url="http://127.0.0.1:9/mcp", request_body=body, status=202, response_body=b""))
    assert isinstance(lone, McpRecord)
    assert lone.unknown == ("$.result",)


def test_a_bomb_stays_packed() -> None:
    bomb = gzip.compress(b"\0" * (EXPANDED + 2))
    assert decoded(bomb, (("content-encoding", "gzip"),)) == bomb
    flat = zlib.compress(b"\0" * (EXPANDED + 2))
    assert decoded(flat, (("content-encoding", "deflate"),)) == flat
