"""One message, whichever tool wrote it, is one message."""

from __future__ import annotations

import pytest

from runwright.readers.chat import is_message, message_of
from runwright.trace.model import (
    JSON,
    ImageBlock,
    Message,
    Source,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
)

CALL = ToolCallBlock(id="c1", name="look_up", arguments={"order": "A-1"})

CALLING: dict[str, JSON] = {
    "chat completions": {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": '{"order":"A-1"}'}}
        ],
    },
    "messages": {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "c1", "name": "look_up", "input": {"order": "A-1"}}],
    },
    "gemini": {
        "role": "model",
        "parts": [{"functionCall": {"id": "c1", "name": "look_up", "args": {"order": "A-1"}}}],
    },
    "langchain, constructed": {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", "AIMessage"],
        "kwargs": {
            "content": "",
            "type": "ai",
            "tool_calls": [{"name": "look_up", "args": {"order": "A-1"}, "id": "c1", "type": "tool_call"}],
        },
    },
    "langchain, flat": {
        "type": "ai",
        "content": "",
        "tool_calls": [{"name": "look_up", "args": {"order": "A-1"}, "id": "c1"}],
    },
    "langchain, in data": {
        "type": "ai",
        "data": {"content": "", "tool_calls": [{"name": "look_up", "args": {"order": "A-1"}, "id": "c1"}]},
    },
    "langchain, additional": {
        "type": "ai",
        "content": "",
        "additional_kwargs": {
            "tool_calls": [{"id": "c1", "function": {"name": "look_up", "arguments": '{"order":"A-1"}'}}]
        },
    },
    "in the content and beside it": {
        "type": "ai",
        "content": [{"type": "tool_use", "id": "c1", "name": "look_up", "input": {"order": "A-1"}}],
        "tool_calls": [{"name": "look_up", "args": {"order": "A-1"}, "id": "c1"}],
    },
    "conventions": {
        "role": "assistant",
        "parts": [{"type": "tool_call", "id": "c1", "name": "look_up", "arguments": {"order": "A-1"}}],
    },
    "responses item": {
        "role": "assistant",
        "content": [{"type": "function_call", "call_id": "c1", "name": "look_up", "arguments": '{"order":"A-1"}'}],
    },
}


@pytest.mark.parametrize("item", CALLING.values(), ids=CALLING)
def test_a_call_is_a_call(item: JSON) -> None:
    chat = message_of(item)
    assert chat.message == Message(role="assistant", content=(CALL,))
    assert chat.strange == ()
    assert is_message(item)


RESULTS: dict[str, JSON] = {
    "chat completions": {"role": "tool", "tool_call_id": "c1", "content": "shipped"},
    "parts": {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "shipped"}]},
    "langchain": {"type": "tool", "tool_call_id": "c1", "content": "shipped", "name": "look_up"},
}


@pytest.mark.parametrize("item", RESULTS.values(), ids=RESULTS)
def test_a_result_is_a_result(item: JSON) -> None:
    block = ToolResultBlock(call_id="c1", content=(TextBlock(text="shipped"),))
    assert message_of(item).message == Message(role="tool", content=(block,))


def test_a_failed_result_says_so() -> None:
    item: JSON = {"type": "tool", "tool_call_id": "c1", "content": "no", "status": "error"}
    (block,) = message_of(item).message.content
    assert isinstance(block, ToolResultBlock)
    assert block.is_error is True


def test_results_among_the_content() -> None:
    item: JSON = {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "no"}], "is_error": True},
            {"type": "text", "text": "and now?"},
        ],
    }
    result = ToolResultBlock(call_id="c1", content=(TextBlock(text="no"),), is_error=True)
    assert message_of(item).message == Message(role="user", content=(result, TextBlock(text="and now?")))


def test_pictures_and_thoughts() -> None:
    item: JSON = {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "s"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}},
            {"inlineData": {"mimeType": "image/png", "data": "aGk="}},
        ],
    }
    image = ImageBlock(source=Source(kind="base64", data="aGk=", media_type="image/png"))
    assert message_of(item).message.content == (ThinkingBlock(text="hm", signature="s"), image, image, image)


@pytest.mark.parametrize("role", ["human", "HumanMessage", "user"])
def test_the_user_has_many_names(role: str) -> None:
    assert message_of({"type": role, "content": "hi"}).message == Message(role="user", content=(TextBlock(text="hi"),))


def test_what_no_block_can_hold_is_named() -> None:
    chat = message_of({"role": "user", "content": [{"type": "hologram", "beams": 3}, {"type": "text", "text": "hi"}]})
    assert chat.strange == ("hologram",)
    assert chat.message.content == (TextBlock(text="hi"),)
    assert message_of(7).strange == ("int",)


@pytest.mark.parametrize("role", ["user", "assistant", "tool", "system"])
def test_a_message_whose_content_was_not_recorded_is_not_an_empty_one(role: str) -> None:
    chat = message_of({"role": role})
    assert (chat.message, chat.strange) == (Message(role=role), ("no content",))
    assert message_of({"role": role, "content": None}).strange == ()


@pytest.mark.parametrize("item", [None, 3, "hi", [], {}, {"content": "x"}, {"role": "user"}, {"type": "span", "x": 1}])
def test_what_is_no_message(item: JSON) -> None:
    assert not is_message(item)
