"""Messages requests as they stand on the wire: what means the same matches, and what does not is named."""

from __future__ import annotations

from typing import Any

import pytest

from runwright.dialects import DIALECTS
from runwright.match import Miss, Served
from tests.match.build import exchange, matcher

Json = dict[str, Any]
DECODE = DIALECTS["anthropic.messages"].decode_request
MARK = {"type": "ephemeral"}


def text(value: str, **fields: Any) -> Json:
    return {"type": "text", "text": value, **fields}


def result(number: int, content: Any = "shipped", **fields: Any) -> Json:
    return {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": content, **fields}


def use(number: int, **fields: Any) -> Json:
    return {"type": "tool_use", "id": f"toolu_{number}", "name": "lookup", "input": {"n": number}, **fields}


def user(*blocks: Json) -> Json:
    return {"role": "user", "content": list(blocks)}


TOOL: Json = {"name": "lookup", "description": "d", "input_schema": {"type": "object"}}
TURN: Json = {"role": "assistant", "content": [use(1), use(2)]}
HI: Json = {"role": "user", "content": "hi"}


def asks(*messages: Json, **fields: Any) -> Json:
    return {"model": "m", "max_tokens": 9, "messages": list(messages), **fields}


def turned(*answers: Json) -> Json:
    return asks(HI, TURN, *answers)


def served(recorded: Json, live: Json) -> Served | Miss:
    return matcher(exchange("m1", DECODE(recorded)[0])).serve(DECODE(live)[0], False)


GREEN: dict[str, tuple[Json, Json]] = {
    "a string and one text block": (asks(HI), asks(user(text("hi")))),
    "a system string and one system block": (asks(HI, system="s"), asks(HI, system=[text("s")])),
    "a cache mark on a text": (asks(HI), asks(user(text("hi", cache_control=MARK)))),
    "a cache mark on the system prompt": (asks(HI, system="s"), asks(HI, system=[text("s", cache_control=MARK)])),
    "another lifetime of a mark": (
        asks(user(text("hi", cache_control=MARK))),
        asks(user(text("hi", cache_control={**MARK, "ttl": "1h"}))),
    ),
    "a cache mark on a tool": (asks(HI, tools=[TOOL]), asks(HI, tools=[{**TOOL, "cache_control": MARK}])),
    "a cache mark on a result": (turned(user(result(1))), turned(user(result(1, cache_control=MARK)))),
    "a cache mark on a provider's block": (
        asks(HI, {"role": "assistant", "content": [{"type": "x", "a": 1}]}),
        asks(HI, {"role": "assistant", "content": [{"type": "x", "a": 1, "cache_control": MARK}]}),
    ),
    "a cache mark on the request": (asks(HI), asks(HI, cache_control=MARK)),
    "results in another order": (turned(user(result(1), result(2))), turned(user(result(2), result(1)))),
    "results in another order before a text": (
        turned(user(result(1), result(2), text("go on"))),
        turned(user(result(2), result(1), text("go on"))),
    ),
    "results in messages of their own": (
        turned(user(result(1)), user(result(2))),
        turned(user(result(2)), user(result(1))),
    ),
    "no error and not said to be one": (turned(user(result(1))), turned(user(result(1, is_error=False)))),
    "a result's string and its text block": (turned(user(result(1))), turned(user(result(1, [text("shipped")])))),
    "an empty result in every form": (turned(user(result(1, ""))), turned(user(result(1, [])))),
    "called by the model itself": (
        asks(HI, {"role": "assistant", "content": [use(1)]}),
        asks(HI, {"role": "assistant", "content": [use(1, caller={"type": "direct"})]}),
    ),
    "no citations": (asks(user(text("hi"))), asks(user(text("hi", citations=[])))),
    "a null field of a provider's block": (
        asks(HI, {"role": "assistant", "content": [{"type": "x", "a": 1}]}),
        asks(HI, {"role": "assistant", "content": [{"type": "x", "a": 1, "b": None}]}),
    ),
    "tools in another order": (
        asks(HI, tools=[TOOL, {**TOOL, "name": "stock"}]),
        asks(HI, tools=[{**TOOL, "name": "stock"}, TOOL]),
    ),
    "custom by name": (asks(HI, tools=[TOOL]), asks(HI, tools=[{**TOOL, "type": "custom"}])),
}


@pytest.mark.parametrize(("recorded", "live"), GREEN.values(), ids=GREEN)
def test_what_means_the_same_matches(recorded: Json, live: Json) -> None:
    assert isinstance(served(recorded, live), Served)
    assert isinstance(served(live, recorded), Served)


PICTURE: Json = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}
THOUGHT: Json = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
SEARCHED: Json = {"type": "web_search_tool_result", "tool_use_id": "a", "content": [{"url": "u"}]}
FOUND: Json = {"type": "search_result", "source": "s", "title": "t", "content": [text("f")]}
PAPER: Json = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "x"}, "title": "t"}


def said(block: Json) -> Json:
    return asks(HI, {"role": "assistant", "content": [block]})


RED: dict[str, tuple[Json, Json, str]] = {
    "a system text": (
        asks(HI, system=[text("a"), text("b")]),
        asks(HI, system=[text("a"), text("c")]),
        "$.request.messages[0].content[1].text",
    ),
    "a system prompt that is gone": (asks(HI, system="a"), asks(HI), "$.request.messages[0].role"),
    "a system prompt said as a message": (
        asks(HI, system="a"),
        asks({"role": "system", "content": "a"}, HI),
        "$.request.messages[0].content[0]",
    ),
    "two blocks joined": (asks(user(text("a"), text("b"))), asks(user(text("ab"))), "content[0].text"),
    "a text before the results": (
        turned(user(result(1), result(2), text("go on"))),
        turned(user(text("go on"), result(1), result(2))),
        "$.request.messages[2].content[0]",
    ),
    "a text between the results": (
        turned(user(result(1), text("go on"), result(2))),
        turned(user(result(2), text("go on"), result(1))),
        "$.request.messages[2].content[0]",
    ),
    "results exchanged": (
        turned(user(result(1, "a"), result(2, "b"))),
        turned(user(result(1, "b"), result(2, "a"))),
        "$.request.messages[2].content[0].content[0].text",
    ),
    "results exchanged and turned round": (
        turned(user(result(1, "a"), result(2, "b"))),
        turned(user(result(2, "a"), result(1, "b"))),
        "content[0].content[0].text",
    ),
    "a result for another call": (
        turned(user(result(1))),
        turned(user(result(2))),
        "$.request.messages[2].content[0].call_id",
    ),
    "an error": (turned(user(result(1))), turned(user(result(1, is_error=True))), "content[0].is_error"),
    "a result's picture": (
        turned(user(result(1, [PICTURE]))),
        turned(user(result(1, [{**PICTURE, "source": {**PICTURE["source"], "data": "aGo="}}]))),
        "$.request.messages[2].content[0].content[0].source.data",
    ),
    "a family of tools": (
        turned(user(result(1))),
        turned(user(result(1, toolset_name="x"))),
        "$.request.messages[2].content[0].extra",
    ),
    "called by code": (
        said(use(1)),
        said(use(1, caller={"type": "code_execution_20260120", "tool_id": "a"})),
        "$.request.messages[1].content[0].extra",
    ),
    "an argument": (said(use(1)), said({**use(1), "input": {"n": 2}}), "content[0].arguments.n"),
    "a thought": (said(THOUGHT), said({**THOUGHT, "thinking": "mh"}), "content[0].text"),
    "a signature": (said(THOUGHT), said({**THOUGHT, "signature": "c2ls"}), "content[0].signature"),
    "a hidden thought": (
        said({"type": "redacted_thinking", "data": "a"}),
        said({"type": "thinking", "thinking": "a"}),
        "content[0].redacted",
    ),
    "what a search found": (
        said(SEARCHED),
        said({**SEARCHED, "content": [{"url": "v"}]}),
        "content[0].extra.content[0].url",
    ),
    "a provider's block of another kind": (said({"type": "x"}), said({"type": "y"}), "content[0].kind"),
    "a document's title": (asks(user(PAPER)), asks(user({**PAPER, "title": "u"})), "content[0].name"),
    "a document's text": (
        asks(user(PAPER)),
        asks(user({**PAPER, "source": {**PAPER["source"], "data": "y"}})),
        "content[0].source.data",
    ),
    "whether a document is cited": (
        asks(user(PAPER)),
        asks(user({**PAPER, "citations": {"enabled": True}})),
        "content[0].extra",
    ),
    "a found text": (
        asks(user(FOUND)),
        asks(user({**FOUND, "content": [text("g")]})),
        "content[0].extra.content[0].text",
    ),
    "a document in a search result's place": (asks(user(FOUND)), asks(user(PAPER)), "content[0]"),
    "the choice of tools": (
        asks(HI, tool_choice={"type": "auto"}),
        asks(HI, tool_choice={"type": "any"}),
        "$.request.parameters.tool_choice.type",
    ),
    "the thinking budget": (
        asks(HI, thinking={"type": "enabled", "budget_tokens": 1024}),
        asks(HI, thinking={"type": "enabled", "budget_tokens": 2048}),
        "$.request.parameters.thinking.budget_tokens",
    ),
    "a stop sequence": (asks(HI, stop_sequences=["a"]), asks(HI, stop_sequences=["b"]), "stop_sequences[0]"),
    "the tokens": (asks(HI), asks(HI, max_tokens=10), "$.request.parameters.max_tokens"),
    "a tool's version": (
        asks(HI, tools=[{"type": "bash_20241022", "name": "bash"}]),
        asks(HI, tools=[{"type": "bash_20250124", "name": "bash"}]),
        "$.request.tools[0].kind",
    ),
    "a tool's setting": (
        asks(HI, tools=[TOOL]),
        asks(HI, tools=[{**TOOL, "strict": True}]),
        "$.request.tools[0].extra",
    ),
    "a tool's setting beside its mark": (
        asks(HI, tools=[{**TOOL, "cache_control": MARK}]),
        asks(HI, tools=[{**TOOL, "cache_control": MARK, "defer_loading": True}]),
        "$.request.tools[0].extra",
    ),
    "a tool's schema": (
        asks(HI, tools=[TOOL]),
        asks(HI, tools=[{**TOOL, "input_schema": {"type": "object", "required": ["n"]}}]),
        "$.request.tools[0].parameters.required",
    ),
}


@pytest.mark.parametrize(("recorded", "live", "path"), RED.values(), ids=RED)
def test_a_difference_is_named(recorded: Json, live: Json, path: str) -> None:
    for one, other in ((recorded, live), (live, recorded)):
        found = served(one, other)
        assert isinstance(found, Miss)
        assert any(path in each.path for each in found.differences), found.differences
