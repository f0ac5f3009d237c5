"""What a model span shows in each dialect of attributes and events, and what it leaves unknown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from runwright.readers import read_foreign
from runwright.trace import canonical, plain
from runwright.trace.model import ImageBlock, ModelRecord, TextBlock, ThinkingBlock, ToolCallBlock, Trace, text_of
from tests.readers.exports import call, event, export, given, logs, losses, span, tool, words

TRACELOOP = "opentelemetry.instrumentation.openai.v1"
OPENINFERENCE = "openinference.instrumentation.openai"


def read(*documents: dict[str, Any]) -> Trace:
    return read_foreign(given(*documents))


def only(trace: Trace) -> ModelRecord:
    (exchange,) = trace.models
    return exchange


def asked(*parts: dict[str, Any], role: str = "user") -> str:
    return json.dumps([{"role": role, "parts": list(parts)}])


# --- parts --------------------------------------------------------------------------------------


def test_parts_that_stand_for_blocks() -> None:
    shown = asked(
        {"type": "text", "content": "Look:"},
        {"type": "uri", "modality": "image", "uri": "https://example.com/a.png"},
        {"type": "blob", "modality": "image", "mime_type": "image/png", "content": "AAAA"},
    )
    thought = asked({"type": "reasoning", "content": "Hm."}, {"type": "text", "content": "A cat."}, role="assistant")
    exchange = only(read(export(call(1, gen_ai__input__messages=shown, gen_ai__output__messages=thought))))
    assert [type(block) for block in exchange.request.messages[0].content] == [TextBlock, ImageBlock, ImageBlock]
    assert exchange.response is not None
    assert exchange.response.content == (ThinkingBlock(text="Hm."), TextBlock(text="A cat."))
    assert exchange.fidelity == "reconstructed"


def test_reasoning_as_dotnet_writes_it() -> None:
    kept = {"text": "Hm.", "protectedData": "c2lnbmVk"}
    said = asked(
        {"type": "Microsoft.Extensions.AI.TextReasoningContent", "content": kept},
        {"type": "text", "content": "A cat."},
        role="assistant",
    )
    exchange = only(read(export(call(1, gen_ai__output__messages=said))))
    assert exchange.response is not None
    assert exchange.response.content == (ThinkingBlock(text="Hm.", signature="c2lnbmVk"), TextBlock(text="A cat."))


@pytest.mark.parametrize(
    ("content", "block"),
    [
        ({"text": "Hm."}, ThinkingBlock(text="Hm.")),
        ({"text": "Hm.", "protectedData": ""}, ThinkingBlock(text="Hm.")),
        ({"protectedData": "c2lnbmVk"}, ThinkingBlock(text="", signature="c2lnbmVk")),
    ],
)
def test_reasoning_of_dotnet_without_some_of_it(content: dict[str, str], block: ThinkingBlock) -> None:
    said = asked({"type": "Microsoft.Extensions.AI.TextReasoningContent", "content": content}, role="assistant")
    exchange = only(read(export(call(1, gen_ai__output__messages=said))))
    assert exchange.response is not None
    assert exchange.response.content == (block,)


@pytest.mark.parametrize(
    "part",
    [
        {"type": "Microsoft.Extensions.AI.TextReasoningContent", "content": "Hm."},
        {"type": "Microsoft.Extensions.AI.HostedFileContent", "content": {"text": "Hm."}},
    ],
    ids=["no object", "another kind"],
)
def test_what_is_no_reasoning_of_dotnet_is_unknown_and_told(part: dict[str, Any]) -> None:
    trace = read(export(call(1, gen_ai__output__messages=asked(part, role="assistant"))))
    assert "$.response.content" in only(trace).unknown
    assert part["type"] in losses(trace, "not_representable")[0].detail


def test_a_part_that_no_block_can_hold_is_unknown_and_told() -> None:
    trace = read(export(call(1, gen_ai__input__messages=asked({"type": "hologram", "content": "x"}))))
    assert "$.request.messages[0].content" in only(trace).unknown
    assert only(trace).fidelity == "partial"
    assert "hologram" in losses(trace, "not_representable")[0].detail


def test_parts_without_their_content_are_not_captured() -> None:
    """pydantic-ai with include_content=False."""
    shown, said = asked({"type": "text"}), asked({"type": "text"}, role="assistant")
    trace = read(export(call(1, gen_ai__input__messages=shown, gen_ai__output__messages=said), scope="pydantic-ai"))
    assert only(trace).fidelity == "none"
    assert {"$.request.messages", "$.response.content"} <= set(only(trace).unknown)
    assert "include_content=True" in losses(trace, "not_captured")[0].detail


def test_instructions_stand_after_leading_system_messages() -> None:
    history = json.dumps(
        [
            {"role": "system", "parts": [{"type": "text", "content": "First."}]},
            {"role": "user", "parts": [{"type": "text", "content": "Hi"}]},
        ]
    )
    instructions = json.dumps([{"type": "text", "content": "Second."}])
    exchange = only(read(export(call(1, gen_ai__input__messages=history, gen_ai__system_instructions=instructions))))
    assert [text_of(each.content) for each in exchange.request.messages] == ["First.", "Second.", "Hi"]


def test_more_choices_than_one_are_told_and_make_the_reply_partial() -> None:
    two = json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": each}]} for each in ("A", "B")])
    trace = read(export(call(1, gen_ai__output__messages=two)))
    assert list(words(trace)) == ["A"]
    assert "$.response.content" in only(trace).unknown
    assert losses(trace, "not_representable")[0].detail == "1 more choices of one reply"


def test_a_tool_call_and_a_text_that_streaming_left_empty() -> None:
    said = asked(
        {"type": "text", "content": ""},
        {"type": "tool_call", "id": "c", "name": "f", "arguments": {"a": 1}},
        role="assistant",
    )
    exchange = only(read(export(call(1, gen_ai__output__messages=said))))
    assert exchange.response is not None
    assert exchange.response.content == (ToolCallBlock(id="c", name="f", arguments={"a": 1}),)


# --- what is unknown, and what follows ----------------------------------------------------------


def test_what_was_not_recorded_is_unknown() -> None:
    exchange = only(read(export(call(1))))
    assert set(exchange.unknown) == {
        "$.request.tools",
        "$.request.parameters.*",
        "$.streamed",
        "$.request.messages[*].name",
    }


def test_a_stop_reason_follows_from_the_content_and_usage_is_zero() -> None:
    bare = call(1, gen_ai__usage__input_tokens=None, gen_ai__usage__output_tokens=None)
    exchange = only(read(export(bare)))
    assert exchange.response is not None
    assert exchange.response.stop_reason == "end_turn"
    assert set(exchange.reconstructed) == {"$.response.stop_reason", "$.response.usage"}


def test_a_recorded_stop_reason_is_not_reconstructed() -> None:
    exchange = only(read(export(call(1, gen_ai__response__finish_reasons=["length"]))))
    assert exchange.response is not None
    assert exchange.response.stop_reason == "length"
    assert exchange.reconstructed == ()


def test_a_declaration_without_description_and_schema_is_unknown_in_them() -> None:
    exchange = only(read(export(call(1, gen_ai__tool__definitions=json.dumps([{"type": "function", "name": "f"}])))))
    assert exchange.request.tools[0].name == "f"
    assert {f"$.request.tools[0].{each}" for each in ("description", "parameters", "extra")} <= set(exchange.unknown)


def test_no_declaration_is_not_no_tools() -> None:
    assert "$.request.tools" in only(read(export(call(1)))).unknown
    told = json.dumps({"function_tools": [], "output_tools": [], "native_tools": []})
    none = only(read(export(call(1, model_request_parameters=told), scope="pydantic-ai")))
    assert "$.request.tools" not in none.unknown
    assert none.request.tools == ()


def test_a_response_format_that_is_only_named_stays_unknown() -> None:
    named = only(read(export(call(1, gen_ai__openai__request__response_format="json_schema"))))
    assert named.request.parameters == {}
    whole = only(read(export(call(1, gen_ai__openai__request__response_format="json_object"))))
    assert whole.request.parameters == {"response_format": {"type": "json_object"}}


def test_a_reply_without_its_request_is_partial() -> None:
    bare = call(1, gen_ai__input__messages=None)
    exchange = only(read(export(bare)))
    assert exchange.fidelity == "partial"
    assert "$.request.messages" in exchange.unknown
    assert "$.response.content" not in exchange.unknown


def test_dropped_attributes_make_the_exchange_partial() -> None:
    trace = read(export(call(1) | {"droppedAttributesCount": 3}))
    assert only(trace).fidelity == "partial"
    assert {"$.request.messages", "$.response.content"} <= set(only(trace).unknown)
    assert losses(trace, "dropped")[0].where == f"span {1:016x}"


# --- old events ---------------------------------------------------------------------------------


def with_events(*said: dict[str, Any]) -> Trace:
    bare = span(1, {"gen_ai.operation.name": "chat", "gen_ai.system": "openai", "gen_ai.request.model": "m"})
    return read(export(bare), logs(*said))


def test_a_message_without_content_was_empty_where_others_have_some() -> None:
    trace = with_events(
        event(1, "gen_ai.user.message", {"content": "Hi"}),
        event(1, "gen_ai.tool.message", {"id": "c"}, at=1),
        event(1, "gen_ai.choice", {"index": 0, "finish_reason": "stop", "message": {"role": "assistant"}}, at=2),
    )
    exchange = only(trace)
    assert exchange.fidelity == "reconstructed"
    assert exchange.request.messages[1].content[0].content == (TextBlock(text=""),)  # type: ignore[union-attr]
    assert exchange.response is not None
    assert exchange.response.content == (TextBlock(text=""),)


def test_a_message_without_content_is_unknown_where_none_has_any() -> None:
    trace = with_events(
        event(1, "gen_ai.user.message"), event(1, "gen_ai.choice", {"message": {"role": "assistant"}}, at=1)
    )
    assert only(trace).fidelity == "none"


def test_events_are_ordered_by_time_not_by_line() -> None:
    trace = with_events(
        event(1, "gen_ai.choice", {"message": {"content": "Yes."}}, at=3),
        event(1, "gen_ai.user.message", {"content": "Second"}, at=2),
        event(1, "gen_ai.system.message", {"content": "First"}, at=1),
    )
    assert [text_of(each.content) for each in only(trace).request.messages] == ["First", "Second"]


def test_calls_that_repeat_a_reply_without_text_had_none_either() -> None:
    wire = [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]
    spans = [
        span(n, {"gen_ai.operation.name": "chat", "gen_ai.system": "openai", "gen_ai.request.model": "m"}, at=n * 20)
        for n in (1, 2)
    ]
    said = [
        event(1, "gen_ai.user.message", {"content": "Hi"}),
        event(1, "gen_ai.choice", {"message": {"role": "assistant", "tool_calls": wire}}, at=1),
        event(2, "gen_ai.user.message", {"content": "Hi"}, at=2),
        event(2, "gen_ai.assistant.message", {"tool_calls": wire}, at=3),
        event(2, "gen_ai.tool.message", {"content": "{}", "id": "c"}, at=4),
        event(2, "gen_ai.choice", {"message": {"content": "Done."}}, at=5),
    ]
    second = read(export(*spans), logs(*said)).models[1]
    assert "$.request.messages[1].content" not in second.unknown
    assert "$.request.messages[1].content" in second.reconstructed
    assert second.fidelity == "reconstructed"


def test_span_events_say_what_log_records_say() -> None:
    events = [
        {
            "name": "gen_ai.user.message",
            "timeUnixNano": "1",
            "attributes": [_text("gen_ai.event.content", '{"content": "Hi"}')],
        },
        {
            "name": "gen_ai.choice",
            "timeUnixNano": "2",
            "attributes": [_text("gen_ai.event.content", '{"message": {"content": "Yes."}}')],
        },
    ]
    bare = span(
        1, {"gen_ai.operation.name": "chat", "gen_ai.system": "openai", "gen_ai.request.model": "m"}, events=events
    )
    trace = read(export(bare))
    assert list(words(trace)) == ["Yes."]
    assert text_of(only(trace).request.messages[0].content) == "Hi"


def test_span_events_are_ordered_by_time() -> None:
    said = [("gen_ai.choice", 3, '{"message": {"content": "Yes."}}')]
    said += [("gen_ai.user.message", 2, '{"content": "Second"}'), ("gen_ai.system.message", 1, '{"content": "First"}')]
    events = [
        {"name": name, "timeUnixNano": str(at), "attributes": [_text("gen_ai.event.content", body)]}
        for name, at, body in said
    ]
    bare = span(
        1, {"gen_ai.operation.name": "chat", "gen_ai.system": "openai", "gen_ai.request.model": "m"}, events=events
    )
    assert [text_of(each.content) for each in only(read(export(bare))).request.messages] == ["First", "Second"]


def test_prompt_and_completion_events() -> None:
    events = [
        {
            "name": "gen_ai.content.prompt",
            "attributes": [_text("gen_ai.prompt", '[{"role": "user", "content": "Hi"}]')],
        },
        {
            "name": "gen_ai.content.completion",
            "attributes": [_text("gen_ai.completion", '[{"role": "assistant", "content": "Yes."}]')],
        },
    ]
    bare = span(
        1, {"gen_ai.operation.name": "chat", "gen_ai.system": "openai", "gen_ai.request.model": "m"}, events=events
    )
    assert list(words(read(export(bare)))) == ["Yes."]


def test_details_in_a_log_record() -> None:
    shown = {"gen_ai.input.messages": asked({"type": "text", "content": "Hi"})}
    shown["gen_ai.output.messages"] = asked({"type": "text", "content": "Yes."}, role="assistant")
    record = event(1, "gen_ai.client.inference.operation.details") | {
        "attributes": [_text(*each) for each in shown.items()]
    }
    bare = span(1, {"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "m"})
    assert list(words(read(export(bare), logs(record)))) == ["Yes."]


def _text(key: str, value: str) -> dict[str, Any]:
    return {"key": key, "value": {"stringValue": value}}


def test_a_role_that_is_new_is_kept() -> None:
    trace = with_events(
        event(1, "gen_ai.developer.message", {"content": "Be brief."}),
        event(1, "gen_ai.oracle.message", {"content": "Beware."}, at=1),
        event(1, "gen_ai.choice", {"message": {"content": "Yes."}}, at=2),
    )
    assert [each.role for each in only(trace).request.messages] == ["developer", "oracle"]


def test_events_that_are_not_read_are_told() -> None:
    trace = with_events(
        event(1, "gen_ai.user.message", {"content": "Hi"}),
        event(1, "gen_ai.choice", {"message": {"content": "Yes."}}, at=1),
        event(1, "gen_ai.evaluation.result", {"score": 1}, at=2),
        event(1, "app.note", "hello", at=3),
    )
    assert [(loss.detail, loss.where) for loss in losses(trace, "unsupported")] == [
        ("gen_ai.evaluation.result events are not kept", f"span {1:016x}"),
        ("events and log records that are no gen_ai events", "app.note"),
    ]


def test_attributes_without_a_certain_name_on_the_wire_are_kept_aside() -> None:
    exchange = only(read(export(call(1, gen_ai__request__max_tokens=9), scope="pydantic-ai")))
    assert exchange.request.parameters == {}
    assert exchange.ext["request_attributes"] == {"gen_ai.request.max_tokens": 9}
    placed = only(read(export(call(1, gen_ai__request__max_tokens=9))))
    assert placed.request.parameters == {"max_tokens": 9}
    assert "request_attributes" not in placed.ext


# --- indexed attributes -------------------------------------------------------------------------


def prompts(**more: Any) -> dict[str, Any]:
    shown = {
        "gen_ai.system": "OpenAI",
        "llm.request.type": "chat",
        "gen_ai.request.model": "m",
        "llm.is_streaming": False,
        "gen_ai.prompt.0.role": "system",
        "gen_ai.prompt.0.content": "Be kind.",
        "gen_ai.prompt.1.role": "user",
        "gen_ai.prompt.1.content": '[{"type": "text", "text": "Hi"}]',
        "gen_ai.prompt.2.role": "assistant",
        "gen_ai.prompt.2.tool_calls.0.id": "c",
        "gen_ai.prompt.2.tool_calls.0.name": "f",
        "gen_ai.prompt.2.tool_calls.0.arguments": "{}",
        "gen_ai.prompt.3.role": "tool",
        "gen_ai.prompt.3.content": "ok",
        "gen_ai.prompt.3.tool_call_id": "c",
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": "Done.",
        "gen_ai.completion.0.finish_reason": "stop",
        "llm.request.functions.0.name": "f",
        "llm.request.functions.0.description": "A tool",
        "llm.request.functions.0.parameters": '{"type": "object"}',
        "gen_ai.usage.prompt_tokens": 7,
        "gen_ai.usage.completion_tokens": 2,
    }
    return span(1, shown | more)


def test_indexed_attributes() -> None:
    exchange = only(read(export(prompts(), scope=TRACELOOP)))
    roles = [(each.role, type(each.content[0]).__name__) for each in exchange.request.messages]
    assert roles == [
        ("system", "TextBlock"),
        ("user", "TextBlock"),
        ("assistant", "ToolCallBlock"),
        ("tool", "ToolResultBlock"),
    ]
    assert exchange.request.messages[1].content == (TextBlock(text="Hi"),)
    assert exchange.request.tools[0].parameters == {"type": "object"}
    assert exchange.streamed is False
    assert exchange.response is not None
    assert exchange.response.usage is not None
    assert exchange.response.usage.input_tokens == 7


def test_more_than_ten_messages_keep_their_order() -> None:
    many = {
        f"gen_ai.prompt.{n}.{key}": value for n in range(12) for key, value in (("role", "user"), ("content", f"{n}"))
    }
    shown = {
        "gen_ai.system": "openai",
        "llm.request.type": "chat",
        "gen_ai.request.model": "m",
        **dict(sorted(many.items())),
    }
    exchange = only(read(export(span(1, shown), scope=TRACELOOP)))
    assert [text_of(each.content) for each in exchange.request.messages] == [str(n) for n in range(12)]


def test_indexed_texts_that_end_at_the_limit_are_cut() -> None:
    long = {"gen_ai.prompt.1.content": "x" * 256, "gen_ai.completion.0.content": "y" * 256}
    trace = read(export(prompts(**long), scope=TRACELOOP))
    assert {"$.request.messages[1].content", "$.response.content"} <= set(only(trace).unknown)
    assert only(trace).fidelity == "partial"


@pytest.mark.parametrize("length", [250, 257])
def test_long_texts_of_no_usual_limit_are_whole(length: int) -> None:
    long = {"gen_ai.prompt.1.content": "x" * length, "gen_ai.completion.0.content": "y" * length}
    trace = read(export(prompts(**long), scope=TRACELOOP))
    assert losses(trace, "truncated") == []


def test_a_limit_that_cuts_a_json_text_cuts_plain_texts_too() -> None:
    cut = {"llm.request.functions.0.parameters": ('{"type": "' + "o" * 300)[:211], "gen_ai.prompt.1.content": "x" * 211}
    trace = read(export(prompts(**cut), scope=TRACELOOP))
    assert "$.request.messages[1].content" in only(trace).unknown
    assert "$.response.content" not in only(trace).unknown


# --- OpenInference ------------------------------------------------------------------------------


def inferred(**more: Any) -> dict[str, Any]:
    shown = {
        "openinference.span.kind": "LLM",
        "llm.system": "openai",
        "llm.model_name": "m-2026",
        "llm.invocation_parameters": '{"model": "m", "temperature": 0.2}',
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.contents.0.message_content.type": "text",
        "llm.input_messages.0.message.contents.0.message_content.text": "What is this?",
        "llm.input_messages.0.message.contents.1.message_content.type": "image",
        "llm.input_messages.0.message.contents.1.message_content.image.image.url": "data:image/png;base64,AAAA",
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.content": "A cat.",
        "llm.token_count.prompt": 5,
        "llm.token_count.completion": 2,
    }
    return span(1, shown | more)


def test_flattened_messages() -> None:
    exchange = only(read(export(inferred(), scope=OPENINFERENCE)))
    text, image = exchange.request.messages[0].content
    assert text == TextBlock(text="What is this?")
    assert isinstance(image, ImageBlock)
    assert (image.source.kind, image.source.media_type) == ("base64", "image/png")
    assert exchange.request.model == "m"
    assert exchange.request.parameters == {"temperature": 0.2}
    assert "$.request.parameters.*" in exchange.unknown


def test_a_raw_body_is_the_dialects_own_reading() -> None:
    body = {
        "model": "m",
        "stream": True,
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}],
        "tools": [{"type": "function", "function": {"name": "f", "strict": True, "parameters": {"type": "object"}}}],
        "response_format": {"type": "json_object"},
    }
    exchange = only(read(export(inferred(**{"input.value": json.dumps(body)}), scope=OPENINFERENCE)))
    assert exchange.request.parameters == {"response_format": {"type": "json_object"}}
    assert exchange.request.tools[0].extra == {"strict": True}
    assert exchange.streamed is True
    assert exchange.unknown == ()


def test_a_raw_body_that_was_cut_falls_back_to_messages() -> None:
    cut = '{"model": "m", "messages": [{"role": "user", "con'
    exchange = only(read(export(inferred(**{"input.value": cut}), scope=OPENINFERENCE)))
    assert text_of(exchange.request.messages[0].content) == "What is this?"
    assert "$.request.tools" in exchange.unknown


def test_hidden_inputs_are_not_captured() -> None:
    shown = {
        "openinference.span.kind": "LLM",
        "llm.system": "openai",
        "llm.model_name": "m",
        "input.value": "__REDACTED__",
        "output.value": "__REDACTED__",
    }
    trace = read(export(span(1, shown), scope=OPENINFERENCE))
    assert only(trace).fidelity == "none"
    assert "OPENINFERENCE_HIDE_INPUTS" in losses(trace, "not_captured")[0].detail


@pytest.mark.parametrize("kind", ["EMBEDDING", "RETRIEVER", "RERANKER"])
def test_other_kinds_are_told(kind: str) -> None:
    other = span(2, {"openinference.span.kind": kind, "llm.system": "openai"}, at=50)
    trace = read(export(inferred(), other, scope=OPENINFERENCE))
    assert len(trace.models) == 1
    assert losses(trace, "unsupported")[0].detail == f"{kind.lower()} calls are not kept"


# --- tools --------------------------------------------------------------------------------------


def test_a_tool_span_without_an_id_gets_that_of_its_request() -> None:
    asks = asked({"type": "tool_call", "id": "c9", "name": "look", "arguments": {"a": 1}}, role="assistant")
    shown = {"openinference.span.kind": "TOOL", "tool.name": "look", "input.value": '{"a": 1}', "output.value": "ok"}
    trace = read(export(call(1, gen_ai__output__messages=asks)), export(span(2, shown, at=20), scope=OPENINFERENCE))
    (record,) = trace.tools
    assert (record.call_id, record.arguments, record.result) == ("c9", {"a": 1}, "ok")
    assert record.after == ("m1",)


def test_a_repeated_call_is_given_each_id_once() -> None:
    asks = asked(
        *({"type": "tool_call", "id": each, "name": "look", "arguments": {"a": 1}} for each in ("c1", "c2")),
        role="assistant",
    )
    shown = {"openinference.span.kind": "TOOL", "tool.name": "look", "input.value": '{"a": 1}', "output.value": "ok"}
    tools = [span(n, shown, at=20 * n) for n in (2, 3, 4)]
    trace = read(export(call(1, gen_ai__output__messages=asks)), export(*tools, scope=OPENINFERENCE))
    assert [each.call_id for each in trace.tools] == ["c1", "c2", None]


def test_a_failed_tool() -> None:
    thrown = {
        "name": "exception",
        "attributes": [_text("exception.type", "ValueError"), _text("exception.message", "no such order")],
    }
    broken = tool(2, "look", at=20, gen_ai__tool__call__arguments='{"a": 1}') | {
        "status": {"code": 2},
        "events": [thrown],
    }
    (record,) = read(export(call(1), broken)).tools
    assert record.outcome == "error"
    assert record.error is not None
    assert (record.error.type, record.error.message) == ("ValueError", "no such order")
    assert record.unknown == ()


def test_a_tool_whose_content_was_not_captured() -> None:
    (record,) = read(export(call(1), tool(2, "look", at=20))).tools
    assert record.fidelity == "none"
    assert record.unknown == ("$.arguments", "$.result")


def test_a_traceloop_tool_keeps_its_keywords() -> None:
    shown = {
        "traceloop.span.kind": "tool",
        "traceloop.entity.name": "look",
        "traceloop.entity.input": '{"args": [], "kwargs": {"order": "A-17"}}',
        "traceloop.entity.output": '"sent"',
    }
    (record,) = read(export(call(1)), export(span(2, shown, at=20), scope="traceloop.tracer")).tools
    assert (record.name, record.arguments) == ("look", {"order": "A-17"})


# --- errors and APIs ----------------------------------------------------------------------------


def failed(message: str, **values: Any) -> ModelRecord:
    bare = call(1, gen_ai__output__messages=None, **values) | {"status": {"code": 2, "message": message}}
    return only(read(export(bare)))


@pytest.mark.parametrize(
    ("message", "values", "status"),
    [
        ("Error code: 429 - {'error': {'message': 'slow down'}}", {}, 429),
        ("refused", {"error__type": "RateLimitError"}, 429),
        ("refused", {"error__type": "503"}, 503),
        ("refused", {"http__response__status_code": 500}, 500),
        ("broke off", {"http__response__status_code": 200}, None),
        ("Connection error.", {"error__type": "openai.APIConnectionError"}, None),
    ],
)
def test_the_status_of_a_failure(message: str, values: dict[str, Any], status: int | None) -> None:
    exchange = failed(message, **values)
    assert exchange.error is not None
    assert exchange.error.status == status
    assert exchange.response is None


def test_a_printed_body_is_read_only_where_it_is_plain_data() -> None:
    assert failed("Error code: 400 - {'a': [1, None, True]}").error.body == {"a": [1, None, True]}  # type: ignore[union-attr]
    for text in ("{'a': object()}", "{'a': {1, 2}}", "{1: 2}", "{'a': 1e999}", "{'a': " + "9" * 40 + "}"):
        exchange = failed(f"Error code: 400 - {text}")
        assert exchange.error is not None
        assert exchange.error.body is None
        assert "$.error.body" in exchange.unknown


def test_an_error_beside_a_reply_is_the_agents_own() -> None:
    exchange = only(read(export(call(1, "Answer.") | {"status": {"code": 2, "message": "parse failed"}})))
    assert exchange.error is None
    assert exchange.response is not None
    assert exchange.ext["error"] == "parse failed"


@pytest.mark.parametrize(
    ("values", "api"),
    [
        ({"gen_ai__provider__name": "openai"}, "openai.chat_completions"),
        ({"gen_ai__provider__name": "azure.ai.openai"}, "openai.chat_completions"),
        ({"gen_ai__provider__name": "anthropic"}, "anthropic.messages"),
        ({"gen_ai__provider__name": "openai", "gen_ai__response__id": "resp_1"}, "openai.responses"),
        ({"gen_ai__provider__name": "openai", "openai__api__type": "responses"}, "openai.responses"),
        ({"gen_ai__provider__name": "x", "http__route": "/v1/messages"}, "anthropic.messages"),
        ({"gen_ai__provider__name": "gcp.gemini"}, "gcp.gemini.chat"),
    ],
)
def test_the_api_of_a_call(values: dict[str, Any], api: str) -> None:
    assert only(read(export(call(1, **values), scope="some.agent"))).request.api == api


def test_what_is_built_is_what_the_dialect_reads() -> None:
    """A live request is read by the dialect: the same messages must be the same values."""
    from runwright.dialects import DIALECTS

    wire = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Hi"},
        {
            "role": "assistant",
            "content": "Let me look.",
            "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}],
        },
        {"role": "tool", "tool_call_id": "c", "content": '{"b": 2}'},
    ]
    body: dict[str, Any] = {"model": "m", "messages": wire}
    live, _ = DIALECTS["openai.chat_completions"].decode_request(body)
    names = {"system": "gen_ai.system.message", "user": "gen_ai.user.message", "assistant": "gen_ai.assistant.message"}
    said = [
        event(
            1,
            names.get(str(each["role"]), "gen_ai.tool.message"),
            {key: value for key, value in each.items() if key != "role"},
            at=at,
        )
        for at, each in enumerate(wire)
    ]
    for each in said:
        body_of = each["body"]["kvlistValue"]["values"]
        for item in body_of:
            item["key"] = {"tool_call_id": "id"}.get(item["key"], item["key"])
    exchange = only(with_events(*said, event(1, "gen_ai.choice", {"message": {"content": "Yes."}}, at=9)))
    assert exchange.request.messages == live.messages
    assert canonical(plain(exchange)["request"]["messages"])  # type: ignore[index,call-overload,arg-type]
