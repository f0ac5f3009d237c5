"""Real Responses traffic: every body is read and comes back, or is refused for a reason counted here."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from runwright.dialects import DIALECTS, parse_stream_body
from runwright.errors import DialectError
from runwright.trace.model import ModelRequest, OtherBlock, ThinkingBlock
from tests.dialects.vcr_samples import body_of, interactions_at
from tests.samples import samples_dir

RESPONSES = DIALECTS["openai.responses"]
REQUEST = ModelRequest(api="openai.responses", model="m")


def read_request(body) -> str:
    request, streamed = RESPONSES.decode_request(body)
    assert RESPONSES.decode_request(RESPONSES.encode_request(request, streamed)) == (request, streamed)
    return "request"


def read_answer(body) -> str:
    if isinstance(body, str):
        return read_stream(list(parse_stream_body(body).values))
    if body.get("error"):
        assert RESPONSES.encode_error(RESPONSES.decode_error(429, body)) == (429, body)
        return "error"
    response = RESPONSES.decode_response(body)
    made = RESPONSES.encode_response(response, REQUEST)
    assert RESPONSES.decode_response(made) == response
    assert said(body) == said(made), "what is not null is the same"
    return "response"


def said(value, *, within=None):
    """The value without what goes unsaid: nulls, and empty annotations and log probabilities of a text."""
    if isinstance(value, list):
        return [said(each) for each in value]
    if not isinstance(value, dict):
        return value
    kept = {key: said(each) for key, each in value.items() if each is not None}
    if kept.get("type") in ("output_text", "input_text"):
        return {key: each for key, each in kept.items() if key not in ("annotations", "logprobs") or each != []}
    return kept


def read_stream(events) -> str:
    broke = next((at for at, event in enumerate(events) if RESPONSES.is_break(event)), None)
    response, chunks = RESPONSES.decode_stream(events[:broke])
    raw = b"".join(RESPONSES.encode_stream(response, {"model": "m"}, chunks))
    again, cuts = RESPONSES.decode_stream(parse_stream_body(raw).values)
    assert again.content == response.content
    if broke is not None:
        return "broken stream"
    if sum(size for _, size in chunks) < sum(len(getattr(block, "text", "")) for block in response.content):
        return "shortened stream"
    assert cuts == chunks
    assert any(map(RESPONSES.is_end, events))
    assert again == response
    cut = RESPONSES.decode_stream(events[:-1])[0]
    assert list(map(unsigned, cut.content)) == list(map(unsigned, response.content)), "the events alone say as much"
    return "stream"


def unsigned(block):
    """The block without what is encrypted, which the provider does anew each time it tells it."""
    if isinstance(block, ThinkingBlock):
        return replace(block, signature=None)
    if isinstance(block, OtherBlock):
        return replace(block, extra={name: each for name, each in block.extra.items() if name != "encrypted_content"})
    return block


def test_every_recorded_body():
    read, refused = Counter(), Counter()
    for each in interactions_at("/responses"):
        for side, reader in ((each["request"], read_request), (each["response"], read_answer)):
            try:
                read[reader(body_of(side))] += 1
            except DialectError as error:
                refused[str(error)] += 1
    assert read == {"request": 52, "response": 38, "stream": 14}
    assert refused == {}


def streams(path) -> Iterator[list[dict]]:
    """The streams of a file of events; some files hold several."""
    found: list[list[dict]] = []
    for line in filter(str.strip, path.read_text().splitlines()):
        event = json.loads(line)
        if event["type"] == "response.created":
            found.append([])
        found[-1].append(event)
    return iter(found)


def of_responses(pattern) -> list:
    return sorted(path for path in samples_dir("sse-chunks").glob(pattern) if "__openai__" in path.name)


def test_every_captured_stream():
    read, refused = Counter(), Counter()
    for path in of_responses("*.txt"):
        try:
            read.update(map(read_stream, streams(path)))
        except ValueError:
            refused[path.name.split("____")[-1]] += 1
    assert refused == {"parallel-tool-call-wrapper.1.chunks.txt": 1}, "two of its lines lack their last bracket"
    assert read == {"stream": 19, "broken stream": 1, "shortened stream": 1}, "one file has only two of its pieces"


def test_every_captured_reply():
    bodies = [json.loads(path.read_text()) for path in of_responses("*.json")]
    assert Counter(map(read_answer, bodies)) == {"response": 12, "error": 1}


def kinds(response) -> list[str]:
    """What a response consists of, by the wire's own words where it has some."""
    return [block.kind if isinstance(block, OtherBlock) else type(block).__name__ for block in response.content]


def test_three_captured_streams_counted_by_hand():
    def read(name):
        [path] = of_responses(f"*____{name}.1.chunks.txt")
        return RESPONSES.decode_stream(next(streams(path)))

    searched, chunks = read("openai-web-search-tool")
    assert kinds(searched) == [*["ThinkingBlock", "web_search_call"] * 6, "ThinkingBlock", "TextBlock"]
    assert (searched.usage.input_tokens, searched.usage.output_tokens, searched.stop_reason) == (
        31073,
        4416,
        "end_turn",
    )
    assert [index for index, _ in chunks] == [13] * 121
    ran, chunks = read("openai-code-interpreter-tool")
    assert kinds(ran) == [*["ThinkingBlock", "code_interpreter_call"] * 3, "ThinkingBlock", "TextBlock"]
    assert (ran.usage.input_tokens, ran.usage.output_tokens, len(chunks)) == (6047, 1623, 209)
    [path] = of_responses("*____openai-mcp-tool-approval.4.chunks.txt")
    approved, chunks = RESPONSES.decode_stream(next(streams(path)))
    assert kinds(approved) == ["mcp_list_tools", "mcp_call", "TextBlock"]
    assert (approved.usage.input_tokens, approved.usage.output_tokens, len(chunks)) == (779, 69, 65)
