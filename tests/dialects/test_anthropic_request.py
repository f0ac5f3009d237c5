"""Messages requests: every form of content, both ways."""

from __future__ import annotations

import pytest

from runwright.dialects import DIALECTS, dialect_for_path
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

MESSAGES = DIALECTS["anthropic.messages"]
USER = {"role": "user", "content": "hi"}
MARK = {"type": "ephemeral", "ttl": "1h"}
PNG = {"type": "base64", "media_type": "image/png", "data": "AAAA"}


def body(*messages, **fields):
    return {"model": "claude-test-1", "max_tokens": 9, "messages": list(messages), **fields}


def one(message) -> Message:
    """The message as the model sees it, after checking that it comes back as it went in."""
    request, _ = MESSAGES.decode_request(body(message))
    assert MESSAGES.encode_request(request, False)["messages"] == [message]
    return request.messages[0]


def block(wire):
    """One block of a user's message."""
    return one({"role": "user", "content": [wire, {"type": "text", "text": "."}]}).content[0]


def same(first, second) -> None:
    assert MESSAGES.decode_request(first) == MESSAGES.decode_request(second)


def differ(first, second) -> None:
    assert MESSAGES.decode_request(first) != MESSAGES.decode_request(second)


def refused(place: str, kind: str, *messages, **fields) -> None:
    with pytest.raises(DialectError) as caught:
        MESSAGES.decode_request(body(*messages, **fields))
    assert caught.value.place == place
    assert kind in caught.value.message


def test_the_path_is_known_whatever_its_prefix_and_query():
    for path in ("/v1/messages", "/v1/messages?beta=true", "/anthropic/v1/messages", "https://x.test/v1/messages?a=b"):
        assert dialect_for_path(path) is MESSAGES
    for path in (
        "/v1/messages/count_tokens",
        "/v1/messages/batches",
        "/v1/messages/",
        "/v1/complete",
        "/x?y=/v1/messages",
    ):
        assert dialect_for_path(path) is None


# --- the system prompt --------------------------------------------------------------------------


def test_the_system_prompt_is_the_first_message():
    request, _ = MESSAGES.decode_request(body(USER, system="be brief"))
    assert request.messages == (
        Message(role="system", content=(TextBlock(text="be brief"),)),
        Message(role="user", content=(TextBlock(text="hi"),)),
    )
    assert MESSAGES.encode_request(request, False) == body(USER, system="be brief")


def test_system_blocks_and_their_marks_come_back():
    blocks = [{"type": "text", "text": "a"}, {"type": "text", "text": "b", "cache_control": MARK}]
    request, _ = MESSAGES.decode_request(body(USER, system=blocks))
    assert request.messages[0].content == (TextBlock(text="a"), TextBlock(text="b", cache=MARK))
    assert MESSAGES.encode_request(request, False) == body(USER, system=blocks)


def test_a_system_string_is_one_text_block():
    same(body(USER, system="s"), body(USER, system=[{"type": "text", "text": "s"}]))
    same(body(USER, system=None), body(USER))
    same(body(USER, system=[]), body(USER))
    differ(body(USER, system="s"), body(USER))


def test_a_system_message_among_the_others_is_none_of_the_prompt():
    told = {"role": "system", "content": "s"}
    for wire in (body(told, USER), body(told, USER, system="p"), body(USER, told)):
        request, _ = MESSAGES.decode_request(wire)
        assert MESSAGES.encode_request(request, False) == wire
    differ(body(told, USER), body(USER, system="s"))


# --- blocks -------------------------------------------------------------------------------------


def test_a_string_is_one_text_block():
    assert one(USER) == Message(role="user", content=(TextBlock(text="hi"),))
    same(body({"role": "user", "content": [{"type": "text", "text": "hi"}]}), body(USER))
    assert one({"role": "assistant", "content": []}).content == ()


def test_text_with_a_mark_and_citations():
    cited = [{"type": "char_location", "cited_text": "x", "document_index": 0}]
    wire = {"type": "text", "text": "a", "citations": cited, "cache_control": MARK}
    assert block(wire) == TextBlock(text="a", cache=MARK, extra={"citations": cited})
    same(
        body({"role": "user", "content": [{"type": "text", "text": "a", "citations": None}]}),
        body({"role": "user", "content": "a"}),
    )


def test_images_from_every_source():
    assert block({"type": "image", "source": PNG}) == ImageBlock(
        source=Source(kind="base64", data="AAAA", media_type="image/png")
    )
    url = {"type": "image", "source": {"type": "url", "url": "https://x.test/i.png"}, "cache_control": MARK}
    assert block(url) == ImageBlock(source=Source(kind="url", data="https://x.test/i.png"), cache=MARK)
    file = {"type": "image", "source": {"type": "file", "file_id": "file_1"}, "transformations": {"resize": "none"}}
    assert block(file) == ImageBlock(
        source=Source(kind="file_id", data="file_1"), extra={"transformations": {"resize": "none"}}
    )


def test_documents_from_every_source():
    pdf = {"type": "base64", "media_type": "application/pdf", "data": "JVBE"}
    wire = {"type": "document", "source": pdf, "title": "a.pdf", "context": "c", "citations": {"enabled": True}}
    assert block({**wire, "cache_control": MARK}) == FileBlock(
        source=Source(kind="base64", data="JVBE", media_type="application/pdf"),
        name="a.pdf",
        cache=MARK,
        extra={"context": "c", "citations": {"enabled": True}},
    )
    text = {"type": "text", "media_type": "text/plain", "data": "words"}
    assert block({"type": "document", "source": text}).source == Source(
        kind="text", data="words", media_type="text/plain"
    )
    for source in ({"type": "url", "url": "https://x.test/a.pdf"}, {"type": "file", "file_id": "file_1"}):
        assert isinstance(block({"type": "document", "source": source}), FileBlock)


def test_a_document_of_content_blocks():
    blocks = [{"type": "text", "text": "a"}, {"type": "image", "source": PNG}]
    found = block({"type": "document", "source": {"type": "content", "content": blocks}})
    assert found == FileBlock(source=Source(kind="text", data=""), extra={"content": blocks})
    empty = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": ""}}
    assert block(empty) != found
    as_text = {"type": "document", "source": {"type": "content", "content": "a"}}
    as_blocks = {"type": "document", "source": {"type": "content", "content": [{"type": "text", "text": "a"}]}}
    same(body({"role": "user", "content": [as_text]}), body({"role": "user", "content": [as_blocks]}))


def test_search_results_and_uploads():
    texts = [{"type": "text", "text": "found"}]
    search = {"type": "search_result", "source": "https://x.test", "title": "X", "content": texts}
    assert block({**search, "citations": {"enabled": True}, "cache_control": MARK}) == FileBlock(
        source=Source(kind="url", data="https://x.test"),
        name="X",
        cache=MARK,
        extra={"type": "search_result", "content": texts, "citations": {"enabled": True}},
    )
    assert block({"type": "container_upload", "file_id": "file_1"}) == FileBlock(
        source=Source(kind="file_id", data="file_1"), extra={"type": "container_upload"}
    )


def test_an_assistant_turn_with_thinking_and_parallel_calls():
    turn = [
        {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "b3BhcXVl"},
        {"type": "text", "text": "so"},
        {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"a": 1}, "cache_control": MARK},
        {"type": "tool_use", "id": "toolu_2", "name": "g", "input": {}, "caller": {"type": "direct"}},
    ]
    assert one({"role": "assistant", "content": turn}).content == (
        ThinkingBlock(text="hm", signature="c2ln"),
        ThinkingBlock(text="b3BhcXVl", redacted=True),
        TextBlock(text="so"),
        ToolCallBlock(id="toolu_1", name="f", arguments={"a": 1}, cache=MARK),
        ToolCallBlock(id="toolu_2", name="g", arguments={}, extra={"caller": {"type": "direct"}}),
    )


RESULT = {"type": "tool_result", "tool_use_id": "toolu_1"}


@pytest.mark.parametrize(
    ("wire", "content"),
    [
        ({}, ()),
        ({"content": ""}, (TextBlock(text=""),)),
        ({"content": "42"}, (TextBlock(text="42"),)),
        (
            {"content": [{"type": "text", "text": "4"}, {"type": "text", "text": "2"}]},
            (TextBlock(text="4"), TextBlock(text="2")),
        ),
        (
            {"content": [{"type": "image", "source": PNG}]},
            (ImageBlock(source=Source(kind="base64", data="AAAA", media_type="image/png")),),
        ),
        (
            {"content": [{"type": "document", "source": {"type": "file", "file_id": "f"}}]},
            (FileBlock(source=Source(kind="file_id", data="f")),),
        ),
        (
            {"content": [{"type": "search_result", "source": "s", "title": "t", "content": []}]},
            (FileBlock(source=Source(kind="url", data="s"), name="t", extra={"type": "search_result", "content": []}),),
        ),
        (
            {"content": [{"type": "tool_reference", "tool_name": "x"}]},
            (OtherBlock(kind="tool_reference", extra={"tool_name": "x"}),),
        ),
    ],
)
def test_tool_results_in_every_form(wire, content):
    assert block({**RESULT, **wire}) == ToolResultBlock(call_id="toolu_1", content=content)


def test_an_empty_list_is_no_content():
    same(
        body({"role": "user", "content": [{**RESULT, "content": []}]}),
        body({"role": "user", "content": [RESULT]}),
    )


@pytest.mark.parametrize("is_error", [True, False])
def test_whether_a_result_is_an_error_is_kept(is_error):
    wire = {**RESULT, "content": "x", "is_error": is_error, "cache_control": MARK, "toolset_name": "computer"}
    assert block(wire) == ToolResultBlock(
        call_id="toolu_1",
        content=(TextBlock(text="x"),),
        is_error=is_error,
        cache=MARK,
        extra={"toolset_name": "computer"},
    )


@pytest.mark.parametrize(
    "wire",
    [
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "q"}},
        {
            "type": "web_search_tool_result",
            "tool_use_id": "srvtoolu_1",
            "content": [{"type": "web_search_result", "url": "u", "title": "t", "encrypted_content": "e"}],
            "cache_control": MARK,
        },
        {"type": "mcp_tool_use", "id": "mcptoolu_1", "name": "n", "server_name": "s", "input": {}},
        {"type": "mcp_tool_result", "tool_use_id": "mcptoolu_1", "is_error": False, "content": "x"},
        {"type": "code_execution_tool_result", "tool_use_id": "srvtoolu_2", "content": {"type": "x", "stdout": ""}},
        {"type": "compaction", "content": "what was said"},
        {"type": "block_of_next_year", "field": [1, None, {"deep": True}]},
    ],
    ids=lambda wire: wire["type"],
)
def test_the_provider_s_own_blocks_come_back_as_they_came(wire):
    found = block(wire)
    assert isinstance(found, OtherBlock)
    assert (found.kind, found.cache) == (wire["type"], wire.get("cache_control"))
    assert {"type": found.kind, **found.extra} == {name: wire[name] for name in wire if name != "cache_control"}


# --- tools and parameters -----------------------------------------------------------------------


def test_tools_of_every_kind():
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    tools = [
        {"name": "f", "description": "d", "input_schema": schema, "strict": True, "cache_control": MARK},
        {"type": "web_search_20250305", "name": "web_search", "max_uses": 5},
        {"type": "mcp_toolset", "mcp_server_name": "s"},
        {"type": "computer_20250124", "name": "computer", "display_width_px": 8},
    ]
    request, _ = MESSAGES.decode_request(body(USER, tools=tools))
    assert request.tools == (
        ToolSpec(name="f", description="d", parameters=schema, extra={"strict": True, "cache_control": MARK}),
        ToolSpec(name="web_search", kind="web_search_20250305", extra={"max_uses": 5}),
        ToolSpec(name="mcp_toolset", kind="mcp_toolset", extra={"mcp_server_name": "s", "name": None}),
        ToolSpec(name="computer", kind="computer_20250124", extra={"display_width_px": 8}),
    )
    assert MESSAGES.encode_request(request, False)["tools"] == tools
    same(body(USER, tools=[{"type": "custom", "name": "f"}]), body(USER, tools=[{"name": "f"}]))
    same(body(USER, tools=[]), body(USER))


def test_every_other_field_is_a_parameter_verbatim():
    fields = {
        "temperature": 0.2,
        "top_k": None,
        "stop_sequences": ["END"],
        "thinking": {"type": "enabled", "budget_tokens": 1024},
        "tool_choice": {"type": "tool", "name": "f", "disable_parallel_tool_use": True},
        "metadata": {"user_id": "u"},
        "service_tier": "auto",
        "container": {"skills": []},
        "mcp_servers": [{"type": "url", "url": "https://x.test", "name": "s"}],
        "context_management": {"edits": [{"type": "clear_tool_uses_20250919"}]},
        "output_config": {"effort": "low"},
        "x_unheard_of": [1, {"b": None}],
    }
    request, streamed = MESSAGES.decode_request(body(USER, stream=True, **fields))
    assert request.parameters == {"max_tokens": 9, **fields}
    assert streamed
    assert MESSAGES.encode_request(request, streamed) == body(USER, stream=True, **fields)
    same(body(USER, stream=False), body(USER))


# --- what has no place --------------------------------------------------------------------------


def test_what_it_cannot_represent_is_refused_by_path_and_kind():
    m, c = "$.messages[0]", "$.messages[0].content[0]"

    def user(*blocks):
        return {"role": "user", "content": list(blocks)}

    refused("$.stream", "a string", USER, stream="yes")
    refused("$.system", "an integer", USER, system=7)
    refused("$.tools[0].name", "null", USER, tools=[{"input_schema": {}}])
    refused("$.tools[0].type", "a list", USER, tools=[{"type": ["x"], "name": "f"}])
    refused(f"{m}.role", "'tool'", {"role": "tool", "content": "x"})
    refused(f"{m}.content", "null", {"role": "user"})
    refused(f"{m}.content", "an object", {"role": "user", "content": {}})
    refused(f"{m}.clear_at", "a string", {"role": "system", "content": "x", "clear_at": "never"})
    refused(f"{c}.type", "null", user({"text": "x"}))
    refused(c, "a string", user("x"))
    refused(f"{c}.text", "an object", user({"type": "text", "text": {}}))
    refused(f"{c}.source.type", "'disk'", user({"type": "image", "source": {"type": "disk"}}))
    refused(f"{c}.source.type", "'text'", user({"type": "image", "source": {"type": "text", "data": "x"}}))
    refused(f"{c}.source.zoom", "an integer", user({"type": "image", "source": {**PNG, "zoom": 2}}))
    refused(f"{c}.cache_control", "an object", user({"type": "thinking", "thinking": "x", "cache_control": MARK}))
    refused(f"{c}.tool_use_id", "null", user({"type": "tool_result"}))
    refused(f"{c}.is_error", "a string", user({**RESULT, "is_error": "no"}))
    refused(f"{c}.content[0].type", "'tool_result'", user({**RESULT, "content": [RESULT]}))
    refused(f"{c}.input", "a string", user({"type": "tool_use", "id": "a", "name": "f", "input": "{}"}))
    refused(f"{c}.content", "field of a document", user({"type": "document", "source": PNG, "content": "x"}))


def test_missing_model_or_messages_is_refused():
    with pytest.raises(DialectError, match=r"\$\.model: expected a string, found null"):
        MESSAGES.decode_request({"messages": []})
    with pytest.raises(DialectError, match=r"\$\.messages: expected a list, found null"):
        MESSAGES.decode_request({"model": "m"})


@pytest.mark.parametrize(
    "message",
    [
        Message(role="user", content=(RefusalBlock(text="x"),)),
        Message(role="user", content=(AudioBlock(source=Source(kind="base64", data="x")),)),
        Message(role="user", content=(ImageBlock(source=Source(kind="url", data="x"), detail="low"),)),
        Message(role="user", content=(ImageBlock(source=Source(kind="url", data="x", media_type="image/png")),)),
        Message(role="user", content=(FileBlock(source=Source(kind="url", data="x"), extra={"type": "sheet"}),)),
        Message(role="user", content=(FileBlock(source=Source(kind="url", data="x"), extra={"content": []}),)),
        Message(role="assistant", content=(ThinkingBlock(text="x", redacted=True, signature="s"),)),
        Message(role="assistant", content=(ToolCallBlock(id="a", name="f", arguments_text="{"),)),
        Message(role="assistant", content=(ToolCallBlock(id="a", name="f", kind="custom", arguments={}),)),
        Message(role="user", name="ada", content=()),
        Message(role="critic", content=()),
    ],
)
def test_what_the_wire_cannot_say_is_refused_on_the_way_out(message):
    with pytest.raises(DialectError):
        MESSAGES.encode_request(ModelRequest(api="anthropic.messages", model="m", messages=(message,)), False)


@pytest.mark.parametrize("name", ["model", "system", "messages", "tools", "stream"])
def test_a_field_of_its_own_is_no_parameter(name):
    with pytest.raises(DialectError, match="cannot be a parameter"):
        MESSAGES.encode_request(ModelRequest(api="anthropic.messages", model="m", parameters={name: 1}), False)
