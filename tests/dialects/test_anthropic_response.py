"""Messages responses and errors, buffered."""

from __future__ import annotations

import pytest
from anthropic.types import Message as SdkMessage

from runwright.dialects import DIALECTS
from runwright.errors import DialectError
from runwright.trace.model import (
    AudioBlock,
    ModelError,
    ModelRequest,
    ModelResponse,
    OtherBlock,
    Source,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    Usage,
)

MESSAGES = DIALECTS["anthropic.messages"]
CITED = {
    "type": "char_location",
    "cited_text": "x",
    "document_index": 0,
    "document_title": "d",
    "file_id": None,
    "start_char_index": 0,
    "end_char_index": 1,
}
REQUEST = ModelRequest(api="anthropic.messages", model="claude-test-1")


def wire(*content, stop="end_turn", **fields):
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-test-1-20261101",
        "content": list(content),
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 3, "output_tokens": 4},
        **fields,
    }


def test_a_body_with_everything_comes_back_as_it_was():
    body = wire(
        {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "b3BhcXVl"},
        {"type": "text", "text": "hi", "citations": [CITED]},
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "q"}},
        {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"a": 1}, "caller": {"type": "direct"}},
        stop="tool_use",
        container={"id": "container_1", "expires_at": "2026-01-01T00:00:00Z"},
        usage={
            "input_tokens": 3,
            "output_tokens": 4,
            "cache_creation_input_tokens": 5,
            "cache_read_input_tokens": 6,
            "cache_creation": {"ephemeral_5m_input_tokens": 5, "ephemeral_1h_input_tokens": 0},
            "server_tool_use": None,
            "service_tier": "standard",
        },
    )
    response = MESSAGES.decode_response(body)
    assert response == ModelResponse(
        content=(
            ThinkingBlock(text="hm", signature="c2ln"),
            ThinkingBlock(text="b3BhcXVl", redacted=True),
            TextBlock(text="hi", extra={"citations": [CITED]}),
            OtherBlock(
                kind="server_tool_use", extra={"id": "srvtoolu_1", "name": "web_search", "input": {"query": "q"}}
            ),
            ToolCallBlock(id="toolu_1", name="f", arguments={"a": 1}, extra={"caller": {"type": "direct"}}),
        ),
        stop_reason="tool_calls",
        usage=Usage(
            input_tokens=3,
            output_tokens=4,
            details={
                "cache_creation_input_tokens": 5,
                "cache_read_input_tokens": 6,
                "cache_creation": {"ephemeral_5m_input_tokens": 5, "ephemeral_1h_input_tokens": 0},
                "server_tool_use": None,
                "service_tier": "standard",
            },
        ),
        id="msg_1",
        model="claude-test-1-20261101",
        extra={"container": {"id": "container_1", "expires_at": "2026-01-01T00:00:00Z"}},
    )
    assert MESSAGES.encode_response(response, REQUEST) == body
    assert SdkMessage.model_validate(body).content[4].input == {"a": 1}


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("end_turn", "end_turn"),
        ("tool_use", "tool_calls"),
        ("max_tokens", "length"),
        ("stop_sequence", "stop_sequence"),
        ("pause_turn", "pause"),
        ("refusal", "refusal"),
        ("model_context_window_exceeded", "length"),
        ("compaction", None),
        ("a_word_of_next_year", None),
    ],
)
def test_stop_reasons(word, reason):
    response = MESSAGES.decode_response(wire(stop=word))
    assert response.stop_reason == reason
    assert MESSAGES.encode_response(response, REQUEST)["stop_reason"] == word


def test_the_sequence_that_stopped_it_and_why_it_refused_are_kept():
    stopped = MESSAGES.decode_response(wire(stop="stop_sequence", stop_sequence="END"))
    assert (stopped.stop_reason, stopped.extra) == ("stop_sequence", {"stop_sequence": "END"})
    assert MESSAGES.encode_response(stopped, REQUEST)["stop_sequence"] == "END"
    details = {"type": "refusal", "category": "cyber"}
    refused = MESSAGES.decode_response(wire(stop="refusal", stop_details=details))
    assert MESSAGES.encode_response(refused, REQUEST)["stop_details"] == details


def test_what_was_not_recorded_follows_from_the_content():
    call = ToolCallBlock(id="toolu_1", name="f", arguments={})
    made = MESSAGES.encode_response(ModelResponse(content=(call,)), REQUEST)
    assert (made["stop_reason"], made["usage"]) == ("tool_use", {"input_tokens": 0, "output_tokens": 0})
    assert made["model"] == "claude-test-1"
    assert SdkMessage.model_validate(made).id == "msg_unrecorded"
    assert MESSAGES.encode_response(ModelResponse(content=(TextBlock(text="x"),)), REQUEST)["stop_reason"] == "end_turn"
    assert MESSAGES.encode_response(ModelResponse(stop_reason="content_filter"), REQUEST)["stop_reason"] == "refusal"


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (wire(type="error"), "$.type"),
        (wire(role="user"), "$.role"),
        (wire(usage=7), "$.usage"),
        (wire(usage={"input_tokens": "3"}), "$.usage.input_tokens"),
        (wire(stop=7), "$.stop_reason"),
        (wire("hi"), "$.content[0]"),
        (wire(content="hi"), "$.content"),
    ],
)
def test_what_is_no_message_is_refused_by_path(body, place):
    with pytest.raises(DialectError) as caught:
        MESSAGES.decode_response(body)
    assert caught.value.place == place


def test_what_has_no_form_is_refused_on_the_way_out():
    for block in (
        ToolCallBlock(id="a", name="f", arguments_text="{"),
        AudioBlock(source=Source(kind="url", data="x")),
        ThinkingBlock(text="x", extra={"item": {}}),
    ):
        with pytest.raises(DialectError):
            MESSAGES.encode_response(ModelResponse(content=(block,)), REQUEST)


# --- errors -------------------------------------------------------------------------------------

OVERLOADED = {
    "type": "error",
    "error": {"type": "overloaded_error", "message": "Overloaded"},
    "request_id": "req_011CS",
}


@pytest.mark.parametrize("status", [400, 429, 529])
def test_errors_are_kept_as_they_came(status):
    error = MESSAGES.decode_error(status, OVERLOADED)
    assert error == ModelError(message="Overloaded", status=status, kind="overloaded_error", body=OVERLOADED)
    assert MESSAGES.encode_error(error) == (status, OVERLOADED)


@pytest.mark.parametrize("body", [None, "<html>bad gateway</html>", {}, {"error": 7}, {"error": {"message": None}}])
def test_an_error_of_any_other_form_is_told_in_the_api_s_own(body):
    error = MESSAGES.decode_error(502, body)
    assert error.message
    status, told = MESSAGES.encode_error(error)
    assert status == 502
    if not isinstance(body, dict):
        assert told == {"type": "error", "error": {"type": "api_error", "message": error.message}}


def test_a_lost_connection_is_a_500():
    assert MESSAGES.encode_error(ModelError(message="reset", kind="connection_error")) == (
        500,
        {"type": "error", "error": {"type": "connection_error", "message": "reset"}},
    )
