"""Chat Completions requests: every content form, both ways."""

from __future__ import annotations

import pytest

from runwright.dialects import DIALECTS, dialect_for_path
from runwright.errors import DialectError
from runwright.trace.model import (
    AudioBlock,
    FileBlock,
    ImageBlock,
    Message,
    OtherBlock,
    RefusalBlock,
    Source,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    ToolSpec,
)

CHAT = DIALECTS["openai.chat_completions"]
USER = {"role": "user", "content": "hi"}
CALL = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": '{"a":1}'}}


def body(*messages, **fields):
    return {"model": "gpt-4o", "messages": list(messages), **fields}


def one(message) -> Message:
    """The message as the model sees it, after checking that it comes back as it went in."""
    request, _ = CHAT.decode_request(body(message))
    assert CHAT.encode_request(request, False)["messages"] == [message]
    return request.messages[0]


def same(first, second) -> None:
    """Two wire messages are equal in normal form."""
    assert CHAT.decode_request(body(first)) == CHAT.decode_request(body(second))


def refused(place: str, kind: str, *messages, **fields) -> None:
    with pytest.raises(DialectError) as caught:
        CHAT.decode_request(body(*messages, **fields))
    assert caught.value.place == place
    assert kind in caught.value.message


def test_the_path_is_known_whatever_its_prefix():
    for path in ("/v1/chat/completions", "/chat/completions", "/openai/deployments/x/chat/completions"):
        assert dialect_for_path(path) is CHAT
    assert dialect_for_path("/v1/completions") is None


@pytest.mark.parametrize("role", ["system", "developer", "user"])
def test_a_string_is_one_text_block(role):
    assert one({"role": role, "content": "hi"}) == Message(role=role, content=(TextBlock(text="hi"),))


def test_name_is_kept():
    assert one({"role": "user", "content": "hi", "name": "ada"}).name == "ada"


def test_content_parts():
    parts = [
        {"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}},
        {"type": "text", "text": "b", "prompt_cache_breakpoint": {"mode": "explicit"}, "x_note": [1]},
        {"type": "image_url", "image_url": {"url": "https://x.test/i.png", "detail": "low"}},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "image_url", "image_url": {"url": "data:,odd"}},
        {"type": "input_audio", "input_audio": {"data": "UklG", "format": "wav"}},
        {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBE"}},
        {"type": "file", "file": {"file_id": "file-1"}, "cache_control": {"type": "ephemeral"}},
    ]
    assert one({"role": "user", "content": parts}).content == (
        TextBlock(text="a", cache={"type": "ephemeral"}),
        TextBlock(text="b", cache={"prompt_cache_breakpoint": {"mode": "explicit"}}, extra={"x_note": [1]}),
        ImageBlock(source=Source(kind="url", data="https://x.test/i.png"), detail="low"),
        ImageBlock(source=Source(kind="base64", data="AAAA", media_type="image/png")),
        ImageBlock(source=Source(kind="url", data="data:,odd")),
        AudioBlock(source=Source(kind="base64", data="UklG"), format="wav"),
        FileBlock(source=Source(kind="base64", data="JVBE", media_type="application/pdf"), name="a.pdf"),
        FileBlock(source=Source(kind="file_id", data="file-1"), cache={"type": "ephemeral"}),
    )


def test_assistant_with_text_refusal_audio_and_parallel_calls():
    custom = {"id": "call_2", "type": "custom", "custom": {"name": "sql", "input": "select 1"}}
    message = {
        "role": "assistant",
        "content": "so",
        "refusal": "no",
        "reasoning_content": "hm",
        "audio": {"id": "audio_1"},
        "tool_calls": [CALL, custom],
    }
    assert one(message).content == (
        ThinkingBlock(text="hm"),
        TextBlock(text="so"),
        RefusalBlock(text="no"),
        AudioBlock(source=Source(kind="file_id", data="audio_1")),
        ToolCallBlock(id="call_1", name="f", arguments={"a": 1}),
        ToolCallBlock(id="call_2", name="sql", arguments="select 1", kind="custom"),
    )


def test_refusal_parts():
    parts = [{"type": "refusal", "refusal": "no"}, {"type": "text", "text": "so"}]
    assert one({"role": "assistant", "content": parts}).content == (RefusalBlock(text="no"), TextBlock(text="so"))


def test_tool_results_as_string_and_as_list():
    text = one({"role": "tool", "tool_call_id": "call_1", "content": "42"})
    assert text.content == (ToolResultBlock(call_id="call_1", content=(TextBlock(text="42"),)),)
    parts = [{"type": "text", "text": "4"}, {"type": "text", "text": "2"}]
    listed = one({"role": "tool", "tool_call_id": "call_1", "content": parts})
    assert listed.content == (ToolResultBlock(call_id="call_1", content=(TextBlock(text="4"), TextBlock(text="2"))),)


@pytest.mark.parametrize(
    ("text", "value", "kept"),
    [
        ('{"a":1}', {"a": 1}, None),
        ('{"a": 1}', {"a": 1}, '{"a": 1}'),
        ('{"a":"\\u00e9"}', {"a": "é"}, '{"a":"\\u00e9"}'),
        ("", None, ""),
        ('{"a":', None, '{"a":'),
        ("null", None, None),
        ('{"a":18446744073709551616}', None, '{"a":18446744073709551616}'),
        ('{"a":1,"a":2}', None, '{"a":1,"a":2}'),
        ('{"a":NaN}', None, '{"a":NaN}'),
        ('{"a":"\\ud800"}', None, '{"a":"\\ud800"}'),
        ("[" * 200 + "]" * 200, None, "[" * 200 + "]" * 200),
        ("[" * 2000 + "]" * 2000, None, "[" * 2000 + "]" * 2000),
    ],
)
def test_argument_text_comes_back_exactly(text, value, kept):
    call = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": text}}
    block = one({"role": "assistant", "content": None, "tool_calls": [call]}).content[0]
    assert block == ToolCallBlock(id="call_1", name="f", arguments=value, arguments_text=kept)


def test_an_echoed_sdk_message_equals_the_short_form():
    echoed = {
        "role": "assistant",
        "content": None,
        "refusal": None,
        "annotations": [],
        "audio": None,
        "function_call": None,
        "tool_calls": [CALL],
    }
    same(echoed, {"role": "assistant", "tool_calls": [CALL]})
    same({"role": "assistant", "content": "a", "tool_calls": None}, {"role": "assistant", "content": "a"})


def test_normal_form():
    same({"role": "user", "content": [{"type": "text", "text": "hi"}]}, USER)
    same({"role": "assistant", "content": []}, {"role": "assistant", "content": None})
    same(
        {"role": "system", "content": "s", "cache_control": {"type": "ephemeral"}},
        {"role": "system", "content": [{"type": "text", "text": "s", "cache_control": {"type": "ephemeral"}}]},
    )
    empty, absent = {"role": "assistant", "content": ""}, {"role": "assistant", "content": None}
    assert CHAT.decode_request(body(empty)) != CHAT.decode_request(body(absent))


def test_annotations_are_kept_on_the_text():
    note = {"type": "url_citation", "url_citation": {"url": "https://x.test"}}
    message = {"role": "assistant", "content": "see", "annotations": [note]}
    assert one(message).content == (TextBlock(text="see", extra={"annotations": [note]}),)


def test_tools_of_both_kinds_with_everything_beside():
    tools = [
        {
            "type": "function",
            "function": {"name": "f", "description": "d", "parameters": {"type": "object"}, "strict": True},
            "cache_control": {"type": "ephemeral"},
        },
        {"type": "function", "function": {"name": "bare"}},
        {"type": "custom", "custom": {"name": "sql", "description": "q", "format": {"type": "text"}}},
    ]
    request, _ = CHAT.decode_request(body(USER, tools=tools))
    outer = {"outer": {"cache_control": {"type": "ephemeral"}}}
    assert request.tools == (
        ToolSpec(name="f", description="d", parameters={"type": "object"}, extra={"strict": True, **outer}),
        ToolSpec(name="bare"),
        ToolSpec(name="sql", kind="custom", description="q", extra={"format": {"type": "text"}}),
    )
    assert CHAT.encode_request(request, False)["tools"] == tools


def test_every_other_field_is_a_parameter_verbatim():
    fields = {
        "temperature": 0.2,
        "response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": {}, "strict": True}},
        "tool_choice": {"type": "function", "function": {"name": "f"}},
        "n": 1,
        "seed": None,
        "x_unheard_of": [1, {"b": None}],
    }
    request, streamed = CHAT.decode_request(body(USER, stream=True, stream_options={"include_usage": True}, **fields))
    assert request.parameters == fields
    assert streamed
    assert CHAT.encode_request(request, streamed) == body(USER, stream=True, **fields)


def test_what_it_cannot_represent_is_refused_by_path_and_kind():
    m = "$.messages[0]"
    refused("$.n", "2", USER, n=2)
    refused("$.functions", "a list", USER, functions=[{}])
    refused("$.function_call", "a string", USER, function_call="auto")
    refused("$.stream", "a string", USER, stream="yes")
    refused("$.tools[0].type", "'web_search'", USER, tools=[{"type": "web_search"}])
    refused(f"{m}.role", "'function'", {"role": "function", "name": "f", "content": "1"})
    refused(f"{m}.function_call", "an object", {"role": "assistant", "function_call": {"name": "f", "arguments": ""}})
    refused(f"{m}.content", "an integer", {"role": "user", "content": 7})
    refused(f"{m}.content[0].type", "'video_url'", {"role": "user", "content": [{"type": "video_url"}]})
    refused(f"{m}.content[0].text", "an object", {"role": "user", "content": [{"type": "text", "text": {}}]})
    refused(f"{m}.tool_call_id", "null", {"role": "tool", "content": "1"})
    refused(f"{m}.mood", "a string", {"role": "user", "content": "x", "mood": "odd"})
    call = {"id": "c", "type": "mcp", "mcp": {}}
    refused(f"{m}.tool_calls[0].type", "'mcp'", {"role": "assistant", "tool_calls": [call]})
    refused(
        f"{m}.tool_calls[0].extra_content",
        "an object",
        {"role": "assistant", "tool_calls": [CALL | {"extra_content": {"g": 1}}]},
    )
    arguments = {"id": "c", "type": "function", "function": {"name": "f", "arguments": {"a": 1}}}
    refused(f"{m}.tool_calls[0].function.arguments", "an object", {"role": "assistant", "tool_calls": [arguments]})
    image = {"type": "image_url", "image_url": {"url": "https://x.test", "zoom": 2}}
    refused(f"{m}.content[0].image_url.zoom", "an integer", {"role": "user", "content": [image]})


@pytest.mark.parametrize(
    "message",
    [
        Message(role="user", content=(ThinkingBlock(text="x"),)),
        Message(role="assistant", content=(ThinkingBlock(text="x", signature="s"),)),
        Message(role="tool", content=(ToolResultBlock(call_id="c", is_error=True),)),
        Message(role="tool", content=(TextBlock(text="x"),)),
        Message(role="user", content=(ImageBlock(source=Source(kind="file_id", data="f")),)),
        Message(role="critic", content=()),
        Message(role="user", content=(OtherBlock(kind="server_tool_use"),)),
        Message(role="user", content=(ImageBlock(source=Source(kind="url", data="x"), extra={"zoom": 2}),)),
        Message(role="assistant", content=(ToolCallBlock(id="c", name="f", arguments={}, extra={"caller": {}}),)),
        Message(role="tool", content=(ToolResultBlock(call_id="c", extra={"toolset_name": "x"}),)),
        Message(role="assistant", content=(ThinkingBlock(text="x", extra={"item": {}}),)),
        Message(role="assistant", content=(RefusalBlock(text="x", extra={"item": {}}),)),
        Message(role="assistant", content=(RefusalBlock(text="x", extra={"item": {}}), TextBlock(text="y"))),
    ],
)
def test_what_the_wire_cannot_say_is_refused_on_the_way_out(message):
    request, _ = CHAT.decode_request(body())
    request = type(request)(api=request.api, model=request.model, messages=(message,))
    with pytest.raises(DialectError):
        CHAT.encode_request(request, False)


def test_missing_model_or_messages_is_refused():
    with pytest.raises(DialectError, match=r"\$\.model: expected a string, found null"):
        CHAT.decode_request({"messages": []})
    with pytest.raises(DialectError, match=r"\$\.messages: expected a list, found null"):
        CHAT.decode_request({"model": "m"})
