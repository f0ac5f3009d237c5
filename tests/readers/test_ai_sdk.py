"""Spans of the AI SDK: a genuine export of version 6, and what older and sparser ones say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from runwright.errors import ReaderError
from runwright.readers import read_foreign
from runwright.readers.spans.vercel import provider_and_api
from runwright.trace import dumps_trace, loads_trace
from runwright.trace.model import FileBlock, ImageBlock, ThinkingBlock, ToolCallBlock, ToolResultBlock, Trace, text_of
from tests.readers.exports import export, fixture, given, losses, span, words

ASKS, ANSWER = "Let me look.", "A-17 is on its way, B-4 waits in Århus."
CALL = "ai.generateText.doGenerate"
MESSAGES = [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}]


def drawn(number: int, operation: str, *, parent: int = 0, at: int = 0, **values: Any) -> dict[str, Any]:
    """A span of the SDK; further attributes have their dots written as `__`, and values that are no texts as JSON."""
    shown: dict[str, Any] = {"ai.operationId": operation, "ai.model.id": "m", "ai.model.provider": "openai.chat"}
    shown |= {key.replace("__", "."): value for key, value in values.items()}
    more = {"parentSpanId": f"{parent:016x}"} if parent else {}
    return span(
        number, {key: value for key, value in shown.items() if value is not None}, at=at, name=operation, **more
    )


def read(*spans: dict[str, Any]) -> Trace:
    trace = read_foreign(given(export(*spans, scope="ai")))
    assert loads_trace(dumps_trace(trace)) == trace
    return trace


def test_a_genuine_export_is_read_whole() -> None:
    """Counted in the file: five doGenerate or doStream spans of which one failed, four toolCall spans, two embeds."""
    trace = read_foreign(fixture("vercel.traces.json"))
    assert words(trace) == [ASKS, ANSWER, ASKS, ANSWER, ""]
    assert [each.streamed for each in trace.models] == [False, False, True, True, False]
    assert [each.agent for each in trace.models] == ["desk"] * 5
    assert {each.request.api for each in trace.models} == {"openai.chat_completions"}
    assert {each.request.provider for each in trace.models} == {"openai"}
    assert [(each.name, each.call_id, each.arguments, each.result) for each in trace.tools[:2]] == [
        ("lookup_order", "call_b4", {"order": "B-4"}, '{"state":"waiting"}'),
        ("lookup_order", "call_a17", {"order": "A-17"}, '{"state":"sent"}'),
    ]
    assert len(trace.tools) == 4
    assert [each.fidelity for each in trace.models] == ["reconstructed"] * 5
    assert [loss.count for loss in losses(trace, "unsupported") if "ai.embed" in loss.detail] == [1, 1]
    assert not losses(trace, "not_captured") + losses(trace, "not_representable")
    assert loads_trace(dumps_trace(trace)) == trace


def test_requests_are_as_the_wire_has_them() -> None:
    first, second = read_foreign(fixture("vercel.traces.json")).models[:2]
    assert first.request.parameters == {"temperature": 0.5, "tool_choice": "auto"}
    (tool,) = first.request.tools
    assert (tool.name, tool.description) == ("lookup_order", "Find an order")
    assert tool.parameters == {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]}
    assert set(first.unknown) == {"$.request.parameters.*", "$.request.messages[*].name"}
    assert [each.role for each in second.request.messages] == ["system", "user", "assistant", "tool", "tool"]
    assert second.request.messages[3].content == (
        ToolResultBlock(call_id="call_a17", content=second.request.messages[3].content[0].content),  # type: ignore[union-attr]
    )
    assert text_of(second.request.messages[3].content[0].content) == '{"state":"sent"}'  # type: ignore[union-attr]
    assert second.reconstructed == ("$.request.messages[3].content", "$.request.messages[4].content")


def test_arguments_keep_their_wire_text_where_the_span_has_it() -> None:
    plain, _, streamed = read_foreign(fixture("vercel.traces.json")).models[:3]
    texts = [
        block.arguments_text
        for each in (plain, streamed)
        for block in (each.response.content if each.response else ())
        if isinstance(block, ToolCallBlock)
    ]
    assert texts == ['{"order": "A-17"}', '{"order": "B-4"}', None, None]


def test_a_failed_call_is_an_error() -> None:
    failed = read_foreign(fixture("vercel.traces.json")).models[4]
    assert failed.response is None
    assert failed.error is not None
    assert (failed.error.kind, failed.error.message) == ("AI_APICallError", "The model `gone` does not exist")


def test_a_loop_and_its_calls_are_counted_once() -> None:
    outer = drawn(1, "ai.generateText", ai__prompt='{"prompt":"Hi"}', ai__response__text="Hello.")
    inner = drawn(2, CALL, parent=1, ai__prompt__messages=json.dumps(MESSAGES), ai__response__text="Hello.")
    assert len(read(outer, inner).models) == 1
    assert [each.ext["span_id"] for each in read(outer, inner).models] == [f"{2:016x}"]


def test_a_loop_whose_calls_were_not_exported_is_the_call() -> None:
    prompt = json.dumps({"system": "Be kind.", "messages": [{"role": "user", "content": "Hi"}]})
    trace = read(drawn(1, "ai.streamText", ai__prompt=prompt, ai__response__text="Hello."))
    (only,) = trace.models
    assert [(each.role, text_of(each.content)) for each in only.request.messages] == [
        ("system", "Be kind."),
        ("user", "Hi"),
    ]
    assert words(trace) == ["Hello."]


def test_a_function_that_calls_a_model_inside_a_tool_is_an_agent_within() -> None:
    spans = [
        drawn(1, "ai.generateText", ai__telemetry__functionId="desk"),
        drawn(2, CALL, parent=1, at=1, ai__prompt__messages=json.dumps(MESSAGES), ai__response__text="One."),
        drawn(
            3, "ai.toolCall", parent=1, at=12, ai__toolCall__name="ask", ai__toolCall__id="c1", ai__toolCall__args="{}"
        ),
        drawn(4, "ai.generateText", parent=3, at=13, ai__telemetry__functionId="helper"),
        drawn(5, CALL, parent=4, at=14, ai__prompt__messages=json.dumps(MESSAGES), ai__response__text="Two."),
    ]
    trace = read(*spans)
    assert [(each.agent, each.parent) for each in trace.models] == [("desk", None), ("helper", "t1")]
    assert trace.tools[0].agent == "desk"


def test_the_names_of_older_versions() -> None:
    history = [
        *MESSAGES,
        {"role": "assistant", "content": [
            {"type": "reasoning", "text": "Hm."},
            {"type": "tool-call", "toolCallId": "c1", "toolName": "f", "args": {"a": 1}},
        ]},
        {"role": "tool", "content": [
            {"type": "tool-result", "toolCallId": "c1", "toolName": "f", "result": "done", "isError": True},
        ]},
    ]  # fmt: skip
    old = drawn(
        1,
        "ai.streamText.doStream",
        ai__model__provider="anthropic.messages",
        ai__prompt__messages=json.dumps(history),
        ai__result__text="",
        ai__result__toolCalls=json.dumps([{"toolCallId": "c2", "toolName": "f", "args": '{"a":2}'}]),
        ai__finishReason="tool-calls",
        ai__usage__promptTokens=7,
        ai__usage__completionTokens=3,
    )
    (only,) = read(old).models
    assert only.request.api == "anthropic.messages"
    assert [each.role for each in only.request.messages] == ["user", "assistant", "user"]
    assert isinstance(only.request.messages[1].content[0], ThinkingBlock)
    (result,) = only.request.messages[2].content
    assert isinstance(result, ToolResultBlock)
    assert (result.call_id, result.is_error, text_of(result.content)) == ("c1", True, "done")
    assert only.response is not None
    assert only.response.stop_reason == "tool_calls"
    assert only.response.usage is not None
    assert (only.response.usage.input_tokens, only.response.usage.output_tokens) == (7, 3)
    assert [each.arguments for each in only.response.content if isinstance(each, ToolCallBlock)] == [{"a": 2}]


def test_content_that_was_switched_off_is_unknown_and_told() -> None:
    trace = read(drawn(1, CALL))
    (only,) = trace.models
    assert (only.fidelity, only.response.content if only.response else None) == ("none", ())
    assert {"$.request.messages", "$.response.content", "$.request.tools"} <= set(only.unknown)
    assert ["recordInputs" in each.detail for each in losses(trace, "not_captured")] == [True]


def test_a_call_without_tools_had_none() -> None:
    (only,) = read(drawn(1, CALL, ai__prompt__messages=json.dumps(MESSAGES), ai__response__text="Hi.")).models
    assert "$.request.tools" not in only.unknown


def test_objects_are_the_text_of_the_reply_and_their_tools_are_unknown() -> None:
    values = {"ai__prompt__messages": json.dumps(MESSAGES), "ai__response__object": '{"a":1}'}
    trace = read(drawn(1, "ai.generateObject.doGenerate", **values))
    assert words(trace) == ['{"a":1}']
    assert "$.request.tools" in trace.models[0].unknown


def test_tools_of_the_provider_are_unknown_and_told() -> None:
    tools = [
        '{"type":"function","name":"f","inputSchema":{}}',
        '{"type":"provider","name":"search","id":"openai.search"}',
    ]
    trace = read(drawn(1, CALL, ai__prompt__messages=json.dumps(MESSAGES), ai__prompt__tools=tools))
    assert [each.name for each in trace.models[0].request.tools] == ["f", "search"]
    assert "$.request.tools[1]" in trace.models[0].unknown
    assert losses(trace, "not_representable")


def test_files_and_images() -> None:
    parts = [
        {"type": "file", "mediaType": "image/png", "data": "aGk="},
        {"type": "file", "mediaType": "application/pdf", "data": "https://example.com/a.pdf"},
        {"type": "image", "image": "data:image/png;base64,aGk="},
    ]
    history = [{"role": "user", "content": parts}]
    (only,) = read(drawn(1, CALL, ai__prompt__messages=json.dumps(history), ai__response__text="x")).models
    assert [type(each) for each in only.request.messages[0].content] == [ImageBlock, FileBlock, ImageBlock]


@pytest.mark.parametrize(
    ("told", "provider", "api"),
    [
        ("openai.chat", "openai", "openai.chat_completions"),
        ("openai.responses", "openai", "openai.responses"),
        ("azure.responses", "azure", "openai.responses"),
        ("anthropic.messages", "anthropic", "anthropic.messages"),
        ("google.generative-ai", "google", "gemini.generate_content"),
        ("groq.chat", "groq", "openai.chat_completions"),
        ("amazon-bedrock", "amazon-bedrock", ""),
        ("", "", ""),
    ],
)
def test_the_provider_names_its_api(told: str, provider: str, api: str) -> None:
    assert provider_and_api(told) == (provider, api)


def test_embeddings_alone_are_no_run() -> None:
    with pytest.raises(ReaderError, match="none of them is a model call"):
        read(drawn(1, "ai.embed"), drawn(2, "ai.embed.doEmbed", parent=1))


@pytest.mark.parametrize(
    "odd", ["{", "[1]", "null", '{"messages": 5}', '"x"', '[{"role": "tool", "content": [{"type": "tool-result"}]}]']
)
def test_values_that_are_something_else(odd: str) -> None:
    keys = ("ai__prompt__messages", "ai__prompt", "ai__response__toolCalls", "ai__prompt__toolChoice")
    for operation in (CALL, "ai.generateText"):
        read(drawn(1, operation, ai__prompt__tools=[odd], ai__response__text="x", **dict.fromkeys(keys, odd)))
