"""Responses requests: every form is read, comes back the same, and what has no form is refused by name."""

from __future__ import annotations

import pytest

from runwright.dialects import DIALECTS
from runwright.errors import DialectError
from runwright.trace.model import (
    AudioBlock,
    FileBlock,
    ImageBlock,
    Message,
    ModelRequest,
    OtherBlock,
    RefusalBlock,
    Source,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    ToolSpec,
)

RESPONSES = DIALECTS["openai.responses"]


def body(*items, **fields):
    return {"model": "gpt-5", "input": list(items), **fields}


def read(*items, **fields) -> tuple[Message, ...]:
    """The messages of a request, which comes back as the same."""
    decoded = RESPONSES.decode_request(body(*items, **fields))
    assert RESPONSES.decode_request(RESPONSES.encode_request(*decoded)) == decoded
    return decoded[0].messages


def message(*parts, role="user", **fields):
    return {"type": "message", "role": role, "content": list(parts), **fields}


def test_a_text_a_message_of_one_text_and_a_list_of_one_part_say_the_same():
    asked = Message(role="user", content=(TextBlock(text="hi"),))
    said = RESPONSES.decode_request({"model": "m", "input": "hi"})[0].messages
    assert said == (asked,)
    assert read({"role": "user", "content": "hi"}) == said
    assert read(message({"type": "input_text", "text": "hi"})) == said


def test_instructions_are_the_first_message():
    assert read({"role": "user", "content": "hi"}, instructions="Be short.")[0] == Message(
        role="system", content=(TextBlock(text="Be short."),)
    )
    assert [each.role for each in read({"role": "system", "content": "x"}, {"role": "user", "content": "hi"})] == [
        "system",
        "system",
        "user",
    ], "an empty one keeps the place of instructions that are not there"
    assert [each.role for each in read({"role": "developer", "content": "x"})] == ["developer"]


@pytest.mark.parametrize(
    ("part", "block"),
    [
        ({"type": "input_text", "text": "x", "odd": 1}, TextBlock(text="x", extra={"odd": 1})),
        ({"type": "output_text", "text": "x"}, TextBlock(text="x", extra={"type": "output_text"})),
        (
            {"type": "input_text", "text": "x", "prompt_cache_breakpoint": {"mode": "explicit"}},
            TextBlock(text="x", cache={"prompt_cache_breakpoint": {"mode": "explicit"}}),
        ),
        (
            {"type": "input_image", "image_url": "data:image/png;base64,aGk=", "detail": "low"},
            ImageBlock(source=Source(kind="base64", data="aGk=", media_type="image/png"), detail="low"),
        ),
        (
            {"type": "input_image", "image_url": "https://x.test/a.png"},
            ImageBlock(source=Source(kind="url", data="https://x.test/a.png")),
        ),
        ({"type": "input_image", "file_id": "file-1"}, ImageBlock(source=Source(kind="file_id", data="file-1"))),
        (
            {"type": "input_file", "file_data": "data:application/pdf;base64,aGk=", "filename": "a.pdf"},
            FileBlock(source=Source(kind="base64", data="aGk=", media_type="application/pdf"), name="a.pdf"),
        ),
        ({"type": "input_file", "file_id": "file-1"}, FileBlock(source=Source(kind="file_id", data="file-1"))),
        (
            {"type": "input_file", "file_url": "https://x.test/a.pdf"},
            FileBlock(source=Source(kind="url", data="https://x.test/a.pdf")),
        ),
        (
            {"type": "input_audio", "input_audio": {"data": "aGk=", "format": "wav"}},
            AudioBlock(source=Source(kind="base64", data="aGk="), format="wav"),
        ),
        (
            {"type": "part_of_next_year", "x": [None]},
            OtherBlock(kind="part_of_next_year", extra={"x": [None], "item": {}}),
        ),
    ],
)
def test_every_part(part, block):
    assert read(message(part)) == (Message(role="user", content=(block,)),)


def test_an_assistant_message_keeps_its_own_fields_on_its_first_part():
    parts = ({"type": "output_text", "text": "x", "annotations": []}, {"type": "refusal", "refusal": "y"})
    fields = {"id": "msg_1", "status": "completed", "phase": "commentary"}
    assert read(message(*parts, role="assistant", **fields)) == (
        Message(role="assistant", content=(TextBlock(text="x", extra={"item": fields}), RefusalBlock(text="y"))),
    )
    assert read(message(parts[1], role="assistant", id="msg_1"))[0].content == (
        RefusalBlock(text="y", extra={"item": {"id": "msg_1"}}),
    )
    assert read(message(role="assistant")) == (Message(role="assistant"),)
    [kept] = read(message(role="assistant", id="msg_1"))
    assert kept.content == (OtherBlock(kind="message", extra={"role": "assistant", "content": [], "id": "msg_1"}),)


def test_a_part_of_the_provider_s_own_is_no_item():
    item, part = {"type": "annex", "x": 1}, message({"type": "annex", "x": 1}, role="assistant")
    assert read(item) != read(part)
    assert RESPONSES.encode_request(RESPONSES.decode_request(body(item, part))[0], False)["input"] == [
        item,
        {"role": "assistant", "content": [{"type": "annex", "x": 1}]},
    ]


@pytest.mark.parametrize(
    ("fields", "blocks"),
    [
        ({"summary": []}, (ThinkingBlock(text="", extra={"item": {"id": "rs_1"}}),)),
        (
            {"summary": [{"type": "summary_text", "text": "a"}, {"type": "summary_text", "text": "b"}]},
            (ThinkingBlock(text="a", extra={"item": {"id": "rs_1"}}), ThinkingBlock(text="b")),
        ),
        (
            {"summary": [], "encrypted_content": "c2lnbmVk", "status": None},
            (ThinkingBlock(text="", signature="c2lnbmVk", extra={"item": {"id": "rs_1"}}),),
        ),
        (
            {"summary": [{"type": "summary_text", "text": ""}]},
            (ThinkingBlock(text="", extra={"type": "summary_text", "item": {"id": "rs_1"}}),),
        ),
        (
            {"summary": [], "content": [{"type": "reasoning_text", "text": "a"}]},
            (ThinkingBlock(text="a", extra={"type": "reasoning_text", "item": {"id": "rs_1"}}),),
        ),
    ],
)
def test_reasoning(fields, blocks):
    assert read({"type": "reasoning", "id": "rs_1", **fields}) == (Message(role="assistant", content=blocks),)
    [unnamed] = read({"type": "reasoning", **fields})
    assert unnamed.content[0].extra["item"] == {}, "no id is made up"


@pytest.mark.parametrize(
    ("item", "role", "block"),
    [
        (
            {"type": "function_call", "call_id": "c", "name": "f", "arguments": '{"a":1}', "id": "fc_1"},
            "assistant",
            ToolCallBlock(id="c", name="f", arguments={"a": 1}, extra={"id": "fc_1"}),
        ),
        (
            {"type": "function_call", "call_id": "c", "name": "f", "arguments": '{"a": 1', "status": None},
            "assistant",
            ToolCallBlock(id="c", name="f", arguments_text='{"a": 1'),
        ),
        (
            {"type": "custom_tool_call", "call_id": "c", "name": "f", "input": "{}"},
            "assistant",
            ToolCallBlock(id="c", name="f", kind="custom", arguments="{}"),
        ),
        (
            {"type": "function_call_output", "call_id": "c", "output": "sunny"},
            "tool",
            ToolResultBlock(call_id="c", content=(TextBlock(text="sunny"),)),
        ),
        (
            {"type": "function_call_output", "call_id": "c", "output": [], "id": "o", "status": "completed"},
            "tool",
            ToolResultBlock(call_id="c", extra={"id": "o", "status": "completed"}),
        ),
        (
            {
                "type": "custom_tool_call_output",
                "call_id": "c",
                "output": [{"type": "input_text", "text": "x"}, {"type": "input_file", "file_id": "f"}],
            },
            "tool",
            ToolResultBlock(
                call_id="c",
                content=(TextBlock(text="x"), FileBlock(source=Source(kind="file_id", data="f"))),
                extra={"type": "custom_tool_call_output"},
            ),
        ),
        ({"type": "mcp_call", "error": None}, "assistant", OtherBlock(kind="mcp_call", extra={"error": None})),
        ({"type": "shell_call_output", "x": 1}, "tool", OtherBlock(kind="shell_call_output", extra={"x": 1})),
        (
            {"type": "mcp_approval_response", "approve": True},
            "user",
            OtherBlock(kind="mcp_approval_response", extra={"approve": True}),
        ),
        ({"type": "item_reference", "id": "rs_1"}, "user", OtherBlock(kind="item_reference", extra={"id": "rs_1"})),
    ],
)
def test_every_other_item(item, role, block):
    assert read(item) == (Message(role=role, content=(block,)),)


def test_tools_of_every_kind():
    function = {"type": "function", "name": "f", "parameters": {"type": "object"}, "strict": True, "description": "d"}
    custom = {"type": "custom", "name": "g", "format": {"type": "grammar", "syntax": "lark", "definition": "x"}}
    mcp = {"type": "mcp", "server_label": "s", "server_url": "https://x.test/sse", "require_approval": "never"}
    request, streamed = RESPONSES.decode_request(body(tools=[function, custom, mcp]))
    assert request.tools == (
        ToolSpec(name="f", description="d", parameters={"type": "object"}, extra={"strict": True}),
        ToolSpec(name="g", kind="custom", extra={"format": custom["format"]}),
        ToolSpec(name="mcp", kind="mcp", extra={"name": None, **{key: mcp[key] for key in mcp if key != "type"}}),
    )
    assert RESPONSES.encode_request(request, streamed)["tools"] == [function, custom, mcp]


def test_what_the_provider_stores_is_a_parameter():
    stored = {"previous_response_id": "resp_1", "store": False, "conversation": {"id": "conv_1"}, "prompt": {"id": "p"}}
    request, streamed = RESPONSES.decode_request({"model": "m", "stream": True, "stream_options": {}, **stored})
    assert (request.parameters, request.messages, streamed) == (stored, (), True)
    again = RESPONSES.encode_request(request, streamed)
    assert again == {"model": "m", **stored, "input": [], "stream": True}


@pytest.mark.parametrize(
    ("wire", "place"),
    [
        ({"input": "x"}, "$.model"),
        ({"model": 7, "input": "x"}, "$.model"),
        ({"model": "m", "input": 7}, "$.input"),
        ({"model": "m", "input": "x", "stream": "yes"}, "$.stream"),
        ({"model": "m", "input": "x", "instructions": [{"role": "system"}]}, "$.instructions"),
        (body("x"), "$.input[0]"),
        (body({"content": "x"}), "$.input[0].type"),
        (body({"role": "critic", "content": "x"}), "$.input[0].role"),
        (body({"role": "user"}), "$.input[0].content"),
        (body({"role": "user", "content": "x", "item": 1}), "$.input[0].item"),
        (body(message("x")), "$.input[0].content[0]"),
        (body(message({"text": "x"})), "$.input[0].content[0].type"),
        (body(message({"type": "input_text"})), "$.input[0].content[0].text"),
        (body(message({"type": "input_image"})), "$.input[0].content[0].image_url"),
        (body(message({"type": "input_image", "image_url": "u", "file_id": "f"})), "$.input[0].content[0]"),
        (body(message({"type": "input_file", "filename": "a"})), "$.input[0].content[0]"),
        (body(message({"type": "input_audio", "input_audio": {"rate": 8}})), "$.input[0].content[0].input_audio.rate"),
        (body(message({"type": "input_audio", "input_audio": {"data": ""}}, id="m")), "$.input[0]"),
        (body({"type": "function_call", "call_id": "c", "name": "f", "arguments": {}}), "$.input[0].arguments"),
        (body({"type": "function_call", "name": "f", "arguments": "{}"}), "$.input[0].call_id"),
        (body({"type": "function_call_output", "call_id": "c", "output": 7}), "$.input[0].output"),
        (body({"type": "reasoning", "summary": [{"type": "text", "text": ""}]}), "$.input[0].summary.type"),
        (body({"type": "reasoning", "content": [{"type": "reasoning_text"}]}), "$.input[0].content.text"),
        (body(tools=[{"name": "f"}]), "$.tools[0].type"),
        (body(tools=[{"type": "function"}]), "$.tools[0].name"),
    ],
)
def test_what_cannot_be_read_is_refused_by_path(wire, place):
    with pytest.raises(DialectError) as caught:
        RESPONSES.decode_request(wire)
    assert caught.value.place == place


@pytest.mark.parametrize(
    "said",
    [
        Message(role="user", content=(TextBlock(text="x"),), name="Ann"),
        Message(role="critic", content=(TextBlock(text="x"),)),
        Message(role="user", content=(TextBlock(text="x", cache={"type": "ephemeral"}),)),
        Message(role="assistant", content=(TextBlock(text="x"), ToolCallBlock(id="c", name="f", arguments={}))),
        Message(role="user", content=(ToolCallBlock(id="c", name="f", arguments={}),)),
        Message(role="assistant", content=(ToolCallBlock(id="c", name="f", kind="mcp"),)),
        Message(role="tool", content=(ToolResultBlock(call_id="c", is_error=True),)),
        Message(role="tool", content=(ToolResultBlock(call_id="c"), ToolResultBlock(call_id="d"))),
        Message(role="tool", content=(ToolResultBlock(call_id="c", content=(ThinkingBlock(text="x"),)),)),
        Message(role="assistant", content=(ThinkingBlock(text="x", redacted=True),)),
        Message(role="assistant", content=(ThinkingBlock(text="x"), ThinkingBlock(text="y", signature="s"))),
        Message(role="assistant", content=(ThinkingBlock(text="x", extra={"mood": "odd"}),)),
        Message(role="user", content=(TextBlock(text="x"), TextBlock(text="y", extra={"item": {}}))),
        Message(role="user", content=(FileBlock(source=Source(kind="text", data="x")),)),
        Message(role="user", content=(ImageBlock(source=Source(kind="base64", data="x")),)),
        Message(role="user", content=(ImageBlock(source=Source(kind="url", data="x", media_type="image/png")),)),
        Message(role="user", content=(AudioBlock(source=Source(kind="url", data="x")),)),
        Message(role="assistant", content=(OtherBlock(kind="x", cache={"type": "ephemeral"}),)),
        Message(role="assistant", content=(TextBlock(text="x"), OtherBlock(kind="x"))),
        Message(role="tool"),
    ],
)
def test_what_the_wire_cannot_say_is_refused_on_the_way_out(said):
    messages = (Message(role="user", content=(TextBlock(text="first"),)), said)
    with pytest.raises(DialectError):
        RESPONSES.encode_request(ModelRequest(api="openai.responses", model="m", messages=messages), False)


def test_parameters_and_instructions_that_have_no_form():
    for request in (
        ModelRequest(api="openai.responses", model="m", parameters={"input": "x"}),
        ModelRequest(
            api="openai.responses",
            model="m",
            messages=(Message(role="system", content=(TextBlock(text="a"), TextBlock(text="b"))),),
        ),
        ModelRequest(api="openai.responses", model="m", tools=(ToolSpec(name="f", extra={"name": "g"}),)),
    ):
        with pytest.raises(DialectError):
            RESPONSES.encode_request(request, False)
