"""Gemini requests: every form is read, comes back the same, and what has no form is refused by name."""

from __future__ import annotations

import pytest

from runwright.dialects import DIALECTS, addressed, dialect_for_path, path_of
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

GEMINI = DIALECTS["gemini.generate_content"]


def body(*contents, **fields):
    return {"model": "gemini-2.5-flash", "contents": list(contents), **fields}


def content(*parts, role="user"):
    return {"role": role, "parts": list(parts)}


def read(*contents, **fields) -> tuple[Message, ...]:
    """The messages of a request, which comes back as the same."""
    decoded = GEMINI.decode_request(body(*contents, **fields))
    assert GEMINI.decode_request(GEMINI.encode_request(*decoded)) == decoded
    return decoded[0].messages


def data(media, text="aGk="):
    return Source(kind="base64", data=text, media_type=media)


@pytest.mark.parametrize(
    ("part", "block"),
    [
        ({"text": "x"}, TextBlock(text="x")),
        ({"text": "x", "thought": False, "thoughtSignature": None}, TextBlock(text="x")),
        ({"text": "x", "thoughtSignature": "c2ln"}, TextBlock(text="x", extra={"thoughtSignature": "c2ln"})),
        ({"text": "x", "thought_signature": "c2ln"}, TextBlock(text="x", extra={"thoughtSignature": "c2ln"})),
        ({"text": "x", "thought": True, "thoughtSignature": "c2ln"}, ThinkingBlock(text="x", signature="c2ln")),
        ({"inlineData": {"mimeType": "image/png", "data": "aGk="}}, ImageBlock(source=data("image/png"))),
        ({"inline_data": {"mime_type": "image/png", "data": "aGk="}}, ImageBlock(source=data("image/png"))),
        ({"inlineData": {"mimeType": "audio/wav", "data": "aGk="}}, AudioBlock(source=data("audio/wav"))),
        (
            {"inlineData": {"mimeType": "audio/wav", "data": "aGk=", "displayName": "a"}},
            FileBlock(source=data("audio/wav"), name="a"),
        ),
        (
            {"fileData": {"mimeType": "video/mp4", "fileUri": "files/1"}, "videoMetadata": {"fps": 2}},
            FileBlock(
                source=Source(kind="url", data="files/1", media_type="video/mp4"), extra={"videoMetadata": {"fps": 2}}
            ),
        ),
        ({"fileData": {"fileUri": "files/1"}}, FileBlock(source=Source(kind="url", data="files/1"))),
        (
            {"functionCall": {"name": "f"}, "thoughtSignature": "c2ln"},
            ToolCallBlock(id="f", name="f", arguments={}, extra={"id": None, "thoughtSignature": "c2ln"}),
        ),
        (
            {"functionCall": {"id": "c", "name": "f", "args": {"a": 1}}},
            ToolCallBlock(id="c", name="f", arguments={"a": 1}),
        ),
        (
            {"functionCall": {"id": "c", "name": "f", "odd": 1}},
            ToolCallBlock(id="c", name="f", arguments={}, extra={"functionCall": {"odd": 1}}),
        ),
        (
            {"functionResponse": {"id": "c", "name": "f", "response": {"a": [1, "ü"]}, "scheduling": "SILENT"}},
            ToolResultBlock(
                call_id="c",
                content=(TextBlock(text='{"a":[1,"ü"]}'),),
                extra={"name": "f", "functionResponse": {"scheduling": "SILENT"}},
            ),
        ),
        (
            {"executableCode": {"language": "PYTHON", "code": "1"}},
            OtherBlock(kind="executableCode", extra={"executableCode": {"language": "PYTHON", "code": "1"}}),
        ),
        ({"thoughtSignature": "c2ln"}, OtherBlock(kind="part", extra={"thoughtSignature": "c2ln"})),
    ],
)
def test_every_part(part, block):
    assert read(content(part)) == (Message(role="user", content=(block,)),)


def test_roles_are_those_of_the_trace():
    said = read(
        content({"text": "a"}),
        content({"text": "b"}, role="model"),
        {"parts": []},
        systemInstruction=content({"text": "c"}),
    )
    assert [each.role for each in said] == ["system", "user", "assistant", "user"]
    assert read(content({"text": "a"}), system_instruction={"parts": [{"text": "c"}]})[0] == said[0]


def test_calls_without_an_id_are_numbered_in_each_turn_and_so_are_their_results():
    call, answer = {"functionCall": {"name": "f"}}, {"functionResponse": {"name": "f", "response": {}}}
    said = read(
        content(call, role="model"),
        content(call, {"functionCall": {"name": "g"}}, role="model"),
        content(answer),
        content(answer),
        content(call, role="model"),
        content(answer, role="function"),
    )
    ids = [getattr(block, "id", None) or block.call_id for message in said for block in message.content]
    assert ids == ["f", "f#2", "g", "f", "f#2", "f", "f"]


def test_tools_however_they_are_grouped():
    f, g = {"name": "f", "parameters": {"type": "OBJECT"}}, {"name": "g", "parametersJsonSchema": {"type": "object"}}
    search = {"excludeDomains": ["x.test"]}
    whole = [{"functionDeclarations": [f, g]}, {"googleSearch": search}]
    request, streamed = GEMINI.decode_request(body(tools=whole))
    assert request.tools == (
        ToolSpec(name="f", parameters={"type": "OBJECT"}),
        ToolSpec(name="g", parameters={"type": "object"}, extra={"parametersJsonSchema": True}),
        ToolSpec(name="googleSearch", kind="googleSearch", extra=search),
    )
    assert GEMINI.encode_request(request, streamed)["tools"] == whole
    for tools in (
        [{"functionDeclarations": [f]}, {"functionDeclarations": [g], "googleSearch": search}],
        [
            {"function_declarations": [f, {"name": "g", "parameters_json_schema": {"type": "object"}}]},
            {"google_search": search},
        ],
    ):
        assert GEMINI.decode_request(body(tools=tools))[0].tools == request.tools


@pytest.mark.parametrize(
    ("path", "model", "streamed"),
    [
        ("/v1beta/models/gemini-2.5-flash:generateContent", "gemini-2.5-flash", False),
        ("/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse", "gemini-2.5-flash", True),
        ("/v1/projects/p/locations/l/publishers/google/models/gemini%2Dx:generateContent", "gemini-x", False),
    ],
)
def test_the_path_tells_the_model_and_whether_it_streams(path, model, streamed):
    assert dialect_for_path(path) is GEMINI
    wire = {"contents": [content({"text": "x"})], "model": "models/other"}
    request, told = GEMINI.decode_request(addressed(GEMINI, path, wire))
    assert (request.model, told) == (model, streamed)
    assert dialect_for_path(path_of(GEMINI, model, streamed=streamed)) is GEMINI
    assert addressed(GEMINI, path_of(GEMINI, model, streamed=streamed), {}) == {"model": model, "stream": streamed}


@pytest.mark.parametrize(
    "path", ["/v1beta/models", "/v1beta/models/x:countTokens", "/v1beta/models/x", "/models/a/b:generateContent"]
)
def test_no_other_path_is_this_api(path):
    assert dialect_for_path(path) is None


def test_a_deployment_in_the_path_is_the_model_of_a_body_without_one():
    chat = DIALECTS["openai.chat_completions"]
    path = "/openai/deployments/gpt%204o/chat/completions"
    assert dialect_for_path(path) is chat
    assert addressed(chat, path, {"messages": []}) == {"messages": [], "model": "gpt 4o"}
    assert addressed(chat, path, {"model": None})["model"] == "gpt 4o"
    assert addressed(chat, path, {"model": "gpt-5"}) == {"model": "gpt-5"}
    assert addressed(chat, "/v1/chat/completions", {}) == {}


@pytest.mark.parametrize(
    ("wire", "place"),
    [
        ({"contents": []}, "$.model"),
        ({"model": "m"}, "$.contents"),
        ({"model": "m", "contents": content({"text": "x"})}, "$.contents"),
        (body(stream="yes"), "$.stream"),
        (body(generationConfig={"candidateCount": 2}), "$.generationConfig.candidateCount"),
        (body(systemInstruction="x"), "$.systemInstruction"),
        (body(systemInstruction={"parts": [], "mood": 1}), "$.systemInstruction.mood"),
        (body(systemInstruction={"parts": []}, system_instruction={"parts": []}), "$.system_instruction"),
        (body("x"), "$.contents[0]"),
        (body(content(role="critic")), "$.contents[0].role"),
        (body({"parts": [], "mood": 1}), "$.contents[0].mood"),
        (body({"parts": {}}), "$.contents[0].parts"),
        (body(content("x")), "$.contents[0].parts[0]"),
        (body(content({"text": 7})), "$.contents[0].parts[0].text"),
        (body(content({"text": "x", "thought": "y"})), "$.contents[0].parts[0].thought"),
        (body(content({"text": "x", "inlineData": {}})), "$.contents[0].parts[0].inlineData"),
        (body(content({"inlineData": {"mimeType": "x"}})), "$.contents[0].parts[0].inlineData.data"),
        (body(content({"functionCall": {"args": {}}})), "$.contents[0].parts[0].functionCall.name"),
        (body(content({"functionCall": {"name": "f", "args": []}})), "$.contents[0].parts[0].functionCall.args"),
        (
            body(content({"functionCall": {"name": "f", "willContinue": True}})),
            "$.contents[0].parts[0].functionCall.willContinue",
        ),
        (
            body(content({"functionResponse": {"name": "f", "response": "x"}})),
            "$.contents[0].parts[0].functionResponse.response",
        ),
        (body(tools=[7]), "$.tools[0]"),
        (body(tools=[{"functionDeclarations": [{}]}]), "$.tools[0].functionDeclarations[0].name"),
        (body(tools=[{"googleSearch": 7}]), "$.tools[0].googleSearch"),
        (
            body(tools=[{"functionDeclarations": [{"name": "f", "parameters": {}, "parametersJsonSchema": {}}]}]),
            "$.tools[0].functionDeclarations[0].parametersJsonSchema",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_by_path(wire, place):
    with pytest.raises(DialectError) as caught:
        GEMINI.decode_request(wire)
    assert caught.value.place == place


RESULT = TextBlock(text='{"a":1}')


@pytest.mark.parametrize(
    "said",
    [
        Message(role="user", content=(TextBlock(text="x"),), name="Ann"),
        Message(role="model", content=(TextBlock(text="x"),)),
        Message(role="user", content=(TextBlock(text="x", cache={"type": "ephemeral"}),)),
        Message(role="user", content=(TextBlock(text="x", extra={"thought": True}),)),
        Message(role="assistant", content=(RefusalBlock(text="x"),)),
        Message(role="assistant", content=(ThinkingBlock(text="x", redacted=True),)),
        Message(role="assistant", content=(ToolCallBlock(id="c", name="f", kind="custom", arguments="x"),)),
        Message(role="assistant", content=(ToolCallBlock(id="c", name="f", arguments_text="{"),)),
        Message(role="assistant", content=(ToolCallBlock(id="c", name="f", arguments={}, extra={"id": None}),)),
        Message(role="user", content=(ToolResultBlock(call_id="c", content=(RESULT,)),)),
        Message(role="user", content=(ToolResultBlock(call_id="c", content=(), extra={"name": "f"}),)),
        Message(role="user", content=(ToolResultBlock(call_id="c", content=(RESULT, RESULT), extra={"name": "f"}),)),
        Message(
            role="user", content=(ToolResultBlock(call_id="c", content=(TextBlock(text="x"),), extra={"name": "f"}),)
        ),
        Message(
            role="user", content=(ToolResultBlock(call_id="c", content=(RESULT,), is_error=True, extra={"name": "f"}),)
        ),
        Message(role="user", content=(ImageBlock(source=data("application/pdf")),)),
        Message(role="user", content=(ImageBlock(source=data("image/png"), detail="low"),)),
        Message(role="user", content=(ImageBlock(source=Source(kind="file_id", data="x")),)),
        Message(role="user", content=(AudioBlock(source=data("audio/wav"), format="wav"),)),
        Message(role="user", content=(FileBlock(source=data("image/png")),)),
        Message(role="user", content=(OtherBlock(kind="x", extra={"y": {}}),)),
    ],
)
def test_what_the_wire_cannot_say_is_refused_on_the_way_out(said):
    messages = (Message(role="user", content=(TextBlock(text="first"),)), said)
    with pytest.raises(DialectError):
        GEMINI.encode_request(ModelRequest(api="gemini.generate_content", model="m", messages=messages), False)


@pytest.mark.parametrize(
    "tool",
    [
        ToolSpec(name="a", kind="googleSearch"),
        ToolSpec(name="googleSearch", kind="googleSearch", description="x"),
        ToolSpec(name="google_search", kind="google_search"),
        ToolSpec(name="f", extra={"parametersJsonSchema": True}),
    ],
)
def test_tools_that_have_no_form(tool):
    with pytest.raises(DialectError):
        GEMINI.encode_request(ModelRequest(api="gemini.generate_content", model="m", tools=(tool,)), False)


def test_a_field_of_its_own_is_no_parameter():
    request = ModelRequest(api="gemini.generate_content", model="m", parameters={"system_instruction": "x"})
    with pytest.raises(DialectError):
        GEMINI.encode_request(request, False)


def test_the_order_of_keys_in_a_result_is_no_part_of_it():
    gemini = DIALECTS["gemini.generate_content"]

    def request(**response):
        part = {"functionResponse": {"name": "look_up", "response": response}}
        return gemini.decode_request({"model": "gemini-x", "contents": [{"role": "user", "parts": [part]}]})[0]

    assert request(state="shipped", amount=40) == request(amount=40, state="shipped")
    assert request(state="shipped", amount=40) != request(amount=41, state="shipped")
