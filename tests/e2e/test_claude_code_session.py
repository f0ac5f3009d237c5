"""A session that Claude Code wrote of a run: converted, accepted, green with the real client, red for a change."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from runwright.dialects import DIALECTS, parse_stream_body
from tests.e2e import replaying
from tests.e2e.anthropic_server import recording
from tests.e2e.replaying import OWN_AGENT, accept, assert_red, changed, record

CUSTOMER = "6f1c2b7e-9d1a-4c52-8f3e-0a6b5d4c3e21"
WHOLE = (Path(__file__).parent / "anthropic_agent.py").read_text()
ALIAS, MODEL = '"claude-test-1"', '"claude-test-1-20261101"'
"""A session has the model that answered, so the agent asks for it by its full name, as the CLI does."""
MAIN = "if __name__ == '__main__':\n    print(ask_with_tools(Anthropic()))\n"
AGENT = changed(WHOLE[: WHOLE.index("def main()")] + MAIN, (ALIAS, MODEL))
SESSION = "5e551011-0000-4000-8000-000000000009"
replay = partial(replaying.replay, AGENT)


def session(lines: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The conversation as a session's lines: a line a block of a reply, a line a result, each behind the one before."""
    said = [*lines[-1]["request"]["messages"], {"role": "assistant", "content": reply_of(lines[-1])["content"]}]
    before = None
    for number, message in enumerate(said):
        blocks = [message["content"]] if isinstance(message["content"], str) else message["content"]
        replied = reply_of(lines[number // 2]) if message["role"] == "assistant" else {}
        apart = blocks if replied or len(blocks) == 1 else [[each] for each in blocks]
        for place, block in enumerate(apart if number else [message["content"]]):
            uuid = f"{number}-{place}"
            content = block if isinstance(block, list | str) else [block]
            meta = {"id": f"msg_{number}", "model": replied["model"], "usage": replied["usage"]} if replied else {}
            if replied:
                last = place == len(blocks) - 1
                meta |= {"type": "message", "stop_reason": replied["stop_reason"] if last else None}
            yield {
                "type": message["role"],
                "parentUuid": before,
                "uuid": uuid,
                "sessionId": SESSION,
                "isSidechain": False,
                "userType": "external",
                "cwd": "/desk",
                "version": "2.1.170",
                "timestamp": f"2026-11-30T10:00:{number * 8 + place:02}.000Z",
                "message": {"role": message["role"], "content": content, **meta},
            }
            before = uuid


def reply_of(line: dict[str, Any]) -> dict[str, Any]:
    """The reply as a body, also of a streamed one."""
    if "response" in line:
        found: dict[str, Any] = line["response"]
        return found
    dialect = DIALECTS["anthropic.messages"]
    request, _ = dialect.decode_request(line["request"])
    response, _ = dialect.decode_stream(parse_stream_body(str(line["sse"])).values)
    body = dialect.encode_response(response, request)
    assert isinstance(body, dict)
    return body


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = tmp_path_factory.mktemp("session")
    _, lines = record(project, AGENT, recording, "ANTHROPIC")
    assert len(lines) == 2
    path = project / f"{SESSION}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in session(lines)))
    accept(project, path.name, *OWN_AGENT, prompt=f"Is it raining? I am {CUSTOMER}.")
    return project


def test_green_without_a_key(accepted: Path) -> None:
    flow = replay(accepted)
    assert (flow["word"], flow["exit"]) == ("PASS", 0), flow
    assert flow["reply"].strip() == "It rains in both."


RED = {
    "another word of the user": ('"Is it raining?"', '"Is it snowing?"', "messages[1].content[0].text"),
    "another result of a tool": ('"sky": "rain"', '"sky": "sun"', "messages[3].content[0]"),
    "another word behind the results": ('"Sum it up."', '"Sum it up!"', "messages[3]"),
    "another model": (MODEL, '"claude-test-2"', "request.model"),
    "another picture": ('"iVBORw0KGgo="', '"iVBORw0KGgp="', "messages[1].content[1]"),
}


@pytest.mark.parametrize("change", RED)
def test_red_for(accepted: Path, change: str) -> None:
    old, new, path = RED[change]
    assert_red(replay(accepted, (old, new)), path)


def test_what_a_session_does_not_hold_is_said_to_be_not_compared(accepted: Path) -> None:
    (accepted / "agent.py").write_text(changed(AGENT, ('"You are terse."', '"You are verbose."')))
    flow = replaying.report(accepted)
    assert "$.request.messages[0].content" in flow["never_compared"], flow
