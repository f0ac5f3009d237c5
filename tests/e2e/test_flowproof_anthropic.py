"""A trace of flowproof that took Anthropic's messages apart, replayed to the official anthropic client."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runwright.flow import FlowResult
from runwright.run import RunOptions, run_flow
from tests.e2e.replaying import changed, environment

Json = dict[str, Any]
AGENT = (Path(__file__).resolve().parent.parent / "fixtures" / "flowproof" / "anthropic_agent.py").read_text()
FLOW = """name: where two orders are
app: agent
agent: {command: python agent.py}
steps:
  - prompt: Where are A-4471 and A-4472?
  - assert_tool_call: lookup_order where order_id equals A-4472
  - assert: reply contains shipped
"""
SYSTEM: Json = {"role": "system", "content": "You help customers of a shop. Look an order up before you answer."}
USER: Json = {"role": "user", "content": "Where are A-4471 and A-4472?"}
CALLS: Json = {
    "role": "assistant",
    "content": "Let me see.",
    "tool_calls": [
        {"id": "toolu_1", "name": "lookup_order", "arguments": '{"order_id":"A-4471"}'},
        {"id": "toolu_2", "name": "lookup_order", "arguments": '{"order_id":"A-4472"}'},
    ],
}
RESULTS: list[Json] = [
    {"role": "tool", "content": "It is shipped", "tool_call_id": "toolu_1"},
    {"role": "tool", "content": "It is lost", "tool_call_id": "toolu_2"},
]
REPLY: Json = {"role": "assistant", "content": "One has shipped, the other is lost."}


def turn(*messages: Json, reply: Json, stop: str) -> Json:
    request = {"model": "claude-sonnet-4-5", "messages": list(messages), "tools": ["lookup_order"]}
    return {"protocol": "anthropic", "request": request, "response": {"message": reply, "stop_reason": stop}}


def replay(folder: Path, *changes: tuple[str, str]) -> FlowResult:
    """The verdict on the flow with these parts of the agent changed."""
    turns = [
        turn(SYSTEM, USER, reply=CALLS, stop="tool_use"),
        turn(SYSTEM, USER, CALLS, *RESULTS, reply=REPLY, stop="end_turn"),
    ]
    document = {"app": "agent", "mocks": {}, "cassette": {"turns": turns}}
    files = {
        "agent.py": changed(AGENT, *changes),
        "two.flow.yaml": FLOW,
        "two.trace.jsonl": json.dumps(document),
        "pyproject.toml": "",
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    return run_flow(folder / "two.flow.yaml", RunOptions(environment=environment()))


def test_green_as_it_is(tmp_path: Path) -> None:
    found = replay(tmp_path)
    assert (found.word.value, found.exit) == ("PASS", 0), found.summary
    assert found.real_tools == ("lookup_order",)
    assert "$.request.messages[3].content[0].is_error" in found.never_compared
    assert any("joined" in note and "anthropic.messages" in note for note in found.notes)


def test_whether_a_result_was_an_error_was_never_stored(tmp_path: Path) -> None:
    assert replay(tmp_path, ('"content": content}', '"content": content, "is_error": True}')).word.value == "PASS"


CHANGES = {
    "the system prompt": ("Look an order up", "Look no order up", "$.request.messages[0].content[0].text"),
    "the model": ("claude-sonnet-4-5", "claude-opus-4-5", "$.request.model"),
    "a tool more": ("TOOLS = [", 'TOOLS = [{"name": "refund", "input_schema": {"type": "object"}}, ', "request.tools"),
    "a result": ('"A-4472": "lost"', '"A-4472": "late"', "$.request.messages[3].content[1].content[0].text"),
    "results exchanged": ('["order_id"]]', '["order_id"].translate({49: 50, 50: 49})]', "content[0].content[0].text"),
    "one result fewer": ("for block in reply.content if", "for block in reply.content[:-1] if", "messages[3].content"),
    "words beside the results": (
        '"content": results}',
        '"content": [*results, {"type": "text", "text": "Go on."}]}',
        "messages[3].content",
    ),
    "a reply that is not passed on whole": (
        '"content": reply.content}',
        '"content": reply.content[1:]}',
        "messages[2]",
    ),
    "an exit code of its own": ("    main()", "    main()\n    raise SystemExit(3)", ""),
}


@pytest.mark.parametrize("name", CHANGES)
def test_red_for(name: str, tmp_path: Path) -> None:
    old, new, path = CHANGES[name]
    found = replay(tmp_path, (old, new))
    assert (found.word.value, found.exit) == ("FAIL", 1), found.summary
    if path:
        assert found.miss is not None
        assert any(path in difference.path for difference in found.miss.differences), found.miss
