"""Inspect's evaluation logs, MCP traffic and Fixtura's traces."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
import zstandard

from runwright.errors import ReaderError
from runwright.readers import Input, Run, runs_of, sniff
from runwright.readers.packed import SMALL
from runwright.trace import dumps_trace, loads_trace
from runwright.trace.model import JSON, FaultRecord, McpRecord, PolicyRecord, text_of
from tests.readers.test_wire import ANSWER, ASKED


def runs(data: bytes, format: str) -> tuple[Run, ...]:
    assert sniff(data[:65536]) == format
    found = tuple(runs_of([Input("log", data)]))
    assert all(loads_trace(dumps_trace(run.trace)) == run.trace for run in found)
    return found


# --- inspect -------------------------------------------------------------------------------------

MODEL: dict[str, Any] = {
    "event": "model",
    "timestamp": "2026-11-30T10:00:00+00:00",
    "span_id": "s2",
    "model": "openai/gpt-5",
    "input": [{"role": "user", "content": "attachment://abc"}],
    "tools": [{"name": "look_up", "description": "Find.", "parameters": {"type": "object"}}],
    "output": {
        "model": "gpt-5",
        "choices": [{"message": {"role": "assistant", "content": "hello"}, "stop_reason": "stop"}],
        "usage": {"input_tokens": 7, "output_tokens": 2},
    },
}
TOOL: dict[str, Any] = {
    "event": "tool",
    "timestamp": "2026-11-30T10:00:01+00:00",
    "id": "c1",
    "function": "look_up",
    "arguments": {"order": "A-1"},
    "result": "shipped",
    "span_id": "s2",
}
SPANS: list[Any] = [
    {"event": "span_begin", "id": "s1", "name": "solvers"},
    {"event": "span_begin", "id": "s2", "parent_id": "s1", "name": "generate"},
]
SAMPLE: dict[str, Any] = {
    "id": "one",
    "epoch": 2,
    "events": [*SPANS, MODEL, TOOL],
    "attachments": {"abc": "hi"},
    "messages": [],
}


def log(*samples: JSON) -> bytes:
    about = {"task": "desk", "model": "openai/gpt-5", "packages": {"inspect_ai": "0.3.1"}}
    return json.dumps({"version": 2, "status": "success", "eval": about, "samples": list(samples)}).encode()


def zipped(**parts: JSON) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", "{}")
        for name, value in parts.items():
            archive.writestr(name.replace("__", "/") + ".json", json.dumps(value))
    return stream.getvalue()


@pytest.mark.parametrize(
    "data", [log(SAMPLE), zipped(samples__1=SAMPLE, header={"eval": {"task": "desk"}})], ids=["json", "eval"]
)
def test_a_sample_is_a_run(data: bytes) -> None:
    (run,) = runs(data, "inspect_ai")
    (exchange,), (ran,) = run.trace.models, run.trace.tools
    assert run.id == "one.2"
    assert text_of(exchange.request.messages[0].content) == "hi"
    assert exchange.request.tools[0].name == "look_up"
    assert exchange.response is not None
    assert text_of(exchange.response.content) == "hello"
    assert exchange.fidelity == "reconstructed"
    assert (ran.name, ran.outcome, ran.call_id, ran.result) == ("look_up", "ok", "c1", "shipped")
    assert run.trace.header.agent is not None
    assert run.trace.header.agent.name == "desk"


def test_a_raw_call_is_taken_as_it_was_on_the_wire() -> None:
    call = {"request": {**ASKED, "extra_headers": {"x": "y"}, "tools": None}, "response": ANSWER}
    (run,) = runs(log({**SAMPLE, "events": [{**MODEL, "call": call}]}), "inspect_ai")
    (exchange,) = run.trace.models
    assert exchange.fidelity == "raw"
    assert exchange.unknown == ()


def test_a_raw_call_that_no_dialect_holds_is_told() -> None:
    call = {"request": {**ASKED, "n": 2}, "response": ANSWER}
    (run,) = runs(log({**SAMPLE, "events": [{**MODEL, "call": call}]}), "inspect_ai")
    assert run.trace.models[0].fidelity == "reconstructed"
    assert [loss.kind for loss in run.trace.header.losses] == ["not_representable"]


@pytest.mark.parametrize(
    ("error", "outcome"),
    [({"type": "timeout", "message": "m"}, "error"), ({"type": "approval", "message": "m"}, "denied")],
)
def test_tools_that_failed(error: JSON, outcome: str) -> None:
    (run,) = runs(log({**SAMPLE, "events": [MODEL, {**TOOL, "error": error}]}), "inspect_ai")
    assert run.trace.tools[0].outcome == outcome


def test_events_inside_a_tool_and_pending_ones() -> None:
    inner = {**TOOL, "events": [MODEL], "id": "outer"}
    (run,) = runs(log({**SAMPLE, "events": [inner, {**MODEL, "pending": True}]}), "inspect_ai")
    assert (len(run.trace.models), len(run.trace.tools)) == (1, 1)


JUDGE = {**MODEL, "span_id": "in-score"}
SCORER_SPANS = [
    {"event": "span_begin", "id": "score", "type": "scorer"},
    {"event": "span_begin", "id": "in-score", "parent_id": "score", "type": "other"},
]
SCORER_STEPS = [
    {"event": "step", "action": "begin", "type": "scorer"},
    {"event": "step", "action": "begin", "type": "solver"},
    {"event": "step", "action": "end"},
]


@pytest.mark.parametrize("scoring", [[*SCORER_SPANS, JUDGE], [*SCORER_STEPS, MODEL]], ids=["spans", "steps"])
def test_what_scorers_ask_is_no_part_of_the_run(scoring: list[JSON]) -> None:
    (run,) = runs(log({**SAMPLE, "events": [MODEL, *scoring]}), "inspect_ai")
    assert [(loss.kind, loss.count) for loss in run.trace.header.losses] == [("dropped", 1)]
    (alone,) = runs(log({**SAMPLE, "events": [MODEL]}), "inspect_ai")
    assert run.trace.records == alone.trace.records


@pytest.mark.parametrize(
    "between", [SCORER_SPANS, [*SCORER_STEPS, {"event": "step", "action": "end"}]], ids=["spans", "steps"]
)
def test_calls_beside_scorers_and_after_them_are_the_runs(between: list[JSON]) -> None:
    (run,) = runs(log({**SAMPLE, "events": [MODEL, *between, MODEL]}), "inspect_ai")
    assert len(run.trace.models) == 2


@pytest.mark.parametrize("more", [{"error": {"message": "boom"}}, {"limit": {"type": "token"}}])
def test_a_sample_that_was_cut_says_so(more: dict[str, Any]) -> None:
    (run,) = runs(log({**SAMPLE, **more}), "inspect_ai")
    assert [record.kind for record in run.trace.records if isinstance(record, FaultRecord)] == ["interruption"]


def test_a_log_without_events_is_its_conversation() -> None:
    messages = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
    (run,) = runs(log({"id": 1, "epoch": 1, "messages": messages}), "inspect_ai")
    assert run.trace.models[0].request.model == "gpt-5"
    assert "$.request.parameters.*" in run.trace.models[0].unknown


@pytest.mark.parametrize(
    "data",
    [log(), log({"id": 1}), zipped()[:40], zipped(header=[]), b"PK\x03\x04_journal/"],
    ids=["no sample", "no reply", "cut", "a header that is none", "no archive"],
)
def test_logs_without_a_run_are_refused(data: bytes) -> None:
    with pytest.raises(ReaderError):
        runs_of([Input("x", data)], "inspect_ai")


def test_deflated_bytes_that_are_broken_are_refused() -> None:
    data = zipped(samples__1=SAMPLE, header={})
    at = data.index(b"samples/1.json") + len(b"samples/1.json")
    broken = data[:at] + bytes(255 - byte for byte in data[at : at + 40]) + data[at + 40 :]
    with pytest.raises(ReaderError, match="cannot be expanded"):
        runs_of([Input("x", broken)], "inspect_ai")


def test_attachments_lie_in_their_places_and_what_is_called_so_stays() -> None:
    model = {**MODEL, "input": [{"role": "user", "content": "attachment://abc"}]}
    tool = {**TOOL, "arguments": {"attachments": ["a.png"], "body": "attachment://abc"}}
    (run,) = runs(log({**SAMPLE, "events": [*SPANS, model, tool]}), "inspect_ai")
    assert text_of(run.trace.models[0].request.messages[0].content) == "hi"
    assert run.trace.tools[0].arguments == {"attachments": ["a.png"], "body": "hi"}


def test_a_zip_bomb_is_refused() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", "{}")
        archive.writestr("samples/1.json", b" " * (SMALL + 1))
    with pytest.raises(ReaderError, match="expands to more than"):
        runs_of([Input("x.eval", stream.getvalue())])


# --- mcp -----------------------------------------------------------------------------------------

ASK = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "look_up"}}
TELL = {"jsonrpc": "2.0", "id": 1, "result": {"content": []}}
NOTE = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def lines(*values: JSON) -> bytes:
    return "".join(json.dumps(value) + "\n" for value in values).encode()


def mcp(*values: JSON) -> list[McpRecord]:
    (run,) = runs(lines(*values), "mcp_log")
    return [record for record in run.trace.records if isinstance(record, McpRecord)]


def test_requests_meet_their_answers() -> None:
    note, asked = mcp(NOTE, ASK, TELL)  # type: ignore[misc]
    assert (note.notification, note.direction, note.unknown) == (True, "client", ())
    assert (asked.method, asked.result, asked.direction, asked.fidelity) == (
        "tools/call",
        {"content": []},
        "client",
        "raw",
    )


def test_envelopes_say_when_and_who() -> None:
    at = "2026-11-30T10:00:0{}Z"
    server_asks = {"jsonrpc": "2.0", "id": 1, "method": "roots/list"}
    first, second = mcp(
        {"timestamp": at.format(0), "direction": "out", "message": ASK, "server": "orders"},
        {"timestamp": at.format(1), "direction": "in", "message": server_asks, "server": "orders"},
        {
            "timestamp": at.format(2),
            "direction": "out",
            "message": {**TELL, "result": {"roots": []}},
            "server": "orders",
        },
        {"timestamp": at.format(3), "direction": "in", "message": TELL, "server": "orders"},
    )  # type: ignore[misc]
    assert (first.direction, first.result, first.duration, first.server) == ("client", {"content": []}, 3.0, "orders")
    assert (second.direction, second.result) == ("server", {"roots": []})


def test_an_answer_that_never_came_is_unknown_and_an_error_is_one() -> None:
    (lone,) = mcp(ASK)
    assert (lone.unknown, lone.fidelity) == (("$.result",), "partial")
    (failed,) = mcp(ASK, {"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "no such tool"}})
    assert failed.error is not None
    assert (failed.error.code, failed.error.message) == (-32601, "no such tool")


def test_batches_and_strays() -> None:
    (run,) = runs(lines([ASK, NOTE], [TELL], {"jsonrpc": "2.0", "id": 9, "result": 1}), "mcp_log")
    assert [record.id for record in run.trace.records] == ["c1", "c2", "f1"]
    assert [loss.detail for loss in run.trace.header.losses] == ["an answer to no request"]


def test_a_log_of_answers_alone_is_refused() -> None:
    with pytest.raises(ReaderError):
        runs_of([Input("x", lines(TELL))], "mcp_log")


# --- fixtura -------------------------------------------------------------------------------------

HEADER = {
    "event_type": "trace_header",
    "schema_version": 2,
    "parent_trace_id": "p",
    "divergence_step_id": "step-000002",
}
LLM = {
    "event_type": "llm_call", "step_id": "step-000001", "timestamp": 1764496800.0, "prompt": "hi",
    "completion": "hello",
    "provider": "openai", "model": "gpt-5", "input_tokens": 7, "output_tokens": 2, "finish_reason": "stop",
    "latency_ms": 500,
}  # fmt: skip
RAN = {
    "event_type": "tool_call", "step_id": "step-000002", "timestamp": 1764496801000, "tool_name": "look_up",
    "arguments": {"order": "A-1"}, "permission_decision": "allowed", "latency_ms": 1, "response": "shipped",
}  # fmt: skip


def frames(*values: JSON) -> bytes:
    return b"".join(zstandard.compress(json.dumps(value).encode() + b"\n") for value in values)


def fixtura(*values: JSON) -> Run:
    from runwright.readers.packed import unpacked

    (run,) = runs(unpacked(frames(*values), "x"), "fixtura")
    return run


def test_calls_of_models_and_tools() -> None:
    trace = fixtura(HEADER, LLM, RAN).trace
    (exchange,), (ran,) = trace.models, trace.tools
    assert exchange.response is not None
    assert (text_of(exchange.response.content), exchange.duration) == ("hello", 0.5)
    assert {"$.request.tools", "$.request.parameters.*", "$.streamed"} == set(exchange.unknown)
    assert (ran.name, ran.result, ran.t) == ("look_up", "shipped", 1.0)
    assert trace.header.lineage is not None
    assert (trace.header.lineage.parent, trace.header.lineage.divergence) == ("p", "step-000002")


@pytest.mark.parametrize(
    ("more", "outcome"),
    [
        ({"permission_decision": "denied", "permission_reason": "no", "response": None}, "denied"),
        ({"permission_decision": "validation_error", "response": None}, "error"),
        ({"rate_limit_decision": "denied", "response": None}, "throttled"),
        ({"exception": "ValueError: x", "response": None}, "error"),
    ],
)
def test_calls_that_did_not_go_well(more: dict[str, JSON], outcome: str) -> None:
    trace = fixtura(LLM, {**RAN, **more}).trace
    assert trace.tools[0].outcome == outcome
    assert trace.tools[0].error is not None
    assert [type(r) is PolicyRecord for r in trace.records].count(True) == (outcome == "denied")


def test_what_the_recorder_cut_is_partial() -> None:
    trace = fixtura({**LLM, "completion": "hel...[TRUNCATED]"}, {**RAN, "response": "x...[TRUNCATED]"}).trace
    assert trace.models[0].fidelity == trace.tools[0].fidelity == "partial"
    assert "$.response.content" in trace.models[0].unknown
    assert [(loss.kind, loss.count) for loss in trace.header.losses] == [("truncated", 2)]


def test_unknown_events_are_told_and_nothing_is_refused() -> None:
    assert [loss.kind for loss in fixtura(LLM, {"event_type": "dream"}).trace.header.losses] == ["unsupported"]
    with pytest.raises(ReaderError, match="no call"):
        runs_of([Input("x", lines(HEADER))])
