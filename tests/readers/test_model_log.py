"""The model log: what it keeps exactly, and each way in which a line or a stream can be broken."""

from __future__ import annotations

import json
from typing import Any

import pytest

from runwright.errors import ReaderError
from runwright.readers import Input, read_foreign
from runwright.trace import FaultRecord, MessageRecord, dumps_trace, loads_trace, outcome_class
from runwright.trace.model import ToolCallBlock, Trace, text_of
from tests.readers.exports import fixture, losses, words

Json = dict[str, Any]
REQUEST: Json = {"model": "m", "messages": [{"role": "user", "content": "Hi"}]}


def reply(text: str = "Hello.", **more: Any) -> Json:
    message = {"role": "assistant", "content": text}
    return {"id": "r", "model": "m-1", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}], **more}


def chunk(delta: Json, finish: str | None = None) -> str:
    body = {"id": "r", "object": "chat.completion.chunk", "model": "m-1"}
    return "data: " + json.dumps({**body, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}) + "\n\n"


def log(*lines: Json | str) -> bytes:
    return b"".join((each if isinstance(each, str) else json.dumps(each)).encode() + b"\n" for each in lines)


def read(*lines: Json | str) -> Trace:
    return read_foreign([Input("log.jsonl", log(*lines))], "model_log")


def faults(trace: Trace) -> list[FaultRecord]:
    return [each for each in trace.records if isinstance(each, FaultRecord)]


# --- kept exactly -------------------------------------------------------------------------------


def test_what_crossed_the_wire_is_kept_raw() -> None:
    trace = read_foreign(fixture("orders.jsonl", folder="model_log"))
    assert [each.fidelity for each in trace.models] == ["raw"] * 5
    assert [each.unknown for each in trace.models] == [()] * 5
    assert [each.streamed for each in trace.models] == [False, False, True, True, False]
    assert [len(each.request.tools) for each in trace.models] == [1, 1, 1, 1, 0]
    assert trace.header.losses == ()
    error = trace.models[4].error
    assert error is not None
    assert (error.status, error.kind) == (404, "invalid_request_error")


def test_streamed_and_buffered_say_the_same() -> None:
    buffered, _, streamed, _, _ = read_foreign(fixture("orders.jsonl", folder="model_log")).models
    assert buffered.response is not None
    assert streamed.response is not None
    assert buffered.response.content == streamed.response.content
    assert streamed.chunks is not None
    assert [type(block).__name__ for block in streamed.response.content] == [
        "TextBlock",
        "ToolCallBlock",
        "ToolCallBlock",
    ]


def test_a_log_survives_our_own_format() -> None:
    trace = read_foreign(fixture("orders.jsonl", folder="model_log"))
    assert loads_trace(dumps_trace(trace)) == trace
    assert outcome_class(trace) == "model_error"


def test_edges_follow_from_the_contents() -> None:
    trace = read_foreign(fixture("orders.jsonl", folder="model_log"))
    assert [each.after for each in trace.models] == [(), ("m1",), (), ("m3",), ()]


def test_lines_are_ordered_by_their_time() -> None:
    late = {"request": REQUEST, "response": reply("Second."), "started_at": "2026-01-01T00:00:02Z"}
    early = {"request": REQUEST, "response": reply("First."), "started_at": 1767225601.5, "duration": 0.25}
    trace = read(late, early)
    assert list(words(trace)) == ["First.", "Second."]
    assert trace.header.started_at == "2026-01-01T00:00:01.500000Z"
    assert [each.t for each in trace.models] == [0.0, 0.5]


def test_without_times_the_order_is_that_of_the_lines() -> None:
    timed = {"request": REQUEST, "response": reply("A."), "started_at": 9}
    assert list(words(read(timed, {"request": REQUEST, "response": reply("B.")}))) == ["A.", "B."]


def test_tools_and_messages() -> None:
    trace = read(
        {"message": {"role": "user", "content": "Hi there"}},
        {"request": REQUEST, "response": reply(), "agent": "desk"},
        {"tool": {"name": "f", "call_id": "c", "arguments": {"a": 1}, "result": [1]}},
        {"tool": {"name": "g", "arguments": {}, "error": "no"}},
        {"tool": {"name": "h", "error": {"message": "not you", "type": "PermissionError"}, "outcome": "denied"}},
        {"message": {"role": "assistant", "content": "Bye"}},
    )
    assert [(each.name, each.outcome, each.result) for each in trace.tools] == [
        ("f", "ok", [1]),
        ("g", "error", None),
        ("h", "denied", None),
    ]
    said = [each for each in trace.records if isinstance(each, MessageRecord)]
    assert [(each.id, each.role, text_of(each.content)) for each in said] == [
        ("u1", "user", "Hi there"),
        ("u2", "agent", "Bye"),
    ]
    assert trace.models[0].agent == "desk"


def test_messages_are_derived_where_none_is_logged() -> None:
    trace = read({"request": REQUEST, "response": reply()})
    assert [each.id for each in trace.records] == ["u1", "m1", "u2"]


# --- broken -------------------------------------------------------------------------------------


def test_a_stream_without_its_end_mark_is_a_truncation() -> None:
    trace = read({"request": REQUEST | {"stream": True}, "sse": chunk({"content": "Hel"})})
    (fault,) = faults(trace)
    assert (fault.kind, fault.hides) == ("truncation", ("m1",))
    assert trace.models[0].fidelity == "partial"
    assert trace.models[0].unknown == ("$.response.content",)


def test_a_stream_that_stopped_after_its_stop_reason_is_whole_and_still_a_truncation() -> None:
    trace = read({"request": REQUEST, "sse": chunk({"content": "Hello."}) + chunk({}, "stop")})
    assert (trace.models[0].fidelity, trace.models[0].unknown) == ("raw", ())
    assert [each.kind for each in faults(trace)] == ["truncation"]


def test_a_whole_stream_is_no_fault() -> None:
    trace = read({"request": REQUEST, "sse": chunk({"content": "Hello."}) + chunk({}, "stop") + "data: [DONE]\n\n"})
    assert faults(trace) == []
    assert list(words(trace)) == ["Hello."]


def test_a_stream_cut_amid_an_event() -> None:
    whole = chunk({"content": "Hel"}) + chunk({"content": "lo."})
    trace = read({"request": REQUEST, "sse": whole[:-20]})
    assert list(words(trace)) == ["Hel"]
    assert [each.kind for each in faults(trace)] == ["truncation"]


def test_an_empty_stream() -> None:
    trace = read({"request": REQUEST, "sse": ""})
    assert trace.models[0].unknown == ("$.response.content",)
    assert losses(trace, "not_captured")
    assert [each.kind for each in faults(trace)] == ["truncation"]


def test_a_request_without_an_answer() -> None:
    trace = read({"request": REQUEST})
    assert (trace.models[0].fidelity, trace.models[0].unknown) == ("partial", ("$.response.content",))
    assert losses(trace, "not_captured")[0].where == "log.jsonl:1"


@pytest.mark.parametrize(
    ("line", "kind", "reason"),
    [
        ("{oops", "malformed", ""),
        ("[]", "malformed", "not an object"),
        ("{}", "malformed", "none of request, tool, message"),
        ({"request": 3, "response": reply()}, "malformed", "request: expected an object"),
        ({"request": REQUEST, "response": reply(), "sse": "x"}, "malformed", "more than one of"),
        ({"request": REQUEST, "response": []}, "malformed", "response: expected an object"),
        ({"request": REQUEST, "error": {"status": "429"}}, "malformed", "error.status"),
        ({"request": REQUEST, "response": reply(), "started_at": "yesterday"}, "malformed", "started_at"),
        ({"request": REQUEST, "response": reply(), "duration": -1}, "malformed", "duration"),
        ({"request": REQUEST, "response": reply(), "agent": 3}, "malformed", "agent"),
        ({"tool": {"arguments": {}}}, "malformed", "tool.name"),
        ({"tool": {"name": "f", "outcome": "maybe"}}, "malformed", "tool.outcome"),
        ({"message": {"role": "tool", "content": "x"}}, "malformed", "message.role"),
        ({"message": {"role": "user", "content": [1]}}, "malformed", "message.content"),
        ({"request": REQUEST | {"n": 2}, "response": reply()}, "not_representable", "n"),
        ({"api": "acme.talk", "request": REQUEST, "response": reply()}, "not_representable", "acme.talk"),
        ({"path": "/v1/odd", "request": REQUEST, "response": reply()}, "not_representable", "/v1/odd"),
        ('{"request": {"model": "m", "messages": [], "seed": 1e999}, "response": {}}', "malformed", "beyond all range"),
        (
            '{"request": {"model": "m", "messages": [], "seed": 18446744073709551616}}',
            "malformed",
            "integer of 20 digits",
        ),
        ('{"request": {"model": "m", "model": "n", "messages": []}}', "malformed", "two equal keys"),
    ],
)
def test_a_line_that_cannot_be_kept_is_a_loss_and_a_fault(line: Json | str, kind: str, reason: str) -> None:
    trace = read({"request": REQUEST, "response": reply()}, line, {"request": REQUEST, "response": reply("Last.")})
    assert list(words(trace)) == ["Hello.", "Last."]
    (loss,) = losses(trace, kind)
    assert loss.where == "log.jsonl:2"
    assert reason in loss.detail
    assert [each.kind for each in faults(trace)] == ["observer_failed"]


def test_fields_that_mean_nothing_are_told() -> None:
    trace = read({"request": REQUEST, "response": reply(), "reponse": {}})
    assert losses(trace, "dropped")[0].detail == "the field 'reponse'"


@pytest.mark.parametrize(
    "data", [b"", b"\n\n", b"\xff\xfe", log({"tool": {"name": "f"}}), log({"request": REQUEST | {"n": 3}})]
)
def test_a_log_without_an_exchange_is_an_error(data: bytes) -> None:
    with pytest.raises(ReaderError, match="no exchange could be read") as caught:
        read_foreign([Input("log.jsonl", data)], "model_log")
    assert "docs/reference/model-log.md" in caught.value.hint


def test_several_files_are_one_run() -> None:
    one, two = (log({"request": REQUEST, "response": reply(each)}) for each in ("A.", "B."))
    trace = read_foreign([Input("1", one), Input("2", two), Input("3", one)])
    assert list(words(trace)) == ["A.", "B."]
    assert losses(trace, "duplicate")[0].count == 1


def test_the_digest_is_of_the_bytes_not_the_names() -> None:
    one, two = (log({"request": REQUEST, "response": reply(each)}) for each in ("A.", "B."))
    forth = read_foreign([Input("1", one), Input("2", two)])
    back = read_foreign([Input("x", two), Input("y", one)])
    assert forth.header.source == back.header.source


def test_a_line_that_wants_the_documented_default() -> None:
    named = read({"api": "openai.chat_completions", "request": REQUEST, "response": reply()})
    routed = read({"path": "/proxy/v1/chat/completions", "request": REQUEST, "response": reply()})
    plain = read({"request": REQUEST, "response": reply()})
    assert named.models == routed.models == plain.models


def test_calls_keep_the_text_of_their_arguments() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"a":  1}'}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    answer = {"id": "r", "model": "m", "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}
    response = read({"request": REQUEST, "response": answer}).models[0].response
    assert response is not None
    assert response.content == (ToolCallBlock(id="c", name="f", arguments={"a": 1}, arguments_text='{"a":  1}'),)
