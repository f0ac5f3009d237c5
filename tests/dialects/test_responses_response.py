"""Responses: every form of an answer comes back, buffered and streamed; what is none is refused by name."""

from __future__ import annotations

import pytest

from runwright.dialects import DIALECTS, parse_stream_body
from runwright.errors import DialectError
from runwright.trace.model import (
    AudioBlock,
    ModelError,
    ModelRequest,
    ModelResponse,
    OtherBlock,
    RefusalBlock,
    Source,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    Usage,
)

RESPONSES = DIALECTS["openai.responses"]
REQUEST = ModelRequest(api="openai.responses", model="gpt-5")
ITEM = {"id": "msg_1", "status": "completed"}
CALL = {"type": "function_call", "id": "fc_1", "call_id": "c", "name": "f", "arguments": "{}", "status": "completed"}


def message(*parts, **fields):
    return {"type": "message", "role": "assistant", "content": list(parts), **ITEM, **fields}


def text(said, **fields):
    return {"type": "output_text", "text": said, **fields}


def reply(*output, **fields):
    return {"id": "resp_1", "object": "response", "status": "completed", "model": "m", "output": list(output), **fields}


def test_a_text():
    usage = {"input_tokens": 3, "output_tokens": 2, "total_tokens": 5, "input_tokens_details": {"cached_tokens": 0}}
    body = reply(message(text("hi", annotations=[], logprobs=[])), usage=usage, created_at=7, error=None)
    response = RESPONSES.decode_response(body)
    assert response == ModelResponse(
        content=(TextBlock(text="hi", extra={"item": ITEM}),),
        stop_reason="end_turn",
        usage=Usage(input_tokens=3, output_tokens=2),
        id="resp_1",
        model="m",
        extra={"created_at": 7},
    )
    made = RESPONSES.encode_response(response, REQUEST)
    assert made["output"] == body["output"]
    assert made["usage"] == {**usage, "output_tokens_details": {"reasoning_tokens": 0}}


def test_two_messages_stay_two_and_their_parts_together():
    output = [
        message(text("a"), text("b")),
        message(text("c"), id="msg_2"),
        CALL,
        message({"type": "refusal", "refusal": "d"}),
    ]
    response = RESPONSES.decode_response(reply(*output))
    assert response.stop_reason == "tool_calls"
    assert [type(block) for block in response.content] == [
        TextBlock,
        TextBlock,
        TextBlock,
        ToolCallBlock,
        RefusalBlock,
    ]
    made = RESPONSES.encode_response(response, REQUEST)
    assert [len(item.get("content", [])) for item in made["output"]] == [2, 1, 0, 1]
    assert RESPONSES.decode_response(made) == response


@pytest.mark.parametrize(
    ("fields", "stop", "extra"),
    [
        ({}, "end_turn", {}),
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, "length", {}),
        ({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}, "content_filter", {}),
        (
            {"status": "incomplete", "incomplete_details": {"reason": "steered"}},
            None,
            {"status": "incomplete", "incomplete_details": {"reason": "steered"}},
        ),
        ({"status": "failed", "error": {"code": "x"}}, None, {"status": "failed", "error": {"code": "x"}}),
        ({"status": "queued"}, None, {"status": "queued"}),
        ({"status": "completed", "incomplete_details": {}}, None, {"status": "completed", "incomplete_details": {}}),
    ],
)
def test_how_it_ended(fields, stop, extra):
    response = RESPONSES.decode_response(reply(message(text("x")), **fields))
    assert (response.stop_reason, response.extra) == (stop, extra)
    made = RESPONSES.encode_response(response, REQUEST)
    assert RESPONSES.decode_response(made) == response
    assert made["status"] == fields.get("status", "completed")
    assert made["incomplete_details"] == fields.get("incomplete_details")


def test_what_a_recording_lacks_is_filled_in():
    made = RESPONSES.encode_response(ModelResponse(content=(TextBlock(text="x"),)), REQUEST)
    assert (made["id"], made["model"], made["status"]) == ("resp_unrecorded", "gpt-5", "completed")
    assert made["output"] == [
        {
            "id": "msg_unrecorded",
            "type": "message",
            "status": "completed",
            "role": "assistant",
            "content": [text("x", annotations=[], logprobs=[])],
        }
    ]
    assert made["usage"] is None
    thinking = RESPONSES.encode_response(ModelResponse(content=(ThinkingBlock(text="x"),)), REQUEST)
    assert thinking["output"][0]["summary"] == [{"type": "summary_text", "text": "x"}]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"object": "chat.completion"}, "$.object"),
        ({"output": {}}, "$.output"),
        (reply("x"), "$.output[0]"),
        (reply({"id": "x"}), "$.output[0].type"),
        (reply(message(text("x"), role="user")), "$.output[0].role"),
        (reply(message({"type": "output_text"})), "$.output[0].content[0].text"),
        (reply({**CALL, "call_id": None}), "$.output[0].call_id"),
        (reply(usage={"input_tokens": "3"}), "$.usage.input_tokens"),
        (reply(id=7), "$.id"),
        (reply(status=7), "$.status"),
        (reply(streamed_items={}), "$.streamed_items"),
    ],
)
def test_what_is_no_response_is_refused_by_path(body, place):
    with pytest.raises(DialectError) as caught:
        RESPONSES.decode_response(body)
    assert caught.value.place == place


@pytest.mark.parametrize(
    "block",
    [
        ToolCallBlock(id="a", name="f", kind="mcp"),
        ThinkingBlock(text="x", redacted=True),
        AudioBlock(source=Source(kind="url", data="x")),
    ],
)
def test_what_has_no_form_is_refused_before_the_first_byte(block):
    response = ModelResponse(content=(block,))
    with pytest.raises(DialectError):
        RESPONSES.encode_response(response, REQUEST)
    with pytest.raises(DialectError):
        RESPONSES.encode_stream(response, {})


# --- streams ------------------------------------------------------------------------------------


def created(**fields):
    return {"type": "response.created", "response": reply(status="in_progress", **fields)}


def added(at, item):
    return {"type": "response.output_item.added", "output_index": at, "item": item}


def done(at, item):
    return {**added(at, item), "type": "response.output_item.done"}


def delta(kind, said, at=0, **fields):
    return {"type": f"response.{kind}.delta", "output_index": at, "delta": said, "obfuscation": "xyz", **fields}


OPEN = [
    created(),
    added(0, message(status="in_progress")),
    {"type": "response.content_part.added", "output_index": 0, "content_index": 0, "part": text("")},
    delta("output_text", "He", content_index=0),
    delta("output_text", "llo", content_index=0),
]


def test_a_cut_stream_is_what_its_events_add_up_to():
    response, chunks = RESPONSES.decode_stream(OPEN)
    assert response.content == (TextBlock(text="Hello", extra={"item": {**ITEM, "status": "in_progress"}}),)
    assert (response.stop_reason, response.extra, chunks) == (None, {"status": "in_progress"}, ((0, 2), (0, 3)))


def test_every_delta_grows_its_block():
    thought = {"type": "reasoning", "id": "rs_1", "summary": []}
    custom = {"type": "custom_tool_call", "call_id": "d", "name": "g", "input": ""}
    code = {"type": "code_interpreter_call", "id": "ci_1", "code": None}
    note = {"type": "url_citation", "url": "u"}
    events = [
        created(),
        added(0, thought),
        {
            "type": "response.reasoning_summary_part.added",
            "output_index": 0,
            "summary_index": 0,
            "part": {"type": "summary_text", "text": ""},
        },
        delta("reasoning_summary_text", "a", summary_index=0),
        delta("reasoning_text", "b", content_index=0),
        added(1, {**CALL, "arguments": ""}),
        delta("function_call_arguments", '{"x"', 1),
        delta("function_call_arguments", ":1}", 1),
        added(2, custom),
        delta("custom_tool_call_input", "in", 2),
        added(3, code),
        delta("code_interpreter_call_code", "1+1", 3),
        {"type": "response.code_interpreter_call.interpreting", "output_index": 3},
        added(4, message()),
        delta("output_text", "t", 4, content_index=0),
        {"type": "response.output_text.annotation.added", "output_index": 4, "content_index": 0, "annotation": note},
        delta("refusal", "no", 4, content_index=1),
        {"type": "keepalive"},
    ]
    response, chunks = RESPONSES.decode_stream(events)
    assert response.content == (
        ThinkingBlock(text="a", extra={"item": {"id": "rs_1"}}),
        ThinkingBlock(text="b", extra={"type": "reasoning_text"}),
        ToolCallBlock(id="c", name="f", arguments={"x": 1}, extra={"id": "fc_1", "status": "completed"}),
        ToolCallBlock(id="d", name="g", kind="custom", arguments="in"),
        OtherBlock(kind="code_interpreter_call", extra={"id": "ci_1", "code": "1+1"}),
        TextBlock(text="t", extra={"annotations": [note], "item": ITEM}),
        RefusalBlock(text="no"),
    )
    assert chunks == ((0, 1), (1, 1), (2, 4), (2, 3), (3, 2), (5, 1), (6, 2))


def test_the_end_tells_all_again():
    end = {"type": "response.completed", "response": reply(message(text("Hello")))}
    response, chunks = RESPONSES.decode_stream([*OPEN, {"type": "response.of_next_year"}, end])
    assert (response.content[0].text, response.stop_reason, chunks) == ("Hello", "end_turn", ((0, 2), (0, 3)))


def test_an_end_without_output_leaves_the_items_that_were_streamed():
    item = message(text("Hello", logprobs=[]))
    end = {"type": "response.completed", "response": reply()}
    response, _ = RESPONSES.decode_stream([*OPEN, done(0, item), end])
    assert response == RESPONSES.decode_response(reply(item))


def test_what_was_encrypted_twice_is_told_twice():
    first, second = ({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": each} for each in "ab")
    end = {"type": "response.completed", "response": reply(second)}
    response, _ = RESPONSES.decode_stream([created(), added(0, first), done(0, first), end])
    assert response.content == (ThinkingBlock(text="", signature="b", extra={"item": {"id": "rs_1"}}),)
    assert response.extra == {"streamed_items": {"0": {"encrypted_content": "a"}}}
    events = parse_stream_body(b"".join(RESPONSES.encode_stream(response, {}))).values
    told = [event["item"]["encrypted_content"] for event in events if event["type"] == "response.output_item.done"]
    assert (told, events[-1]["response"]["output"][0]["encrypted_content"]) == (["a"], "b")
    assert RESPONSES.decode_stream(events)[0] == response
    assert "streamed_items" not in RESPONSES.encode_response(response, REQUEST)


@pytest.mark.parametrize(
    ("events", "place"),
    [
        ([{}], "event 0: $.type"),
        ([created(), {"type": "response.of_next_year"}], "event 1: $.type"),
        ([{"type": "error", "message": "x"}], "event 0: $.error"),
        ([{"type": "response.failed", "response": {}}], "event 0: $.error"),
        ([{"type": "response.created"}], "event 0: $.response"),
        ([{"type": "response.output_item.added", "item": {}}], "event 0: $.output_index"),
        ([added(-1, {})], "event 0: $.output_index"),
        ([added(0, None)], "event 0: $.item"),
        ([delta("output_text", "x", content_index=0)], "event 0: $.output_index"),
        ([added(0, message()), delta("output_text", "x", content_index=3)], "event 1: $"),
        ([added(0, message()), delta("output_text", "x")], "event 1: $.content_index"),
        ([added(0, message()), delta("output_text", None, content_index=0)], "event 1: $.delta"),
        ([added(0, {**CALL, "arguments": 7}), delta("function_call_arguments", "x")], "event 1: $.delta"),
        (
            [added(0, {"type": "message", "content": 7}), delta("output_text", "x", content_index=0)],
            "event 1: $.content",
        ),
    ],
)
def test_what_is_no_stream_is_refused_by_event(events, place):
    with pytest.raises(DialectError) as caught:
        RESPONSES.decode_stream(events)
    assert caught.value.place == place


def test_pieces_that_do_not_fit_are_set_aside():
    response = RESPONSES.decode_response(reply(message(text("one two")), CALL))
    for chunks in (((0, 3),), ((0, 8),), ((7, 1),), ((0, 7), (1, 0), (1, 2)), None):
        events = parse_stream_body(b"".join(RESPONSES.encode_stream(response, {}, chunks))).values
        assert [each["delta"] for each in events if each["type"].endswith(".delta")] == ["one", " two", "{}"]


# --- errors -------------------------------------------------------------------------------------

QUOTA = {"error": {"message": "no quota", "type": "insufficient_quota", "code": "insufficient_quota", "param": None}}


def test_errors_are_kept_as_they_came():
    error = RESPONSES.decode_error(429, QUOTA)
    assert error == ModelError(message="no quota", status=429, kind="insufficient_quota", body=QUOTA)
    assert RESPONSES.encode_error(error) == (429, QUOTA)


@pytest.mark.parametrize("body", [None, "<html>bad gateway</html>", {}, {"error": 7}, {"error": {"message": None}}])
def test_an_error_of_any_other_form_is_told_in_the_api_s_own(body):
    status, told = RESPONSES.encode_error(RESPONSES.decode_error(502, body))
    assert status == 502
    if not isinstance(body, dict):
        assert told["error"]["message"]


@pytest.mark.parametrize(
    ("event", "message", "kind"),
    [
        ({"type": "error", "code": "server_error", "message": "x", "param": None}, "x", "server_error"),
        ({"type": "error", **QUOTA}, "no quota", "insufficient_quota"),
        (
            {"type": "response.failed", "response": reply(error={"code": "server_error", "message": "x"})},
            "x",
            "server_error",
        ),
    ],
)
def test_an_event_that_breaks_a_stream_off_is_an_error(event, message, kind):
    error = RESPONSES.decode_error(200, event)
    assert (error.message, error.kind, error.status, error.body) == (message, kind, 200, event)
    [told] = parse_stream_body(b"".join(RESPONSES.encode_break(None, error, {}))).values
    assert told == {**event, "sequence_number": 0}


def test_an_error_that_was_no_event_becomes_one():
    [told] = parse_stream_body(b"".join(RESPONSES.encode_break(None, ModelError(message="x"), {}))).values
    assert told == {"type": "error", "code": None, "message": "x", "param": None, "sequence_number": 0}
