"""The model log with Responses and Gemini in it: how a line is known, what its streams and errors become."""

from __future__ import annotations

import json
from typing import Any

import pytest

from runwright.trace import dumps_trace, loads_trace
from runwright.trace.model import TextBlock
from tests.readers.test_model_log import faults, read

Json = dict[str, Any]
ASKED: Json = {"model": "gpt-5", "input": "Hi"}
MESSAGE: Json = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "content": [{"type": "output_text", "text": "Hello."}],
}
REPLY: Json = {"id": "resp_1", "object": "response", "status": "completed", "model": "gpt-5-x", "output": [MESSAGE]}
BEGUN: Json = {"type": "response.created", "response": {**REPLY, "status": "in_progress", "output": []}}
DONE: Json = {"type": "response.output_item.done", "output_index": 0, "item": MESSAGE}
ADDED: Json = {**DONE, "type": "response.output_item.added"}
END: Json = {"type": "response.completed", "response": REPLY}
FAILED: Json = {"type": "response.failed", "response": {**REPLY, "error": {"code": "server_error", "message": "x"}}}

CONTENTS: Json = {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]}
STREAM = "/v1beta/models/gemini-x:streamGenerateContent?alt=sse"
PIECES: list[Json] = [
    {"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "index": 0}]} for text in ("Hel", "lo.")
]
STOP: Json = {"candidates": [{"finishReason": "STOP", "index": 0}]}
QUOTA: Json = {"error": {"code": 429, "message": "no quota", "status": "RESOURCE_EXHAUSTED"}}


def sse(*events: Json) -> str:
    return "".join(f"data: {json.dumps(each)}\n\n" for each in events)


@pytest.mark.parametrize(
    ("line", "api"),
    [
        ({"request": ASKED, "response": REPLY}, "openai.responses"),
        ({"path": "/openai/v1/responses", "request": ASKED, "sse": sse(BEGUN, ADDED, DONE, END)}, "openai.responses"),
        (
            {"request": {**CONTENTS, "model": "gemini-x"}, "response": {**PIECES[0], **STOP}},
            "gemini.generate_content",
        ),
        ({"path": STREAM, "request": CONTENTS, "sse": sse(*PIECES, STOP)}, "gemini.generate_content"),
    ],
)
def test_a_line_is_known_by_its_request_or_its_path(line: Json, api: str) -> None:
    trace = read(line)
    [model] = trace.models
    assert (model.request.api, model.fidelity, model.unknown, faults(trace)) == (api, "raw", (), [])
    assert (model.request.messages[0].content, model.streamed) == ((TextBlock(text="Hi"),), "sse" in line)
    assert model.response is not None
    assert model.response.stop_reason == "end_turn"
    assert loads_trace(dumps_trace(trace)) == trace


def test_the_path_tells_the_model() -> None:
    [gemini] = read({"path": STREAM, "request": CONTENTS, "sse": sse(*PIECES, STOP)}).models
    assert (gemini.request.model, gemini.chunks) == ("gemini-x", ((0, 3), (0, 3)))
    chat = {"messages": [{"role": "user", "content": "Hi"}], "model": None}
    [azure] = read({"path": "/openai/deployments/ours/chat/completions", "request": chat}).models
    assert azure.request.model == "ours"


@pytest.mark.parametrize(
    "line",
    [
        {"request": ASKED, "sse": sse(BEGUN, ADDED)},
        {"path": STREAM, "request": CONTENTS, "sse": sse(*PIECES)},
    ],
)
def test_a_stream_without_its_end_is_partial_and_said_to_be_cut(line: Json) -> None:
    trace = read(line)
    [model] = trace.models
    assert (model.fidelity, model.unknown) == ("partial", ("$.response.content",))
    assert [each.kind for each in faults(trace)] == ["truncation"]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ({"request": ASKED, "sse": sse(BEGUN, ADDED, FAILED)}, "server_error"),
        ({"path": STREAM, "request": CONTENTS, "sse": sse(*PIECES, QUOTA)}, "RESOURCE_EXHAUSTED"),
    ],
)
def test_a_stream_that_broke_off_keeps_what_came_before_and_the_error(line: Json, kind: str) -> None:
    trace = read(line)
    [model] = trace.models
    assert model.error is not None
    assert model.response is not None
    assert (model.error.status, model.error.kind, len(model.response.content)) == (200, kind, 1)
    assert model.response.stop_reason is None
    assert faults(trace) == []
