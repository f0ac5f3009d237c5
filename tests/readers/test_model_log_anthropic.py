"""The model log with Messages in it: how a line is known, what its streams and errors become."""

from __future__ import annotations

import json
from typing import Any

import pytest

from runwright.trace import FaultRecord, MessageRecord, dumps_trace, loads_trace, outcome_class
from runwright.trace.model import ModelRecord, TextBlock
from tests.readers.test_model_log import faults, read

Json = dict[str, Any]
REQUEST: Json = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}]}
OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
RESPONSE: Json = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "m-1",
    "content": [{"type": "text", "text": "Hello."}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 3, "output_tokens": 2},
}
START = {"type": "message_start", "message": {**RESPONSE, "content": [], "stop_reason": None}}
EVENTS: list[Json] = [
    START,
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "ping"},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hel"}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "lo."}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
    {"type": "message_stop"},
]


def sse(*events: Json) -> str:
    return "".join(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in events)


def line(**answer: Any) -> Json:
    return {"api": "anthropic.messages", "request": REQUEST, **answer}


def one(wire: Json) -> ModelRecord:
    [found] = read(wire).models
    assert found.request.api == "anthropic.messages"
    return found


@pytest.mark.parametrize(
    "known",
    [
        {"api": "anthropic.messages"},
        {"path": "/v1/messages"},
        {"path": "/v1/messages?beta=true"},
        {"path": "https://gateway.test/anthropic/v1/messages"},
        {},
    ],
)
def test_a_line_is_known_by_its_api_its_path_or_its_answer(known: Json) -> None:
    assert one({**known, "request": REQUEST, "response": RESPONSE}).fidelity == "raw"
    assert one({**known, "request": {**REQUEST, "stream": True}, "sse": sse(*EVENTS)}).streamed
    assert one({**known, "request": REQUEST, "error": {"status": 529, "body": OVERLOADED}}).error is not None


@pytest.mark.parametrize("path", ["/v1/messages/count_tokens", "/v1/messages/batches", "/v1/complete"])
def test_other_endpoints_are_no_exchange_and_say_so(path: str) -> None:
    trace = read(line(response=RESPONSE), {"path": path, "request": REQUEST, "response": {"input_tokens": 7}})
    assert len(trace.models) == 1
    [loss] = trace.header.losses
    assert loss.kind == "not_representable"
    assert path in loss.detail
    assert [each.kind for each in faults(trace)] == ["observer_failed"]


def test_streamed_and_buffered_say_the_same() -> None:
    buffered, streamed = one(line(response=RESPONSE)), one(line(sse=sse(*EVENTS)))
    assert streamed.response == buffered.response
    assert streamed.chunks == ((0, 3), (0, 3))
    assert not faults(read(line(sse=sse(*EVENTS))))


def test_a_log_survives_our_own_format() -> None:
    trace = read(line(response=RESPONSE), line(sse=sse(*EVENTS[:5], OVERLOADED)), line(error={"body": OVERLOADED}))
    assert loads_trace(dumps_trace(trace), "x") == trace


def test_a_stream_without_its_end_is_a_truncation_and_not_whole() -> None:
    trace = read(line(sse=sse(*EVENTS[:4])))
    assert (trace.models[0].fidelity, trace.models[0].unknown) == ("partial", ("$.response.content",))
    assert [each.kind for each in faults(trace)] == ["truncation"]


@pytest.mark.parametrize("reason", ["end_turn", "compaction"])
def test_a_stream_that_stopped_after_its_stop_reason_is_whole_and_still_a_truncation(reason: str) -> None:
    told = {"type": "message_delta", "delta": {"stop_reason": reason}}
    trace = read(line(sse=sse(*EVENTS[:6], told)))
    assert trace.models[0].fidelity == "raw"
    assert [each.kind for each in faults(trace)] == ["truncation"]


def test_a_stream_that_broke_off_keeps_both_sides_of_it() -> None:
    trace = read(line(sse=sse(*EVENTS[:4], OVERLOADED)))
    [found] = trace.models
    assert found.response is not None
    assert found.error is not None
    assert found.response.content == (TextBlock(text="Hel"),)
    assert (found.error.status, found.error.kind, found.error.body) == (200, "overloaded_error", OVERLOADED)
    assert (found.fidelity, found.chunks, found.streamed) == ("raw", ((0, 3),), True)
    assert not [each for each in trace.records if isinstance(each, FaultRecord)]
    assert outcome_class(trace) == "model_error"


def test_a_stream_that_broke_off_at_once_has_no_response() -> None:
    found = one(line(sse=sse(OVERLOADED)))
    assert (found.response, found.chunks, found.streamed) == (None, None, True)
    assert found.error is not None
    assert found.error.kind == "overloaded_error"


def test_errors_and_how_long_they_ask_to_wait() -> None:
    found = one(line(error={"status": 529, "body": OVERLOADED, "retry_after": 2.5}))
    assert found.error is not None
    assert (found.error.status, found.error.kind, found.error.retry_after) == (529, "overloaded_error", 2.5)
    trace = read(line(response=RESPONSE), line(error={"status": 429, "body": OVERLOADED, "retry_after": "soon"}))
    assert [each.kind for each in trace.header.losses] == ["malformed"]


@pytest.mark.parametrize(
    ("wire", "reason"),
    [
        (line(response={**RESPONSE, "type": "completion"}), "$.type: expected 'message'"),
        (line(sse=sse(START, START)), "a second message starts"),
        (line(sse=sse(START, {"type": "event_of_next_year"})), "unknown event type 'event_of_next_year'"),
        (line(request={**REQUEST, "messages": [{"role": "system", "content": "x", "clear_at": "never"}]}), "clear_at"),
    ],
)
def test_a_line_that_cannot_be_kept_is_a_loss_and_a_fault(wire: Json, reason: str) -> None:
    trace = read(line(response=RESPONSE), wire)
    [loss] = trace.header.losses
    assert loss.kind == "not_representable"
    assert reason in loss.detail
    assert len(faults(trace)) == 1


def test_edges_and_speech_follow_from_the_contents() -> None:
    """Words beside tool results are the harness's, not the user's."""
    call = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}
    asked = {**RESPONSE, "content": [call], "stop_reason": "tool_use"}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "42"}
    told = [
        *REQUEST["messages"],
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result, {"type": "text", "text": "<reminder>be brief</reminder>"}]},
    ]
    trace = read(line(response=asked), line(response=RESPONSE) | {"request": {**REQUEST, "messages": told}})
    assert [each.after for each in trace.models] == [(), ("m1",)]
    said = [each for each in trace.records if isinstance(each, MessageRecord)]
    assert [(each.role, each.content) for each in said] == [
        ("user", (TextBlock(text="Hi"),)),
        ("agent", (TextBlock(text="Hello."),)),
    ]
