"""A secret that a stream cut in pieces: found as one, and replaced by one token."""

import json

import pytest

from runwright.secrets import redact_value, scan_value
from runwright.secrets.rules.rule import fill
from runwright.secrets.streams import EDGE, streams

KEY = "ghp_" + fill(36)
PIECES = ("It is ", "gh", "p_", KEY[4:9], KEY[9:], " indeed")


def openai(piece: str) -> dict:
    return {"id": "chatcmpl-1", "choices": [{"index": 0, "delta": {"content": piece}}]}


def openai_call(piece: str) -> dict:
    call = {"index": 0, "function": {"arguments": piece}}
    return {"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}


def anthropic(piece: str) -> dict:
    return {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": piece}}


def anthropic_call(piece: str) -> dict:
    return {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": piece}}


def responses(piece: str) -> dict:
    return {"type": "response.output_text.delta", "output_index": 0, "delta": piece}


def gemini(piece: str) -> dict:
    return {"candidates": [{"content": {"parts": [{"text": piece}]}, "index": 0}]}


def bedrock(piece: str) -> dict:
    return {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": piece}}}


def ollama(piece: str) -> dict:
    return {"model": "m", "message": {"role": "assistant", "content": piece}, "done": False}


def langsmith(piece: str) -> dict:
    return {"name": "new_token", "kwargs": {"token": piece, "chunk": {"text": piece}}}


EVENTS = [openai, openai_call, anthropic, anthropic_call, responses, gemini, bedrock, ollama, langsmith]


def sse(events: list) -> str:
    return "".join(f"event: x\ndata: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"


def read(body: str) -> list:
    return [json.loads(line[6:]) for line in body.splitlines() if line.startswith("data: {")]


def told(events: list) -> str:
    return "".join(streams(events)[0].text.split())


LEFT_ALONE = [
    {"messages": [{"role": "user", "content": "my key starts with gh"}, {"role": "user", "content": "p_" + KEY[4:]}]},
    {"rows": ["gh", "p_" + KEY[4:]]},
    {"chunks": [openai("It is "), openai("fine")]},
    {"choices": [{"index": 0, "delta": {"content": "gh"}}, {"index": 1, "delta": {"content": "p_" + KEY[4:]}}]},
    {"chunks": [{"delta": {"role": "gh"}}, {"delta": {"role": "p_" + KEY[4:]}}]},
]


@pytest.mark.parametrize("value", LEFT_ALONE)
def test_what_does_not_follow_is_not_joined(value) -> None:
    assert scan_value(value) == []
    assert redact_value(value) == value


@pytest.mark.parametrize("event", EVENTS)
def test_in_a_list_of_events(event) -> None:
    value = {"chunks": [event(piece) for piece in PIECES]}
    assert ("github-token", "joined") in {(finding.rule, finding.detail) for finding in scan_value(value)}
    assert scan_value(value)[-1].path.startswith("$.chunks[1].")
    redacted = redact_value(value)
    assert told(redacted["chunks"]) == "Itis[[redacted:github-token:1]]indeed"
    assert redact_value(redacted) == redacted


@pytest.mark.parametrize("event", EVENTS)
def test_in_the_body_of_a_stream(event) -> None:
    value = {"body": sse([event(piece) for piece in PIECES])}
    findings = scan_value(value)
    assert "github-token" in {finding.rule for finding in findings}
    assert findings[0].detail.startswith("$[1].")
    assert findings[0].detail.endswith("-> joined")
    redacted = redact_value(value)
    assert told(read(redacted["body"])) == "Itis[[redacted:github-token:1]]indeed"
    assert redact_value(redacted) == redacted


def test_in_json_lines_and_numbered_parts() -> None:
    lines = "\n".join(json.dumps(ollama(piece)) for piece in PIECES)
    assert [finding.rule for finding in scan_value({"body": lines})] == ["github-token"]
    parts = "".join(f"0:{json.dumps(piece)}\n" for piece in PIECES)
    redacted = redact_value({"body": parts})["body"]
    assert "".join(json.loads(line[2:]) for line in redacted.splitlines()) == "It is [[redacted:github-token:1]] indeed"


def test_in_a_list_of_pieces_by_its_name() -> None:
    assert redact_value({"text_chunks": list(PIECES)}) == {
        "text_chunks": ["It is ", "[[redacted:github-token:1]]", "", "", "", " indeed"]
    }


def test_arguments_that_are_json_together_are_read_as_json() -> None:
    text = json.dumps({"user": "bob", "password": "hunter2"})
    value = {"body": sse([openai_call(text[at : at + 4]) for at in range(0, len(text), 4)])}
    (finding,) = scan_value(value)
    assert finding.rule == "secret-named-key"
    assert finding.detail.endswith("-> joined -> $.password")
    redacted = redact_value(value)
    assert json.loads(streams(read(redacted["body"]))[0].text) == {
        "user": "bob",
        "password": "[[redacted:secret-named-key:1]]",
    }


def test_the_same_secret_has_the_same_token_whole_and_in_pieces() -> None:
    value = {"body": sse([openai(piece) for piece in PIECES]), "echo": f"you said {KEY}"}
    redacted = redact_value(value)
    assert redacted["echo"] == "you said [[redacted:github-token:1]]"
    assert "[[redacted:github-token:1]]" in redacted["body"]
    assert redact_value({"echo": value["echo"], "body": value["body"]})["body"] == redacted["body"]


def test_calls_side_by_side_are_not_mixed() -> None:
    def event(index: int, piece: str) -> dict:
        return {
            "choices": [{"index": 0, "delta": {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}}]
        }

    mixed = [event(at % 2, piece) for at, piece in enumerate(["gh", "x", "p_", "y", KEY[4:], "z"])]
    assert [finding.rule for finding in scan_value({"body": sse(mixed)})] == ["github-token"]


def test_bytes_and_alternatives_beside_a_token_go_with_it() -> None:
    content = [
        {
            "token": piece,
            "logprob": -0.1,
            "bytes": list(piece.encode()),
            "top_logprobs": [{"token": piece, "logprob": 0}],
        }
        for piece in PIECES
    ]
    redacted = redact_value({"logprobs": {"content": content}})["logprobs"]["content"]
    assert redacted[0] == content[0]
    assert redacted[1]["token"] == "[[redacted:github-token:1]]"
    assert [each["bytes"] for each in redacted[1:5]] == [None] * 4
    assert [each["top_logprobs"] for each in redacted[1:5]] == [[]] * 4


def test_only_the_edges_of_long_pieces_are_joined() -> None:
    (joined,) = streams([openai("a" * 100_000 + KEY[:5]), openai(KEY[5:] + "b" * 100_000)])
    assert len(joined.text) < 5 * EDGE
    assert [rule.rule for rule in scan_value({"x": [openai("a " * 9_000 + KEY[:5]), openai(KEY[5:])]})] == [
        "github-token"
    ]


@pytest.mark.parametrize("form", ["list", "body"])
def test_a_first_piece_that_is_a_secret_by_itself_takes_the_rest_with_it(form: str) -> None:
    long = "ghp_" + fill(60)
    events = [openai("It is " + long[:44]), openai(long[44:58]), openai(long[58:] + " indeed")]
    value = {"x": events if form == "list" else sse(events)}
    assert len(scan_value(value)) == 1
    redacted = redact_value(value)["x"]
    assert told(redacted if form == "list" else read(redacted)) == "Itis[[redacted:github-token:1]]indeed"
