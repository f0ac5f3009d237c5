"""A redacted cassette replays with an agent that sends the real secret, and with no other."""

import json
from datetime import UTC, datetime

import pytest

from runwright.match import Matcher, Miss, Served
from runwright.secrets import flag, redact_trace
from runwright.trace.model import (
    Header,
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    TextBlock,
    ToolCallBlock,
    ToolResultBlock,
    Trace,
)
from tests.secrets.planted import TYPED
from tests.secrets.test_redact import KEY, OTHER

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def request(prompt: str, arguments: object, result: str) -> ModelRequest:
    call = ToolCallBlock(id="c1", name="login", arguments=arguments, arguments_text=None)
    return ModelRequest(
        api="openai.chat_completions",
        model="m",
        messages=(
            Message(role="user", content=(TextBlock(text=prompt),)),
            Message(role="assistant", content=(call,)),
            Message(role="tool", content=(ToolResultBlock(call_id="c1", content=(TextBlock(text=result),)),)),
        ),
    )


def answered(recorded: ModelRequest, live: ModelRequest) -> Served | Miss:
    done = ModelResponse(content=(TextBlock(text="done"),), stop_reason="end_turn")
    record = ModelRecord(id="m1", request=recorded, response=done, streamed=False, fidelity="raw")
    redacted, counts = redact_trace(Trace(header=Header(kind="cassette", trace_id="t"), records=(record,)))
    assert counts
    return Matcher(redacted, flag=flag, live_window=lambda: (NOW, NOW)).serve(live, False)


def told(key: str, password: object = "hunter2", result: object = "hunter2") -> ModelRequest:
    return request(f"use {key} now", {"password": password}, json.dumps({"password": result, "key": key}))


@pytest.mark.parametrize("kind", TYPED)
def test_the_real_secret_is_served_whatever_its_kind(kind: str) -> None:
    secret = TYPED[kind][1]
    result = secret if "\n" in secret else json.dumps({"note": secret})
    live = request(f"use {secret} now", {"note": secret}, result)
    assert isinstance(answered(live, live), Served)


def test_another_secret_of_the_kind_is_served_too() -> None:
    assert isinstance(answered(told(KEY), told(OTHER)), Served)
    assert isinstance(answered(told(KEY), told(KEY, "swordfish7", "swordfish7")), Served)


@pytest.mark.parametrize(
    "live",
    [
        told("nothing"),
        told(""),
        told("sk-" + KEY[4:]),
        told(KEY, "hunter2", "hunter3"),
        told(KEY, ""),
        told(KEY, None),
        request(f"use {KEY} now", {"password": "hunter2"}, json.dumps({"password": "hunter2", "key": OTHER})),
    ],
    ids=["no secret", "empty", "another kind", "two for one", "empty password", "null", "two keys for one"],
)
def test_anything_else_is_a_miss(live: ModelRequest) -> None:
    assert isinstance(answered(told(KEY), live), Miss)
