"""Redaction of whole traces: same secret, same token; nothing left that tells of it."""

import json

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from runwright.secrets import clean_text, redact_trace, redact_value, scan_trace, scan_value, tokens_in
from runwright.secrets.derived import refitted
from runwright.secrets.rules.rule import fill
from runwright.trace import digest, digest_bytes, dumps_trace, loads_trace
from runwright.trace.model import (
    AgentInfo,
    BlobRecord,
    EffectState,
    Header,
    HttpBody,
    HttpRecord,
    HttpRequest,
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    Origin,
    SideEffect,
    SideEffectRecord,
    Specification,
    TextBlock,
    ToolCallBlock,
    ToolRecord,
    ToolResultBlock,
    Trace,
)
from tests.secrets.test_superset import PIECE

KEY, OTHER = "ghp_" + fill(36), "ghp_" + fill(36, seed=99)
TOKEN = "[[redacted:github-token:1]]"


def model(id: str, *messages: Message, **fields) -> ModelRecord:
    request = ModelRequest(api="openai.chat_completions", model="m", messages=messages)
    return ModelRecord(id=id, request=request, fidelity="raw", **fields)


def text(role: str, words: str) -> Message:
    return Message(role=role, content=(TextBlock(text=words),))


def trace(*records, **header) -> Trace:
    return Trace(header=Header(kind="run", trace_id="t", **header), records=records)


def whole() -> Trace:
    call = ToolCallBlock(
        id="call_1",
        name="login",
        arguments={"user": "bob", "password": "hunter2", "pin": 1},
        arguments_text='{ "user": "bob", "password": "hunter2", "pin": 1 }',
    )
    result = ToolResultBlock(
        call_id="call_1", content=(TextBlock(text=json.dumps({"password": "hunter2", "key": KEY})),)
    )
    ask = text("user", f"use {KEY} and {OTHER}")
    return trace(
        model("m1", ask, response=ModelResponse(content=(call,)), streamed=True, chunks=((0, 20), (0, 30))),
        ToolRecord(
            id="t1", name="login", arguments={"password": "hunter2"}, outcome="ok", call_id="call_1", fidelity="raw"
        ),
        model(
            "m2",
            ask,
            Message(role="assistant", content=(call,)),
            Message(role="tool", content=(result,)),
            response=ModelResponse(content=(TextBlock(text=f"Logged in with hunter2, and {OTHER}."),)),
            streamed=True,
            chunks=((0, 10), (0, 8), (0, 30), (0, 22)),
        ),
        agent=AgentInfo(command=f"python agent.py --token {KEY}"),
        source=Origin(format="otlp", digest="blake3:" + "0" * 64),
        specification=Specification(system_prompt="blake3:" + "1" * 64, policies={"p": "blake3:" + "2" * 64}),
    )


def test_a_redacted_trace_is_clean_reads_back_and_holds_no_secret() -> None:
    redacted, counts = redact_trace(whole())
    assert counts == {"github-token": 2, "secret-named-key": 1}
    assert scan_trace(whole())
    assert scan_trace(redacted) == []
    data = dumps_trace(redacted)
    assert all(secret.encode() not in data for secret in (KEY, OTHER, "hunter2", KEY[8:20]))
    assert loads_trace(data).records == redacted.records


def test_the_same_secret_has_the_same_token_wherever_it_stands() -> None:
    redacted, _ = redact_trace(whole())
    assert redacted.header.agent.command == f"python agent.py --token {TOKEN}"
    assert redacted.models[0].request.messages[0].content[0].text == f"use {TOKEN} and [[redacted:github-token:2]]"
    result = json.loads(redacted.models[1].request.messages[2].content[0].content[0].text)
    assert result == {"password": "[[redacted:secret-named-key:1]]", "key": TOKEN}


def test_a_weak_password_that_the_model_repeats_goes_too() -> None:
    redacted, _ = redact_trace(whole())
    reply = redacted.models[1].response.content[0].text
    assert reply == "Logged in with [[redacted:secret-named-key:1]], and [[redacted:github-token:2]]."


def test_arguments_and_their_text_stay_the_same_value() -> None:
    redacted, _ = redact_trace(whole())
    call = redacted.models[0].response.content[0]
    assert json.loads(call.arguments_text) == call.arguments
    assert call.arguments == {"user": "bob", "password": "[[redacted:secret-named-key:1]]", "pin": 1}
    assert call.arguments_text.startswith('{ "user"')


def test_ids_that_link_records_survive() -> None:
    redacted, _ = redact_trace(whole())
    assert redacted.tools[0].call_id == redacted.models[0].response.content[0].id == "call_1"
    assert [record.id for record in redacted.records] == ["m1", "t1", "m2"]


def test_chunks_cover_the_new_text_and_no_cut_is_inside_a_token() -> None:
    redacted, _ = redact_trace(whole())
    for record in redacted.models:
        block = record.response.content[0]
        words = block.text if isinstance(block, TextBlock) else block.arguments_text
        assert sum(count for _, count in record.chunks) == len(words)
        cuts, at = [], 0
        for _, count in record.chunks:
            at += count
            cuts.append(at)
        assert not any(token.start < cut < token.end for token in tokens_in(words) for cut in cuts)


@pytest.mark.parametrize(
    ("counts", "old", "new", "expected"),
    [
        ([2, 4, 2], "abSSSScd", "abTcd", [2, 1, 2]),
        ([3, 3, 2], "abSSSScd", "abTTTTTTcd", [8, 0, 2]),
        ([8], "abSSSScd", "abTcd", [5]),
        ([1, 7], "abSSSScd", "abSSSScd", [1, 7]),
        ([1, 2], "abSSSScd", "abTcd", [5, 0]),
    ],
)
def test_refitted(counts, old, new, expected) -> None:
    assert refitted(counts, old, new) == expected


def test_redacting_twice_changes_nothing_more() -> None:
    once, _ = redact_trace(whole())
    assert redact_trace(once) == (once, {})


def test_new_tokens_do_not_collide_with_those_that_are_there() -> None:
    found, counts = redact_trace(trace(model("m1", text("user", f"{OTHER} after {TOKEN}"))))
    assert found.models[0].request.messages[0].content[0].text == f"[[redacted:github-token:2]] after {TOKEN}"
    assert counts == {"github-token": 1}


def test_two_conversions_give_the_same_tokens() -> None:
    assert dumps_trace(redact_trace(whole())[0]) == dumps_trace(redact_trace(whole())[0])


def test_digests_over_what_was_redacted_are_gone() -> None:
    redacted, _ = redact_trace(whole())
    assert redacted.header.source.digest is None
    assert redacted.header.specification == Specification(policies={"p": "blake3:" + "2" * 64})


def test_an_effect_tells_the_redacted_contents_digest_and_size() -> None:
    content = "PASSWORD=hunter2\n"
    state = EffectState(digest=digest_bytes(content.encode()), size=len(content), content=content)
    effect = SideEffectRecord(id="e1", side_effect=SideEffect(kind="fs_write", target=".env", after=state))
    after = redact_trace(trace(effect))[0].records[0].side_effect.after
    assert after.content == "PASSWORD=[[redacted:secret-named-key:1]]\n"
    assert (after.digest, after.size) == (digest_bytes(after.content.encode()), len(after.content))


def test_a_digest_without_content_beside_a_redacted_diff_is_left_out() -> None:
    state = EffectState(digest=digest_bytes(b"PIN_PASSWORD=1234\n"), size=18)
    effect = SideEffect(kind="fs_write", target=".env", after=state, diff="+PIN_PASSWORD=1234\n")
    found = redact_trace(trace(SideEffectRecord(id="e1", side_effect=effect)))[0].records[0].side_effect
    assert "1234" not in found.diff
    assert found.after is None


@pytest.mark.parametrize("secret", ["hunter2", "1234567"])
def test_a_weak_secret_cannot_be_guessed_back_from_a_digest(secret: str) -> None:
    line = f"PASSWORD={secret}"
    told = {
        "raw": digest_bytes(secret.encode()),
        "canonical": digest(secret),
        "line": f"see {digest_bytes(line.encode())}",
    }
    before = trace(
        ToolRecord(id="t1", name="put", arguments=told, outcome="ok", fidelity="raw"),
        ToolRecord(id="t2", name="put", arguments={"text": line}, outcome="ok", fidelity="raw"),
        BlobRecord(id="b1", digest=digest_bytes(line.encode()), size=len(line), text=line),
    )
    data = dumps_trace(redact_trace(before)[0])
    guesses = [digest_bytes(secret.encode()), digest(secret), digest_bytes(line.encode())]
    assert all(guess.encode() not in data for guess in guesses)


def test_an_http_body_and_the_length_it_announces() -> None:
    body = json.dumps({"password": "hunter2"})
    request = HttpRequest(
        method="POST",
        url="https://x.example/?api_key=swordfish",
        headers=(("Content-Length", str(len(body))), ("Authorization", "Bearer " + fill(30))),
        body=HttpBody(text=body),
    )
    found = redact_trace(trace(HttpRecord(id="h1", request=request, fidelity="raw")))[0].records[0].request
    assert json.loads(found.body.text) == {"password": "[[redacted:secret-named-key:2]]"}
    assert dict(found.headers)["Content-Length"] == str(len(found.body.text))
    assert dict(found.headers)["Authorization"] == "Bearer [[redacted:bearer-token:1]]"
    assert "swordfish" not in found.url


def test_clean_text_keeps_the_rest() -> None:
    assert clean_text(f"error at {KEY}: no") == f"error at {TOKEN}: no"
    assert clean_text("nothing here") == "nothing here"
    assert clean_text(f"{TOKEN} stays") == f"{TOKEN} stays"


def test_a_key_that_is_a_secret_is_replaced() -> None:
    assert redact_value({KEY: {"a": KEY}}) == {TOKEN: {"a": TOKEN}}


@st.composite
def pieces(draw) -> str:
    return "".join(draw(st.lists(PIECE, min_size=1, max_size=4)))


PIECES = pieces()
NAMES = st.sampled_from(["text", "password", "token", "Authorization", "headers", "max_tokens", "value", "name"])
VALUES = st.recursive(
    PIECES | st.integers(0, 10**7) | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(NAMES | PIECES, inner, max_size=3) | inner.map(json.dumps)
    ),
    max_leaves=6,
)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(VALUES)
def test_a_redacted_value_has_no_findings_and_redacting_it_again_changes_nothing(value) -> None:
    once = redact_value(value)
    assert [str(finding) for finding in scan_value(once)] == []
    assert redact_value(once) == once


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(VALUES)
@example("\u0130" + "123456789:" + "AAH" + fill(32))
def test_json_in_a_string_is_still_json(value) -> None:
    again = json.loads(redact_value(json.dumps(value)))
    assert type(again) is type(value) or isinstance(value, int)
