"""Real Messages traffic: every body is read and comes back, or is refused for a reason counted here."""

from __future__ import annotations

import json
from collections import Counter

from runwright.dialects import DIALECTS, parse_stream_body
from runwright.errors import DialectError
from runwright.trace.model import ModelRequest
from tests.dialects.vcr_samples import body_of, interactions_at
from tests.samples import samples_dir

MESSAGES = DIALECTS["anthropic.messages"]
REQUEST = ModelRequest(api="anthropic.messages", model="m")


def read_request(body) -> str:
    request, streamed = MESSAGES.decode_request(body)
    again = MESSAGES.encode_request(request, streamed)
    assert MESSAGES.decode_request(again) == (request, streamed)
    return "request"


def read_answer(body) -> str:
    if isinstance(body, str):
        stream = parse_stream_body(body)
        return read_stream(list(stream.values))
    if "error" in body:
        assert MESSAGES.encode_error(MESSAGES.decode_error(400, body)) == (400, body)
        return "error"
    response = MESSAGES.decode_response(body)
    made = MESSAGES.encode_response(response, REQUEST)
    assert MESSAGES.decode_response(made) == response
    lost = {name for name in body if made.get(name) != body[name] and body[name] is not None}
    assert lost <= {"content"}, "a null field of a block may be left out; nothing else differs"
    return "response"


def read_stream(events) -> str:
    response, chunks = MESSAGES.decode_stream(events)
    raw = b"".join(MESSAGES.encode_stream(response, {"model": "m"}, chunks))
    again, cuts = MESSAGES.decode_stream(parse_stream_body(raw).values)
    assert (again.content, cuts) == (response.content, chunks)
    ended = any(map(MESSAGES.is_end, events))
    assert not ended or again == response
    return "stream" if ended else "cut stream"


def test_every_recorded_body():
    read, refused = Counter(), Counter()
    for each in interactions_at("/v1/messages"):
        for side, reader in ((each["request"], read_request), (each["response"], read_answer)):
            try:
                read[reader(body_of(side))] += 1
            except DialectError as error:
                refused[str(error)] += 1
    assert read == {"request": 173, "response": 82, "stream": 85, "error": 6}
    assert refused == {}


def test_every_captured_stream():
    """Files of events, some of several streams; one was spliced from two."""
    read = Counter()
    for path in sorted(samples_dir("sse-chunks").glob("*anthropic*.txt")):
        streams: list[list[dict]] = []
        for line in filter(str.strip, path.read_text().splitlines()):
            event = json.loads(line)
            if event["type"] == "message_start":
                streams.append([])
            streams[-1].append(event)
        read.update(map(read_stream, streams))
    assert read == {"stream": 34, "cut stream": 1}


def test_every_captured_reply():
    bodies = [json.loads(path.read_text()) for path in sorted(samples_dir("sse-chunks").glob("*anthropic*.json"))]
    assert Counter(map(read_answer, bodies)) == {"response": 20}


def test_three_captured_streams_counted_by_hand():
    def read(name):
        [path] = samples_dir("sse-chunks").glob(f"*____{name}.1.chunks.txt")
        return MESSAGES.decode_stream([json.loads(line) for line in filter(str.strip, path.read_text().splitlines())])[
            0
        ]

    searched = read("anthropic-web-search-tool")
    assert [type(block).__name__ for block in searched.content] == [*["OtherBlock"] * 2, *["TextBlock"] * 19]
    assert (searched.usage.input_tokens, searched.usage.output_tokens, searched.stop_reason) == (15665, 795, "end_turn")
    told = read("anthropic-mcp")
    assert [getattr(block, "kind", "text") for block in told.content] == ["mcp_tool_use", "mcp_tool_result", "text"]
    assert (told.usage.input_tokens, told.usage.output_tokens, told.stop_reason) == (1250, 83, "end_turn")
    asked = read("anthropic-json-tool")
    assert [(call.id, call.name) for call in asked.content] == [("toolu_01KFbKqPYSuAKujiL6mTfzYA", "json")]
    assert (asked.usage.input_tokens, asked.usage.output_tokens, asked.stop_reason) == (849, 47, "tool_calls")
