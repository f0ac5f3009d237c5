"""Chat Completions responses and errors, buffered."""

from __future__ import annotations

import pytest
from openai.types.chat import ChatCompletion

from runwright.dialects import DIALECTS
from runwright.errors import DialectError
from runwright.trace.model import (
    ImageBlock,
    ModelError,
    ModelRequest,
    ModelResponse,
    RefusalBlock,
    Source,
    TextBlock,
    ToolCallBlock,
    Usage,
)

CHAT = DIALECTS["openai.chat_completions"]
REQUEST = ModelRequest(api="openai.chat_completions", model="gpt-4o")


def wire(message, *, finish="stop", **fields):
    choice = {"index": 0, "message": {"role": "assistant", **message}, "logprobs": None, "finish_reason": finish}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 7,
        "model": "m-1",
        "choices": [choice],
        **fields,
    }


FULL = wire(
    {
        "content": "hi",
        "refusal": None,
        "annotations": [],
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{ "a": 1}'}}],
        "audio": {"id": "a", "data": "UklG", "expires_at": 1, "transcript": "hi"},
    },
    finish="tool_calls",
    system_fingerprint="fp_1",
    service_tier=None,
    usage={
        "prompt_tokens": 3,
        "completion_tokens": 4,
        "total_tokens": 7,
        "prompt_tokens_details": {"cached_tokens": 2},
    },
)


def test_a_real_body_comes_back_byte_for_byte():
    FULL["choices"][0]["logprobs"] = {"content": [{"token": "hi", "logprob": -0.5}], "refusal": None}
    FULL["choices"][0]["content_filter_results"] = {"hate": {"filtered": False}}
    response = CHAT.decode_response(FULL)
    assert response == ModelResponse(
        content=(
            TextBlock(text="hi"),
            ToolCallBlock(id="c1", name="f", arguments={"a": 1}, arguments_text='{ "a": 1}'),
        ),
        stop_reason="tool_calls",
        usage=Usage(input_tokens=3, output_tokens=4, details={"prompt_tokens_details": {"cached_tokens": 2}}),
        id="chatcmpl-1",
        model="m-1",
        extra={
            "created": 7,
            "system_fingerprint": "fp_1",
            "service_tier": None,
            "logprobs": {"content": [{"token": "hi", "logprob": -0.5}], "refusal": None},
            "choice": {"content_filter_results": {"hate": {"filtered": False}}},
            "message": {"audio": {"id": "a", "data": "UklG", "expires_at": 1, "transcript": "hi"}},
        },
    )
    assert CHAT.encode_response(response, REQUEST) == FULL


def test_refusal():
    response = CHAT.decode_response(wire({"content": None, "refusal": "no"}))
    assert response.content == (RefusalBlock(text="no"),)
    assert CHAT.encode_response(response, REQUEST)["choices"][0]["message"]["refusal"] == "no"


@pytest.mark.parametrize(
    ("word", "reason"),
    [("stop", "end_turn"), ("tool_calls", "tool_calls"), ("length", "length"), ("content_filter", "content_filter")],
)
def test_finish_reasons(word, reason):
    response = CHAT.decode_response(wire({"content": "x"}, finish=word))
    assert response.stop_reason == reason
    assert CHAT.encode_response(response, REQUEST)["choices"][0]["finish_reason"] == word


def test_a_finish_reason_of_another_server_is_kept():
    response = CHAT.decode_response(wire({"content": "x"}, finish="model_length"))
    assert response.stop_reason is None
    assert CHAT.encode_response(response, REQUEST)["choices"][0]["finish_reason"] == "model_length"


def test_what_the_recording_lacks_is_filled_in_for_the_client():
    bare = ModelResponse(content=(ToolCallBlock(id="c", name="f", arguments={}),))
    body = CHAT.encode_response(bare, REQUEST)
    parsed = ChatCompletion.model_validate(body, strict=True)
    assert parsed.choices[0].finish_reason == "tool_calls"
    assert (parsed.model, parsed.created, parsed.id) == ("gpt-4o", 0, "chatcmpl-unrecorded")
    assert parsed.usage.total_tokens == 0
    assert CHAT.encode_response(ModelResponse(), REQUEST)["choices"][0]["finish_reason"] == "stop"


def test_a_total_that_is_not_the_sum_is_kept():
    usage = {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 9}
    response = CHAT.decode_response(wire({"content": "x"}, usage=usage))
    assert response.usage == Usage(input_tokens=1, output_tokens=2, details={"total_tokens": 9})
    assert CHAT.encode_response(response, REQUEST)["usage"] == usage


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (wire({"content": "x"}) | {"choices": []}, "$.choices"),
        (wire({"content": "x"}) | {"choices": wire({})["choices"] * 2}, "$.choices"),
        (wire({"content": "x"}, finish="function_call"), "$.choices[0].finish_reason"),
        (wire({"function_call": {"name": "f"}}), "$.choices[0].message.function_call"),
        (wire({"content": 1}), "$.choices[0].message.content"),
        (wire({"content": "x"}) | {"message": "y"}, "$.message"),
        (wire({"content": "x"}, usage={"prompt_tokens": "3"}), "$.usage.prompt_tokens"),
    ],
)
def test_what_it_cannot_represent_is_refused_by_path(body, place):
    with pytest.raises(DialectError) as caught:
        CHAT.decode_response(body)
    assert caught.value.place == place


@pytest.mark.parametrize(
    "response",
    [
        ModelResponse(content=(ImageBlock(source=Source(kind="file_id", data="x")),)),
        ModelResponse(stop_reason="pause"),
        ModelResponse(stop_reason="refusal"),
    ],
)
def test_what_the_wire_cannot_say_is_refused_on_the_way_out(response):
    with pytest.raises(DialectError):
        CHAT.encode_response(response, REQUEST)
    with pytest.raises(DialectError):
        CHAT.encode_stream(response, {}, None)


def test_errors():
    body = {"error": {"message": "slow down", "type": "rate_limit", "code": "rate_limit_exceeded", "param": None}}
    error = CHAT.decode_error(429, body)
    assert error == ModelError(message="slow down", status=429, kind="rate_limit", body=body)
    assert CHAT.encode_error(error) == (429, body)
    assert CHAT.decode_error(502, "bad gateway").message == "bad gateway"
    assert CHAT.decode_error(502, None).message == "model call failed with status 502"
    status, made = CHAT.encode_error(ModelError(message="connection lost"))
    assert (status, made["error"]["message"]) == (500, "connection lost")
