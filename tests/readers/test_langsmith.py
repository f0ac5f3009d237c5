"""LangSmith: runs whole, nested and as events, what is kept of each type of run, what is refused."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from runwright.errors import ReaderError
from runwright.readers import Input, Run, runs_of, sniff
from runwright.readers.langsmith.read import together
from runwright.trace import dumps_trace, loads_trace
from runwright.trace.model import ModelRecord, ToolRecord, Trace, calls_of, text_of
from tests.samples import ROOT, samples_dir

RUNS = ROOT / "tests" / "fixtures" / "langsmith" / "runs.jsonl"


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in RUNS.read_text().splitlines()]


def read(value: Any) -> Sequence[Run]:
    return runs_of([Input("x.json", json.dumps(value).encode())])


def one(value: Any) -> Trace:
    (run,) = read(value)
    return run.trace


def exchanges(trace: Trace) -> list[Any]:
    return [
        (type(each).__name__, each.id, each.parent, each.agent, each.t, each.duration)
        + ((each.request, each.response, each.error, each.streamed) if isinstance(each, ModelRecord) else ())
        + ((each.name, each.arguments, each.result, each.call_id) if isinstance(each, ToolRecord) else ())
        for each in trace.records
    ]


def test_runs_of_langchain() -> None:
    (run,) = runs_of([RUNS])
    trace = run.trace
    assert run.id == "11111111-0000-4000-8000-000000000001"
    assert trace.header.agent is not None
    assert trace.header.agent.name == "desk"
    assert (trace.header.started_at, trace.header.duration) == ("2026-11-30T10:00:01.000000Z", 6.5)
    first, second, failed = trace.models
    assert {each.agent for each in trace.models} == {"desk"}
    assert (first.request.api, first.request.model) == ("openai.chat_completions", "gpt-4o-mini")
    assert [each.role for each in second.request.messages] == ["system", "user", "assistant", "tool"]
    assert first.request.parameters == {"temperature": 0}
    assert [tool.name for tool in first.request.tools] == ["look_up"]
    assert first.response is not None
    assert [each.arguments for each in calls_of(first.response.content)] == [{"order": "A-1"}]
    assert first.response.stop_reason == "tool_calls"
    assert first.response.usage is not None
    assert (first.response.usage.input_tokens, first.response.usage.output_tokens) == (20, 5)
    assert second.streamed is True
    assert second.response is not None
    assert text_of(second.response.content) == "It has shipped."
    assert second.after == ("t1",)
    assert failed.response is None
    assert failed.error is not None
    assert (failed.error.status, failed.error.kind) == (429, "RateLimitError")
    assert "agent.py" not in failed.error.message


def test_a_tool_of_langchain() -> None:
    (tool,) = one(rows()).tools
    assert (tool.name, tool.arguments, tool.result) == ("look_up", {"order": "A-1"}, "shipped")
    assert (tool.call_id, tool.outcome, tool.agent) == ("call_1", "ok", "desk")


def test_values_of_the_environment_are_not_kept() -> None:
    assert b"LANGSMITH_" in RUNS.read_bytes()
    assert b"LANGSMITH_" not in dumps_trace(one(rows()))
    assert b"127.0.0.1" not in dumps_trace(one(rows()))


def test_every_shape_of_one_run_is_the_same_run() -> None:
    whole = rows()
    expected = exchanges(one(whole))
    assert exchanges(one({"runs": list(reversed(whole))})) == expected
    started = [{**each, "outputs": {}, "error": None, "end_time": None, "events": []} for each in whole]
    ended = [{key: each[key] for key in ("id", "outputs", "error", "end_time", "events")} for each in whole]
    assert exchanges(one({"post": started, "patch": ended})) == expected
    hollow = [{**each, "inputs": {}, "extra": {}, "parent_run_id": None} for each in whole]
    assert exchanges(one([*started, *hollow])) == expected
    posts = [{"method": "POST", "path": "/runs", "body": each} for each in started]
    patches = [{"method": "PATCH", "path": "/runs/x", "body": each} for each in ended]
    assert exchanges(one([*posts, *patches])) == expected
    tree = {**whole[0], "child_runs": [{**whole[1], "child_runs": whole[2:]}]}
    assert exchanges(one(tree)) == expected
    bare = [
        {key: each[key] for key in each if key not in ("trace_id", "parent_run_id", "start_time")} for each in whole
    ]
    assert exchanges(one(bare)) == expected


def parquet(of: list[dict[str, Any]]) -> bytes:
    texts = ("inputs", "outputs", "extra", "events", "tags")
    columns = {key: [json.dumps(each[key]) if key in texts else each[key] for each in of] for key in of[0]}
    target = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), target)
    return target.getvalue()


def test_a_bulk_export() -> None:
    whole = rows()
    parts = [parquet(whole[:4]), parquet(whole[4:])]
    assert [sniff(each) for each in parts] == ["langsmith", "langsmith"]
    (run,) = runs_of([Input(f"{at}.parquet", each) for at, each in enumerate(parts)])
    assert exchanges(run.trace) == exchanges(one(whole))
    names = [f"export_id=1/session_id=2/runs/year=2026/day={day}/p.parquet" for day in (1, 2)]
    assert together([*names, "other.jsonl"]) == [names, ["other.jsonl"]]


def test_a_run_without_an_end_says_so() -> None:
    whole = rows()
    whole[2] |= {"outputs": None, "end_time": None}
    trace = one(whole)
    assert "$.response.content" in trace.models[0].unknown
    assert any(each.kind == "not_captured" and "interrupted" in each.detail for each in trace.header.losses)


def test_hidden_inputs_are_unknown_and_named_with_the_setting() -> None:
    trace = one([{**each, "inputs": {}, "outputs": {}} for each in rows()])
    assert {each.fidelity for each in trace.models if each.error is None} == {"none"}
    assert any("LANGSMITH_HIDE_INPUTS" in each.detail for each in trace.header.losses)


def test_two_traces_are_two_runs() -> None:
    other = json.loads(RUNS.read_text().splitlines()[2].replace("11111111-", "22222222-"))
    assert [run.id[:8] for run in read([*rows(), other])] == ["11111111", "22222222"]


def test_runs_without_a_model_are_refused() -> None:
    with pytest.raises(ReaderError, match="none is a model's") as caught:
        read([each for each in rows() if each["run_type"] != "llm"])
    assert "chat_model" in caught.value.hint


def test_a_bad_line_does_not_stop_the_rest(tmp_path: Path) -> None:
    lines = RUNS.read_bytes().split(b"\n")
    (tmp_path / "x.jsonl").write_bytes(b"\n".join([*lines[:3], b'{"run_type": ', *lines[3:]]))
    (run,) = runs_of([tmp_path / "x.jsonl"])
    assert len(run.trace.models) == 3
    assert [each.where for each in run.trace.header.losses if each.kind == "malformed"] == ["x.jsonl:4"]


def test_samples() -> None:
    (file,) = samples_dir("langsmith").iterdir()
    (run,) = runs_of([file])
    trace = run.trace
    assert loads_trace(dumps_trace(trace)) == trace
    # taken by hand: four calls of the model, two of them streamed; four tool calls that only messages tell of
    assert [each.streamed for each in trace.models] == [False, False, True, True]
    assert [(each.name, each.arguments) for each in trace.tools] == [
        ("get_weather", {"city": "Oslo"}),
        ("get_weather", {"city": "Bergen"}),
    ] * 2
    assert not [each for each in trace.models if each.error is not None]
    assert {each.fidelity for each in trace.models} == {"reconstructed"}
    assert b"LANGSMITH_" not in dumps_trace(trace)
