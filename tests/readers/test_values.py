"""What recorded inputs and outputs show of a model call, in every shape that frameworks write them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from runwright.readers.chat import message_of
from runwright.readers.pairing import with_told_results
from runwright.readers.reading import Reading
from runwright.readers.spans.asked import asked_of
from runwright.readers.spans.guessed import api_told
from runwright.readers.spans.numbers import nanoseconds
from runwright.readers.spans.printed import printed_object
from runwright.readers.spans.ran import tool_attributes
from runwright.readers.spans.replied import replied_of, usage_of
from runwright.trace.model import (
    JSON,
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    TextBlock,
    ToolCallBlock,
    ToolRecord,
    ToolResultBlock,
    calls_of,
    text_of,
)

CHAT = "openai.chat_completions"
SAID: JSON = {"role": "user", "content": "Where is A-1?"}
CALL: JSON = {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": '{"order":"A-1"}'}}
HUMAN: JSON = {"lc": 1, "type": "constructor", "id": ["x", "HumanMessage"], "kwargs": {"content": "Where is A-1?"}}

ONE_USER: dict[str, JSON] = {
    "a text": "Where is A-1?",
    "a list": [SAID],
    "a JSON text": json.dumps([SAID]),
    "a JSON text in a JSON text": json.dumps(json.dumps([SAID])),
    "a body": {"model": "m", "messages": [SAID]},
    "messages": {"messages": [SAID]},
    "LangChain's batch": {"messages": [[HUMAN]]},
    "LangChain's constructors": [HUMAN],
    "prompt": {"prompt": "Where is A-1?"},
    "prompts": {"prompts": ["Where is A-1?"]},
    "arguments": {"args": ["Where is A-1?"], "kwargs": {}},
    "one message": SAID,
    "Gemini's contents": {"contents": "Where is A-1?"},
    "Gemini's contents in parts": {"contents": [{"role": "user", "parts": [{"text": "Where is A-1?"}]}]},
    "parts": [{"role": "user", "parts": [{"type": "text", "content": "Where is A-1?"}]}],
    "events": [{"event.name": "gen_ai.user.message", "gen_ai.message.index": 0, **SAID}],  # type: ignore[dict-item]
    "texts of messages": [json.dumps(SAID)],
}

NOBODY: dict[str, JSON] = {
    "nothing": None,
    "an empty text": "",
    "an object": {"question": "Where?"},
    "a message without a role": {"content": "role"},
    "printed objects": {"messages": ["role='system' content='x'"]},
    "a printed object": "RunResponse(content=None)",
    "numbers": [1, 2],
    "a list of objects": [{"a": 1}],
}


@pytest.mark.parametrize("name", ONE_USER)
def test_one_thing_that_was_said(name: str) -> None:
    found = asked_of(ONE_USER[name], CHAT, Reading(), "x")
    assert found.messages == (Message(role="user", content=(TextBlock(text="Where is A-1?"),)),)
    assert found.unknown == ()


@pytest.mark.parametrize("name", NOBODY)
def test_what_is_no_conversation_is_not_made_one(name: str) -> None:
    assert asked_of(NOBODY[name], CHAT, Reading(), "x").messages is None


def test_a_conversation_in_one_text_is_not_taken_apart() -> None:
    found = asked_of("system: be kind\nuser: hi", CHAT, Reading(), "x")
    assert found.unknown == ("$.request.messages[0].content",)


def test_a_body_tells_everything() -> None:
    body = {"model": "m", "messages": [SAID], "temperature": 0, "stream": True, "tools": []}
    found = asked_of(body, CHAT, Reading(), "x")
    assert (found.complete, found.model, found.streamed, found.tools) == (True, "m", True, ())
    assert found.parameters is not None
    assert found.parameters["temperature"] == 0


def test_a_body_of_no_known_api_tells_its_parts() -> None:
    tools: JSON = [{"name": "look_up", "input_schema": {"type": "object"}}]
    body: JSON = {"model": "m", "messages": [SAID], "temperature": 0, "tools": tools, "system": "Be kind."}
    found = asked_of(body, "other.chat", Reading(), "x")
    assert found.complete is False
    assert found.messages is not None
    assert [each.role for each in found.messages] == ["system", "user"]
    assert found.tools is not None
    assert [each.name for each in found.tools] == ["look_up"]
    assert found.parameters == {"temperature": 0}


def test_several_prompts_of_one_call_are_told() -> None:
    reading = Reading()
    assert asked_of([[SAID], [SAID]], CHAT, reading, "x").messages is not None
    assert [each.detail for each in reading.losses()] == ["1 more prompts of one call"]


@pytest.mark.parametrize(
    "answer",
    [
        {"role": "look_up", "content": "shipped"},
        {"role": "tool", "content": "shipped"},
        {"role": "tool", "name": "look_up", "content": "shipped"},
    ],
)
def test_a_result_without_an_id_answers_the_call_that_waits(answer: JSON) -> None:
    found = asked_of([SAID, {"role": "assistant", "content": "", "tool_calls": [CALL]}, answer], CHAT, Reading(), "x")
    assert found.messages is not None
    (result,) = found.messages[2].content
    assert isinstance(result, ToolResultBlock)
    assert (result.call_id, text_of(result.content)) == ("c1", "shipped")
    assert found.made == ("$.request.messages[2].content",)


def test_results_without_ids_answer_in_order() -> None:
    calls: JSON = [{**CALL, "id": each} for each in ("c1", "c2")]  # type: ignore[dict-item]
    told: list[JSON] = [{"role": "look_up", "content": each} for each in ("shipped", "lost")]
    found = asked_of([{"role": "assistant", "content": "", "tool_calls": calls}, *told], CHAT, Reading(), "x")
    assert found.messages is not None
    answers = [block for each in found.messages[1:] for block in each.content if isinstance(block, ToolResultBlock)]
    assert [(each.call_id, text_of(each.content)) for each in answers] == [("c1", "shipped"), ("c2", "lost")]


def test_calls_written_as_a_text_are_calls() -> None:
    told: JSON = {"role": "tool", "content": json.dumps([CALL])}
    found = asked_of([SAID, told], CHAT, Reading(), "x")
    assert found.messages is not None
    assert [each.id for each in calls_of(found.messages[1].content)] == ["c1"]
    assert found.messages[1].role == "assistant"
    reply: JSON = {"role": "assistant", "content": json.dumps([CALL]), "finish_reason": "tool_calls"}
    assert [each.id for each in calls_of(replied_of([reply], CHAT, Reading(), "x").content or ())] == ["c1"]
    text: JSON = {"role": "assistant", "content": '[{"function": 1}]'}
    assert replied_of(text, CHAT, Reading(), "x").content == (TextBlock(text='[{"function": 1}]'),)


def test_items_of_a_responses_conversation() -> None:
    items: JSON = [
        SAID,
        {"type": "function_call", "call_id": "c1", "name": "look_up", "arguments": '{"order":"A-1"}'},
        {"type": "function_call_output", "call_id": "c1", "output": "shipped"},
    ]
    found = asked_of(items, "other.chat", Reading(), "x")
    assert found.messages is not None
    assert [each.role for each in found.messages] == ["user", "assistant", "tool"]


ONE_CALL: dict[str, JSON] = {
    "a message": {"role": "assistant", "content": None, "tool_calls": [CALL]},
    "a JSON text of it": json.dumps({"role": "assistant", "content": "", "tool_calls": [CALL]}),
    "a completion": {
        "choices": [{"index": 0, "message": {"role": "assistant", "content": None, "tool_calls": [CALL]}}]
    },
    "a choice": {"index": 0, "message": {"role": "assistant", "tool_calls": [CALL]}},
    "a list of messages": [{"role": "assistant", "tool_calls": [CALL]}],
    "parts": [
        {
            "role": "assistant",
            "parts": [{"type": "tool_call", "id": "c1", "name": "look_up", "arguments": {"order": "A-1"}}],
        }
    ],
    "Messages": {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "c1", "name": "look_up", "input": {"order": "A-1"}}],
    },
    "blocks": [{"type": "tool_use", "id": "c1", "name": "look_up", "input": {"order": "A-1"}}],
    "Responses": {
        "output": [{"type": "function_call", "call_id": "c1", "name": "look_up", "arguments": '{"order":"A-1"}'}]
    },
    "the AI SDK's calls": [{"toolCallId": "c1", "toolName": "look_up", "input": '{"order":"A-1"}'}],
    "the AI SDK's reply": {
        "text": "",
        "toolCalls": [{"toolCallId": "c1", "toolName": "look_up", "args": {"order": "A-1"}}],
    },
    "LangChain's generations": {
        "generations": [
            [
                {
                    "text": "",
                    "message": {
                        "lc": 1,
                        "type": "constructor",
                        "id": ["x", "AIMessage"],
                        "kwargs": {
                            "content": "",
                            "tool_calls": [{"name": "look_up", "args": {"order": "A-1"}, "id": "c1"}],
                        },
                    },
                }
            ]
        ]
    },
    "inside an output": {"output": {"role": "assistant", "tool_calls": [CALL]}},
    "after the conversation": [SAID, {"role": "assistant", "tool_calls": [CALL]}],
}


@pytest.mark.parametrize("name", ONE_CALL)
def test_one_call_that_was_asked_for(name: str) -> None:
    found = replied_of(ONE_CALL[name], "other.chat", Reading(), "x")
    assert found.content == (ToolCallBlock(id="c1", name="look_up", arguments={"order": "A-1"}),)
    assert found.unknown == ()


GEMINI: JSON = {
    "candidates": [{"content": {"role": "model", "parts": [{"text": "Gone."}]}, "finishReason": "STOP"}],
    "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 2, "totalTokenCount": 5},
    "modelVersion": "gemini-x",
}


def test_a_reply_of_gemini() -> None:
    found = replied_of(GEMINI, "gemini.generate_content", Reading(), "x")
    assert (found.content, found.stop, found.response_model) == ((TextBlock(text="Gone."),), "STOP", "gemini-x")
    assert found.usage is not None
    assert (found.usage.input_tokens, found.usage.output_tokens) == (3, 2)


def test_texts_and_structured_answers_are_answers() -> None:
    assert replied_of("Gone.", CHAT, Reading(), "x").content == (TextBlock(text="Gone."),)
    assert replied_of('{"a": 1}', CHAT, Reading(), "x").content == (TextBlock(text='{"a": 1}'),)
    made = replied_of({"a": 1}, CHAT, Reading(), "x")
    assert (made.content, made.made) == ((TextBlock(text='{"a":1}'),), ("$.response.content",))


@pytest.mark.parametrize("answer", [None, "", "None"])
def test_no_answer_is_none(answer: JSON) -> None:
    assert replied_of(answer, CHAT, Reading(), "x").content is None


def test_further_choices_are_told_and_the_reply_is_not_whole() -> None:
    reading = Reading()
    choice: JSON = {"message": {"role": "assistant", "content": "Gone."}}
    found = replied_of({"choices": [choice, choice]}, CHAT, reading, "x")
    assert found.unknown == ("$.response.content",)
    assert [each.detail for each in reading.losses()] == ["1 more choices of one reply"]


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"input_tokens": 3, "output_tokens": 2, "total_tokens": 5}, (3, 2, {})),
        ({"prompt_tokens": 3, "completion_tokens": 2}, (3, 2, {})),
        ({"input": 3, "output": 2, "total": 5, "cached": 1}, (3, 2, {"cached": 1})),
        ({"promptTokens": 3}, (3, 0, {})),
        ({"input_tokens": 0, "output_tokens": 0}, (0, 0, {})),
        ({}, None),
        ({"input_tokens": "3", "output_tokens": -1}, None),
        (None, None),
    ],
)
def test_usage(counts: JSON, expected: Any) -> None:
    found = usage_of(counts)
    assert (found and (found.input_tokens, found.output_tokens, found.details)) == expected


@pytest.mark.parametrize(
    ("given", "answer", "provider", "model", "api"),
    [
        ({"contents": "x"}, {}, "", "", "gemini.generate_content"),
        ({}, {"object": "response"}, "", "", "openai.responses"),
        ({}, {"object": "chat.completion"}, "", "", "openai.chat_completions"),
        ({}, {"type": "message", "stop_reason": "end_turn"}, "", "", "anthropic.messages"),
        ({}, {}, "openai.responses", "gpt-5", "openai.responses"),
        ({}, {}, "openai", "gpt-5", "openai.chat_completions"),
        ({}, {}, "anthropic", "m", "anthropic.messages"),
        ({}, {}, "bedrock", "claude-x", "bedrock.chat"),
        ({}, {}, "", "claude-x", "anthropic.messages"),
        ({}, {}, "", "m", "unknown.chat"),
    ],
)
def test_which_api_was_called(given: JSON, answer: JSON, provider: str, model: str, api: str) -> None:
    reading = Reading()
    assert api_told(provider, model, given, answer, reading) == api
    assert bool(reading.losses()) == (not provider and model == "claude-x")


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_tools_message_is_its_result(wrapped: bool) -> None:
    told: JSON = {"type": "tool", "content": "shipped", "tool_call_id": "c1", "status": "success"}
    shown = tool_attributes("look_up", {"order": "A-1"}, {"output": told} if wrapped else told)
    assert (shown["gen_ai.tool.call.result"], shown["gen_ai.tool.call.id"]) == ("shipped", "c1")


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("2026-11-30T10:00:00.000001Z", 1_796_032_800_000_001_000),
        ("2026-11-30 10:00:00", 1_796_032_800_000_000_000),
        ("2026-11-30T11:00:00+01:00", 1_796_032_800_000_000_000),
        (1_796_032_800, 1_796_032_800_000_000_000),
        ("yesterday", None),
        ("1960-01-01T00:00:00Z", None),
        ("9999-12-31T00:00:00Z", None),
        (True, None),
        (-1, None),
        (None, None),
    ],
)
def test_moments(moment: JSON, expected: int | None) -> None:
    assert nanoseconds(moment) == expected


def model(id: str, *, asks: str = "", told: str = "") -> ModelRecord:
    results = (ToolResultBlock(call_id=told, content=(TextBlock(text="shipped"),)),) if told else ()
    calls = (ToolCallBlock(id=asks, name="look_up", arguments={"order": "A-1"}),) if asks else ()
    request = ModelRequest(api=CHAT, model="m", messages=(Message(role="tool", content=results),) if told else ())
    return ModelRecord(id=id, request=request, response=ModelResponse(content=calls), fidelity="reconstructed")


def test_a_result_that_only_messages_tell_of() -> None:
    records = with_told_results((model("m1", asks="c1"), model("m2", told="c1"), model("m3", told="c1")))
    assert [each.id for each in records] == ["m1", "t1", "m2", "m3"]
    tool = records[1]
    assert isinstance(tool, ToolRecord)
    assert (tool.name, tool.arguments, tool.result, tool.call_id) == ("look_up", {"order": "A-1"}, "shipped", "c1")


def test_what_a_span_stands_for_is_not_told_again() -> None:
    ran = ToolRecord(id="t1", name="look_up", call_id="c1", outcome="ok", fidelity="none")
    records = (model("m1", asks="c1"), ran, model("m2", told="c1"))
    assert with_told_results(records) == records


def test_an_id_that_is_asked_for_again_is_another_call() -> None:
    records = (model("m1", asks="c1"), model("m2", told="c1"), model("m3", asks="c1"), model("m4", told="c1"))
    assert [each.id for each in with_told_results(records)] == ["m1", "t1", "m2", "m3", "t2", "m4"]


def test_results_of_calls_that_nobody_asked_for_are_none() -> None:
    records = (model("m1"), model("m2", told="c9"))
    assert with_told_results(records) == records


def test_a_tools_message_in_parts() -> None:
    told: JSON = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": "shipped"}]}
    assert message_of(told).message == Message(
        role="tool", content=(ToolResultBlock(call_id="c1", content=(TextBlock(text="shipped"),)),)
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'order': 'A-1', 'n': [1, None, True]}", {"order": "A-1", "n": [1, None, True]}),
        ("{'order': (1, 2)}", None),
        ("{1: 2}", None),
        (r"{'order': '\ud800'}", None),
        (r"{'\ud800': 1}", None),
        ("{'order': 1e999}", None),
        ("{'order': 18446744073709551616}", None),
        ("{'order': look_up()}", None),
        ("order", None),
    ],
)
def test_what_python_printed(text: str, value: JSON) -> None:
    assert printed_object(text) == value
