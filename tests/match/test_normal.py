"""What means the same matches; what the model is conditioned on does not differ unseen."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from runwright.match import Miss, Served
from runwright.trace.model import (
    ImageBlock,
    Message,
    ModelRequest,
    Source,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
)
from tests.match.build import answered, ask, asks, called, changed, exchange, matcher, reply, said, text, tool

ANTHROPIC = "anthropic.messages"
SCHEMA = {"type": "object", "properties": {"id": {"type": "string"}, "n": {"type": "integer"}}, "required": ["id"]}

WHOLE = asks(
    said("system", "be brief"),
    Message(role="user", content=(text("look at"), text("this picture"))),
    called(("call_1", "lookup", {"id": "7", "n": 1}), ("call_2", "stock", {})),
    answered("call_1", "shipped"),
    answered("call_2", "12 left"),
    parameters={"temperature": 0.2, "response_format": {"type": "json_object"}, "tool_choice": "auto"},
    tools=(tool("lookup", parameters=SCHEMA), tool("stock", "counts")),
)

TWO_RESULTS = (
    ToolResultBlock(call_id="call_1", content=(text("shipped"),)),
    ToolResultBlock(call_id="call_2", content=(text("12 left"),)),
)
TURN = called(("call_1", "lookup", {"id": "7"}), ("call_2", "stock", {}))
ONE_MESSAGE = asks(said("user", "hi"), TURN, Message(role="user", content=(*TWO_RESULTS, text("go on"))), api=ANTHROPIC)


def with_message(request: ModelRequest, index: int, message: Message) -> ModelRequest:
    return changed(request, messages=(*request.messages[:index], message, *request.messages[index + 1 :]))


def swapped(request: ModelRequest, one: int, other: int) -> ModelRequest:
    messages = list(request.messages)
    messages[one], messages[other] = messages[other], messages[one]
    return changed(request, messages=tuple(messages))


GREEN: dict[str, tuple[ModelRequest, ModelRequest]] = {
    "the same": (WHOLE, WHOLE),
    "tools declared in another order": (WHOLE, changed(WHOLE, tools=WHOLE.tools[::-1])),
    "schema keys in another order": (
        WHOLE,
        changed(WHOLE, tools=(tool("lookup", parameters=dict(reversed(list(SCHEMA.items())))), WHOLE.tools[1])),
    ),
    "argument keys in another order, other spacing": (
        WHOLE,
        with_message(
            WHOLE,
            2,
            Message(
                role="assistant",
                content=(
                    ToolCallBlock(
                        id="call_1", name="lookup", arguments={"n": 1, "id": "7"}, arguments_text='{"n": 1,  "id": "7"}'
                    ),
                    ToolCallBlock(id="call_2", name="stock", arguments={}),
                ),
            ),
        ),
    ),
    "results in another order": (WHOLE, swapped(WHOLE, 3, 4)),
    "result blocks in another order": (
        ONE_MESSAGE,
        with_message(ONE_MESSAGE, 2, Message(role="user", content=(*TWO_RESULTS[::-1], text("go on")))),
    ),
    "a cache mark": (
        ask("hi"),
        asks(Message(role="user", content=(TextBlock(text="hi", cache={"type": "ephemeral"}),))),
    ),
    "another provider of the same api": (ask("hi"), ask("hi", provider="azure")),
    "absent content and empty content": (
        asks(said("user", "hi"), TURN),
        asks(said("user", "hi"), Message(role="assistant", content=(text(""), *TURN.content))),
    ),
    "a null parameter": (ask("hi"), ask("hi", parameters={"stop": None})),
    "stream_options": (ask("hi"), ask("hi", parameters={"stream_options": {"include_usage": True}})),
    "1 and 1.0": (ask("hi", parameters={"temperature": 1}), ask("hi", parameters={"temperature": 1.0})),
    "is_error false and absent": (
        asks(TURN, Message(role="user", content=(msgspec.structs.replace(TWO_RESULTS[0], is_error=False),))),
        asks(TURN, Message(role="user", content=(TWO_RESULTS[0],))),
    ),
}


@pytest.mark.parametrize(("recorded", "live"), GREEN.values(), ids=GREEN)
def test_what_means_the_same_matches(recorded: ModelRequest, live: ModelRequest) -> None:
    assert isinstance(matcher(exchange("m1", recorded)).serve(live, False), Served)


@pytest.mark.parametrize(("recorded", "live"), GREEN.values(), ids=GREEN)
def test_and_the_other_way_round(recorded: ModelRequest, live: ModelRequest) -> None:
    assert isinstance(matcher(exchange("m1", live)).serve(recorded, False), Served)


def edited(index: int, block: int, value: str) -> Callable[[ModelRequest], ModelRequest]:
    def edit(request: ModelRequest) -> ModelRequest:
        message = request.messages[index]
        content = list(message.content)
        content[block] = text(value)
        return with_message(request, index, msgspec.structs.replace(message, content=tuple(content)))

    return edit


IMAGE = asks(
    Message(role="user", content=(ImageBlock(source=Source(kind="base64", data="aGk=", media_type="image/png")),))
)
OTHER_IMAGE = asks(
    Message(role="user", content=(ImageBlock(source=Source(kind="base64", data="aGo=", media_type="image/png")),))
)

RED: dict[str, tuple[ModelRequest, ModelRequest, str]] = {
    "another word in a list-form block": (
        WHOLE,
        edited(1, 1, "that picture")(WHOLE),
        "$.request.messages[1].content[1].text",
    ),
    "two blocks joined": (
        WHOLE,
        with_message(WHOLE, 1, said("user", "look atthis picture")),
        "$.request.messages[1].content[0].text",
    ),
    "temperature": (
        WHOLE,
        changed(WHOLE, parameters={**WHOLE.parameters, "temperature": 0.3}),
        "$.request.parameters.temperature",
    ),
    "temperature gone": (
        WHOLE,
        changed(WHOLE, parameters={k: v for k, v in WHOLE.parameters.items() if k != "temperature"}),
        "$.request.parameters.temperature",
    ),
    "a parameter more": (
        WHOLE,
        changed(WHOLE, parameters={**WHOLE.parameters, "top_p": 0.5}),
        "$.request.parameters.top_p",
    ),
    "response format": (
        WHOLE,
        changed(WHOLE, parameters={**WHOLE.parameters, "response_format": {"type": "text"}}),
        "$.request.parameters.response_format.type",
    ),
    "true is not 1": (
        ask("hi", parameters={"logprobs": True}),
        ask("hi", parameters={"logprobs": 1}),
        "$.request.parameters.logprobs",
    ),
    "tool description": (
        WHOLE,
        changed(WHOLE, tools=(tool("stock", "recounts"), WHOLE.tools[0])),
        "$.request.tools[1].description",
    ),
    "tool schema": (
        WHOLE,
        changed(WHOLE, tools=(tool("lookup", parameters={**SCHEMA, "required": ["id", "n"]}), WHOLE.tools[1])),
        "$.request.tools[0].parameters.required[1]",
    ),
    "a tool gone": (WHOLE, changed(WHOLE, tools=WHOLE.tools[:1]), "$.request.tools[1]"),
    "a tool more": (WHOLE, changed(WHOLE, tools=(*WHOLE.tools, tool("refund"))), "$.request.tools[2]"),
    "one tool declared twice": (WHOLE, changed(WHOLE, tools=(*WHOLE.tools, WHOLE.tools[0])), "$.request.tools[2]"),
    "model": (WHOLE, changed(WHOLE, model="gpt-5-mini"), "$.request.model"),
    "role": (ask("hi"), asks(said("developer", "hi")), "$.request.messages[0].role"),
    "name": (ask("hi"), asks(Message(role="user", name="ann", content=(text("hi"),))), "$.request.messages[0].name"),
    "image": (IMAGE, OTHER_IMAGE, "$.request.messages[0].content[0].source.data"),
    "a block of another type": (
        ask("hi"),
        asks(Message(role="user", content=(ThinkingBlock(text="hi"),))),
        "$.request.messages[0].content[0]",
    ),
    "argument": (
        WHOLE,
        with_message(WHOLE, 2, called(("call_1", "lookup", {"id": "8", "n": 1}), ("call_2", "stock", {}))),
        "$.request.messages[2].content[0].arguments.id",
    ),
    "arguments that are no JSON": (
        asks(Message(role="assistant", content=(ToolCallBlock(id="c", name="f", arguments_text="{a"),))),
        asks(Message(role="assistant", content=(ToolCallBlock(id="c", name="f", arguments_text="{b"),))),
        "$.request.messages[0].content[0].arguments_text",
    ),
    "results exchanged between ids": (
        WHOLE,
        changed(WHOLE, messages=(*WHOLE.messages[:3], answered("call_1", "12 left"), answered("call_2", "shipped"))),
        "$.request.messages[3].content[0].content[0].text",
    ),
    "exchanged and in another order": (
        WHOLE,
        changed(WHOLE, messages=(*WHOLE.messages[:3], answered("call_2", "shipped"), answered("call_1", "12 left"))),
        "$.request.messages[3].content[0].content[0].text",
    ),
    "result blocks exchanged between ids": (
        ONE_MESSAGE,
        with_message(
            ONE_MESSAGE,
            2,
            Message(
                role="user",
                content=(
                    ToolResultBlock(call_id="call_2", content=(text("shipped"),)),
                    ToolResultBlock(call_id="call_1", content=(text("12 left"),)),
                    text("go on"),
                ),
            ),
        ),
        "$.request.messages[2].content[0].content[0].text",
    ),
    "a result that is an error": (
        asks(TURN, Message(role="user", content=(TWO_RESULTS[0],))),
        asks(TURN, Message(role="user", content=(msgspec.structs.replace(TWO_RESULTS[0], is_error=True),))),
        "$.request.messages[1].content[0].is_error",
    ),
    "an integer beyond a float": (
        ask("hi", parameters={"seed": 2**64}),
        ask("hi", parameters={"seed": 2**64 + 1}),
        "$.request.parameters.seed",
    ),
}


@pytest.mark.parametrize(("recorded", "live", "path"), RED.values(), ids=RED)
def test_what_the_model_is_conditioned_on_is_compared(recorded: ModelRequest, live: ModelRequest, path: str) -> None:
    miss = matcher(exchange("m1", recorded)).serve(live, False)
    assert isinstance(miss, Miss)
    assert path in [each.path for each in miss.differences]


def test_no_exchange_on_this_api_says_so() -> None:
    miss = matcher(exchange("m1", ask("hi"))).serve(ask("hi", api=ANTHROPIC), False)
    assert isinstance(miss, Miss)
    assert (miss.kind, miss.nearest) == ("nothing_recorded", None)
    assert "anthropic.messages" in miss.reason


def test_a_tool_is_named_beside_its_index() -> None:
    miss = matcher(exchange("m1", WHOLE)).serve(RED["tool description"][1], False)
    assert isinstance(miss, Miss)
    assert [each.about for each in miss.differences] == ["tool stock"]


def test_a_reordered_result_is_reported_at_its_recorded_place() -> None:
    late = changed(WHOLE, messages=(*WHOLE.messages[:3], WHOLE.messages[4], WHOLE.messages[3]))
    live = changed(WHOLE, messages=(*WHOLE.messages[:4], answered("call_2", "11 left")))
    miss = matcher(exchange("m1", late)).serve(live, False)
    assert isinstance(miss, Miss)
    assert [each.path for each in miss.differences] == ["$.request.messages[3].content[0].content[0].text"]


def test_streamed_and_not_are_two_recordings() -> None:
    both = matcher(
        exchange("m1", ask("hi"), reply("whole")), exchange("m2", ask("hi"), reply("in pieces"), streamed=True)
    )
    streamed, whole = both.serve(ask("hi"), True), both.serve(ask("hi"), False)
    assert isinstance(streamed, Served)
    assert isinstance(whole, Served)
    assert (streamed.record.id, whole.record.id) == ("m2", "m1")


def test_streamed_alone_is_a_difference() -> None:
    miss = matcher(exchange("m1", ask("hi"))).serve(ask("hi"), True)
    assert isinstance(miss, Miss)
    assert [(each.path, each.recorded, each.live) for each in miss.differences] == [("$.streamed", False, True)]


RESULTS = {"lookup": {"state": "lost", "n": 1}}


def test_a_result_that_the_flow_gives_replaces_the_live_one() -> None:
    recorded = with_message(WHOLE, 3, answered("call_1", '{"n": 1, "state": "lost"}'))
    assert isinstance(matcher(exchange("m1", recorded), results=RESULTS).serve(WHOLE, False), Served)


def test_a_result_that_the_flow_gives_must_be_the_recorded_one() -> None:
    miss = matcher(exchange("m1", WHOLE), results=RESULTS).serve(WHOLE, False)
    assert isinstance(miss, Miss)
    assert [each.path for each in miss.differences] == ["$.request.messages[3].content[0].content[0].text"]


def test_a_tool_that_the_flow_does_not_answer_for_is_compared() -> None:
    live = with_message(WHOLE, 4, answered("call_2", "0 left"))
    recorded = with_message(WHOLE, 3, answered("call_1", '{"n": 1, "state": "lost"}'))
    assert isinstance(matcher(exchange("m1", recorded), results=RESULTS).serve(live, False), Miss)
