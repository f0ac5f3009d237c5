"""Real Chat Completions traffic: every body is read and comes back, or is refused for a reason counted here."""

from __future__ import annotations

from collections import Counter

from runwright.dialects import DIALECTS, parse_stream_body
from runwright.errors import DialectError
from runwright.trace.model import ModelRequest
from tests.dialects.vcr_samples import body_of, interactions_at

CHAT = DIALECTS["openai.chat_completions"]


def read_request(body) -> str:
    request, streamed = CHAT.decode_request(body)
    assert CHAT.decode_request(CHAT.encode_request(request, streamed)) == (request, streamed)
    return "request"


def read_answer(body) -> str:
    if isinstance(body, str):
        stream = parse_stream_body(body)
        response, chunks = CHAT.decode_stream(stream.values)
        again = parse_stream_body(b"".join(CHAT.encode_stream(response, {}, chunks)))
        same, cuts = CHAT.decode_stream(again.values)
        assert (same.content, cuts) == (response.content, chunks)
        return "stream" if stream.done else "cut stream"
    if "error" in body:
        assert CHAT.encode_error(CHAT.decode_error(400, body)) == (400, body)
        return "error"
    response = CHAT.decode_response(body)
    request = ModelRequest(api="openai.chat_completions", model="m")
    assert CHAT.decode_response(CHAT.encode_response(response, request)).content == response.content
    return "response"


def test_every_recorded_body():
    read, refused = Counter(), Counter()
    for each in interactions_at("/chat/completions"):
        for side, reader in ((each["request"], read_request), (each["response"], read_answer)):
            try:
                read[reader(body_of(side))] += 1
            except DialectError as error:
                refused[str(error)] += 1
    assert read == {"request": 100, "response": 65, "stream": 44}
    assert refused == {
        "$.model: expected a string, found null": 9,  # the model is part of these servers' URL
        "$.n: expected 1, found 2: several choices cannot be represented": 1,
        "chunk 2: $.choices[0].index: expected 0, found 1": 1,
    }
