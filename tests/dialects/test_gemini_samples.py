"""Real Gemini traffic: every body is read and comes back, or is refused for a reason counted here."""

from __future__ import annotations

import json
from collections import Counter

from runwright.dialects import DIALECTS, addressed, dialect_for_path, parse_stream_body
from runwright.errors import DialectError
from runwright.trace.model import ModelRequest, calls_of
from tests.dialects.vcr_samples import body_of, interactions
from tests.samples import samples_dir

GEMINI = DIALECTS["gemini.generate_content"]
REQUEST = ModelRequest(api="gemini.generate_content", model="gemini-2.5-flash")


def read_request(url, body) -> str:
    request, streamed = GEMINI.decode_request(addressed(GEMINI, url, body))
    assert (request.model in url, streamed) == (True, "streamGenerate" in url)
    assert GEMINI.decode_request(GEMINI.encode_request(request, streamed)) == (request, streamed)
    return "request"


def read_answer(_, body) -> str:
    if isinstance(body, str):
        return read_stream(list(parse_stream_body(body).values))
    response = GEMINI.decode_response(body)
    made = GEMINI.encode_response(response, REQUEST)
    assert GEMINI.decode_response(made) == response
    assert {**body, "usageMetadata": None} == {**made, "usageMetadata": None}
    counted = {name: each for name, each in made["usageMetadata"].items() if each or name in body["usageMetadata"]}
    assert counted == body["usageMetadata"], "a count of nothing may be told"
    return "response"


def read_stream(events) -> str:
    response, chunks = GEMINI.decode_stream(events)
    written = parse_stream_body(b"".join(GEMINI.encode_stream(response, {"model": "m"}, chunks))).values
    assert GEMINI.decode_stream(written) == (response, chunks)
    assert any(map(GEMINI.is_end, events))
    if "partialArgs" in json.dumps(events):
        return "stream with arguments in pieces"
    assert [parts_of(each) for each in written] == [parts_of(each) for each in events if parts_of(each)]
    return "stream"


def parts_of(event):
    content = event["candidates"][0].get("content", {})
    return content.get("parts") or []


def test_every_recorded_body():
    read, refused = Counter(), Counter()
    for url, each in interactions():
        if dialect_for_path(url) is not GEMINI:
            continue
        for side, reader in ((each["request"], read_request), (each["response"], read_answer)):
            try:
                read[reader(url, body_of(side))] += 1
            except DialectError as error:
                refused[str(error)] += 1
    assert read == {"request": 34, "response": 28, "stream": 6}
    assert refused == {}


def events_of(name) -> list[dict]:
    [path] = samples_dir("sse-chunks").glob(f"*__google__*____{name}.chunks.txt")
    return [json.loads(line) for line in filter(str.strip, path.read_text().splitlines())]


def test_every_captured_stream():
    names = [path.name.split("____")[-1] for path in samples_dir("sse-chunks").glob("*__google__*.txt")]
    read = Counter(read_stream(events_of(name.removesuffix(".chunks.txt"))) for name in names)
    assert read == {"stream": 3, "stream with arguments in pieces": 3}


def test_three_captured_streams_counted_by_hand():
    text, _ = GEMINI.decode_stream(events_of("google-text"))
    assert [type(each).__name__ for each in text.content] == ["TextBlock"]
    assert text.content[0].text.endswith("st**r**awbe**rr**y")
    assert (text.stop_reason, text.usage.details["thoughtsTokenCount"]) == ("end_turn", 185)
    screens, _ = GEMINI.decode_stream(events_of("google-stream-no-args-tool-call"))
    assert [(each.id, each.arguments) for each in calls_of(screens.content)] == [
        ("read_theme", {}),
        ("read_screen", {"id": "A"}),
        ("read_screen#2", {"id": "B"}),
        ("read_screen#3", {"id": "C"}),
    ]
    assert (type(screens.content[0]).__name__, screens.stop_reason) == ("ThinkingBlock", "tool_calls")
    items, _ = GEMINI.decode_stream(events_of("google-stream-tool-call-array-arguments-missing-terminal-function-call"))
    [call] = calls_of(items.content)
    apple, banana = call.arguments["operations"]
    assert apple == {"action": "add", "description": apple["description"], "itemid": "apple_001", "price": 0.5}
    assert (apple["description"][:15], banana["itemid"], banana["price"]) == ("Fresh red apple", "banana_001", 0.3)


def test_the_captured_reply():
    [path] = samples_dir("sse-chunks").glob("*__google__*.json")
    assert read_answer("", json.loads(path.read_text())) == "response"
