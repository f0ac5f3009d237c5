"""Formats are found from bytes, and what is no format is refused by naming those that are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runwright.errors import ReaderError, TraceError, UnknownFormat, UsageError
from runwright.readers import Input, read_foreign, sniff
from runwright.trace import dumps_trace
from tests.readers.exports import call, export, fixture, given

NATIVE = dumps_trace(read_foreign(fixture("pydantic-2.traces.json")))


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (NATIVE, "runwright"),
        (b"\xef\xbb\xbf" + NATIVE, "runwright"),
        (fixture("openai-v2.logs.json")[0].data, "otlp"),
        (fixture("openai-v2.traces.json")[0].data, "otlp"),
        (b'{"resource_spans": []}', "otlp"),
        (fixture("orders.jsonl", folder="model_log")[0].data, "model_log"),
        (b'{"request": {"model": "m", "messages": []}, "error": {}}', "model_log"),
        (b'{"tool": {"name": "f"}}\n', "model_log"),
        (b'{"request": {"model": "m", "messages": [{"content": "' + b"x" * 70000, "model_log"),
        (b'{"trace": {"id": "t", "projectId": "p", "input": "' + b"x" * 70000, "langfuse"),
        (b'{"method": "POST", "body": {"id": "r", "run_type": "llm", "trace_id": "t"', "langsmith"),
        (b'{"object": "trace.span", "id": "s", "trace_id": "t", "span_data": {', "openai_agents"),
        (b'{"$schemaVersion": "1.3", "current_agent": {', "openai_agents"),
        (b'{"info": {"trace_id": "tr-1", "tags": {"mlflow.traceName": "x"', "mlflow"),
        (b'{"id": "c", "call_type": "acompletion", "response_cost": 0.1, "startTime": 1', "litellm"),
        (b'[{"request_id": "c", "call_type": "acompletion", "spend": 0.1, "startTime": "', "litellm"),
        (b'{"messages": [{"role": "user", "content": ""}], "kwargs": {}, "context_window": 1', "litellm"),
        (b'{"id": "o", "trace_id": "t", "type": "SPAN", "parent_observation_id": ""}', "langfuse"),
        (b'{"batch": [{"id": "e", "type": "trace-create", "body": {"id": "t", "name": "', "langfuse"),
        (
            b'{"parentUuid":null,"isSidechain":false,"sessionId":"s","message":{"content":"' + b"x" * 70000,
            "claude_code",
        ),
        (b'{"type":"summary","summary":"A talk","leafUuid":"u"}', "claude_code"),
        (b'{"timestamp":"t","type":"session_meta","payload":{"id":"s"}}', "codex"),
        (b'{"id": "s", "timestamp": "t", "instructions": null}', "codex"),
        (b'{"type":"thread.started","thread_id":"t"}', "codex"),
        (b'{\n  "lastUpdated": "t",\n  "projectHash": "p",\n  "sessionId": "s"', "gemini_cli"),
        (b'{"method":"generateContentStream","response":[', "gemini_cli"),
    ],
)
def test_formats(head: bytes, name: str) -> None:
    assert sniff(head[:65536]) == name


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b" ",
        b"hello",
        b"{}",
        b"[]",
        b"{",
        b"\x00" * 64,
        b'{"request": 1}',
        b'{"messages": []}',
        b"resourceSpans",
        b"null",
        b'{"sessionId": "s", "parentUuid": null}',
        b'{"sessionId": "s", "messages": []}',
        b'{"type": "session_meta"}',
        b'{"payload": {"type": "response"}}',
        b'{"method": "generate", "response": []}',
        b'{"type": "message_start", "message": {"role": "assistant", "content": []}}',
    ],
)
def test_no_format(head: bytes) -> None:
    assert sniff(head) is None
    with pytest.raises(UnknownFormat) as caught:
        read_foreign([Input("x", head)])
    assert "runwright formats" in caught.value.hint


def test_our_own_format_comes_back() -> None:
    trace = read_foreign(fixture("pydantic-2.traces.json"))
    assert read_foreign([Input("t", NATIVE)]) == trace


def test_our_own_format_unsealed_is_incomplete() -> None:
    unsealed = b"\n".join(NATIVE.split(b"\n")[:-2]) + b"\n"
    assert read_foreign([Input("t", unsealed)]).complete is False
    with pytest.raises(TraceError):
        read_foreign([Input("t", NATIVE.replace(b'"lane":"model"', b'"lane":"nodel"'))])


def test_two_traces_of_our_own_are_read_one_by_one() -> None:
    with pytest.raises(ReaderError, match="by itself"):
        read_foreign([Input("a", NATIVE), Input("b", NATIVE)])


def test_files_of_several_formats_are_not_joined() -> None:
    with pytest.raises(ReaderError, match="different formats"):
        read_foreign([*fixture("openai-v2.logs.json"), *fixture("orders.jsonl", folder="model_log")])


def test_a_named_format_is_taken_at_its_word() -> None:
    with pytest.raises(ReaderError):
        read_foreign(fixture("orders.jsonl", folder="model_log"), "otlp")
    with pytest.raises(UnknownFormat, match="'otpl'"):
        read_foreign(fixture("openai-v2.logs.json"), "otpl")


def test_files_are_read_by_path(tmp_path: Path) -> None:
    path = tmp_path / "spans.json"
    path.write_text(json.dumps(export(call(1))))
    assert len(read_foreign([path]).models) == len(read_foreign([str(path)]).models) == 1
    for absent in (tmp_path / "none.json", tmp_path):
        with pytest.raises(ReaderError, match="cannot be read"):
            read_foreign([absent])


def test_arguments_that_make_no_sense() -> None:
    with pytest.raises(UsageError):
        read_foreign([])
    with pytest.raises(UsageError, match="no run"):
        read_foreign(fixture("orders.jsonl", folder="model_log"), trace_id="f" * 32)
    assert len(read_foreign(given(export(call(1))), "otlp").models) == 1
