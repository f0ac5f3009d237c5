"""Langfuse: every shape of its exports, what is kept of each type of observation, what is refused."""

from __future__ import annotations

import copy
import io
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from runwright.errors import ReaderError
from runwright.readers import Input, Run, runs_of, sniff
from runwright.readers.langfuse.read import together
from runwright.readers.many import read_many
from runwright.trace.model import ModelRecord, ToolRecord, Trace, text_of
from tests.samples import ROOT, samples_dir

FIXTURES = ROOT / "tests" / "fixtures" / "langfuse"
TRACE = FIXTURES / "trace.json"
ENRICHED = FIXTURES / "enriched" / "observations_v2.jsonl"
LEGACY = [FIXTURES / "legacy" / each / "20261130.jsonl" for each in ("traces", "observations")]


def document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(TRACE.read_text())
    return found


def read(value: Any) -> list[Run]:
    return list(runs_of([Input("x.json", json.dumps(value).encode())]))


def one(value: Any) -> Trace:
    (run,) = read(value)
    return run.trace


def parquet(rows: Sequence[dict[str, Any]]) -> bytes:
    target, names = io.BytesIO(), dict.fromkeys(key for row in rows for key in row)
    columns = {name: [row.get(name) for row in rows] for name in names}
    pyarrow.parquet.write_table(pyarrow.table(columns), target)
    return target.getvalue()


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def exchanges(trace: Trace) -> list[Any]:
    """What two exports of one run must agree in: all but their places in the files."""
    return [
        (type(each).__name__, each.id, each.parent, each.agent, each.t, each.duration)
        + ((each.request, each.response, each.error, each.unknown) if isinstance(each, ModelRecord) else ())
        + ((each.name, each.arguments, each.result, each.error, each.call_id) if isinstance(each, ToolRecord) else ())
        for each in trace.records
    ]


def test_a_trace_with_its_observations() -> None:
    (run,) = runs_of([TRACE])
    trace = run.trace
    assert run.id == "tr-1"
    assert trace.header.agent is not None
    assert trace.header.agent.name == "desk"
    assert trace.header.started_at == "2026-11-30T10:00:00.000000Z"
    assert trace.header.duration == 5.0
    first, second, failed = trace.models
    assert {each.agent for each in trace.models} == {"desk"}
    assert first.request.api == "openai.chat_completions"
    assert first.request.model == "gpt-4o-mini"
    assert [each.role for each in first.request.messages] == ["system", "user"]
    assert first.request.parameters == {"temperature": 0}
    (tool,) = first.request.tools
    assert (tool.name, tool.description, tool.parameters) == ("look_up", "Find an order.", {"type": "object"})
    assert first.response is not None
    assert first.response.usage is not None
    assert first.response.usage.details == {"input_cache_read": 4}
    assert first.response.model == "gpt-4o-mini-2024-07-18"
    assert first.ext["source"] == "trace.json: observation o-2"
    assert second.streamed is True
    assert "max_tokens" not in second.request.parameters
    assert failed.response is None
    assert failed.error is not None
    assert failed.error.status == 429
    assert failed.error.body == {"error": {"message": "slow down"}}


def test_ids_of_a_run_are_no_part_of_an_agents_name() -> None:
    whole = document()
    for each in whole["observations"]:
        if each["type"] == "AGENT":
            each["name"] = "desk.6f8d2449-33ed-4c7c-82e7-5410e34ee4e6"
    trace = one(whole)
    assert trace.header.agent is not None
    assert {trace.header.agent.name, *(each.agent for each in trace.models)} == {"desk"}


def test_a_result_under_its_tools_name_answers_the_call() -> None:
    second = one(document()).models[1]
    (result,) = second.request.messages[3].content
    assert result.call_id == "call_1"
    assert second.request.messages[3].role == "tool"
    assert "$.request.messages[3].content" in second.reconstructed


def test_a_failed_tool() -> None:
    (tool,) = one(document()).tools
    assert (tool.name, tool.arguments, tool.outcome) == ("look_up", {"order": "A-1"}, "error")
    assert tool.error is not None
    assert tool.error.message == "the warehouse is closed"
    assert tool.call_id == "call_1"
    assert tool.agent == "desk"


def test_what_is_left_out_is_told() -> None:
    told = [(each.kind, each.detail) for each in one(document()).header.losses]
    assert ("unsupported", "retriever calls are not kept") in told
    assert any(detail.startswith("spans of") for _, detail in told)


def test_every_shape_of_one_run_is_the_same_run() -> None:
    whole = document()
    trace, observations = whole["trace"], whole["observations"]
    expected = exchanges(one(whole))
    assert exchanges(one({**trace, "observations": observations})) == expected
    assert exchanges(one({"data": observations, "meta": {"page": 1}})) == expected
    assert exchanges(one(observations)) == expected
    lines = "\n".join(json.dumps(each) for each in observations).encode()
    (run,) = runs_of([Input("x.jsonl", lines)])
    assert exchanges(run.trace) == expected
    (joined,) = runs_of(LEGACY)
    assert exchanges(joined.trace) == expected
    first, other = runs_of([ENRICHED])
    assert exchanges(first.trace) == expected
    assert (first.id, other.id) == ("tr-1", "tr-2")
    assert len(other.trace.models) == 1
    assert first.trace.header.trace_id != other.trace.header.trace_id
    opened = copy.deepcopy(whole)
    for each in opened["observations"]:
        for key in ("input", "metadata", "output"):
            while isinstance(each[key], str) and each[key][:1] in '{["':
                each[key] = json.loads(each[key])
    assert exchanges(one(opened)) == expected


@pytest.mark.parametrize("nested", [True, False])
def test_parquet(nested: bool) -> None:
    rows = rows_of(ENRICHED)
    for each in rows:
        each["metadata"] = each["metadata"] if nested else json.dumps(each["metadata"])
    data = parquet(rows)
    assert sniff(data) == "langfuse"
    first, _ = runs_of([Input("x.parquet", data)])
    (known, _) = runs_of([ENRICHED])
    assert exchanges(first.trace) == exchanges(known.trace)


def test_a_folder_of_parquet_is_found_by_its_end(tmp_path: Path) -> None:
    rows = rows_of(ENRICHED)
    rows[0]["input"] = random.Random(0).randbytes(200_000).hex()
    (tmp_path / "part.parquet").write_bytes(parquet(rows))
    (group,) = read_many([tmp_path / "part.parquet"])
    assert len(group.runs) == 2


def test_parquet_without_the_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ReaderError) as caught:
        runs_of([Input("x.parquet", parquet(rows_of(ENRICHED)))])
    assert caught.value.hint == "pip install 'runwright[parquet]'"


def test_parquet_of_absurdly_many_columns_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runwright.readers.parquet.WIDEST", 3)
    with pytest.raises(ReaderError, match="columns are too many"):
        runs_of([Input("x.parquet", parquet(rows_of(ENRICHED)))])


def test_broken_parquet_is_refused() -> None:
    data = parquet(rows_of(ENRICHED))
    with pytest.raises(ReaderError, match="no Parquet that can be read"):
        runs_of([Input("x.parquet", data[:-40] + b"\0" * 36 + b"PAR1")], "langfuse")


def test_a_folder_joins_traces_with_observations() -> None:
    groups = list(read_many([*LEGACY, ENRICHED, TRACE]))
    assert sorted(len(each.files) for each in groups) == [1, 1, 2]
    assert all(each.error is None for each in groups)


def test_the_files_of_an_enriched_export_are_one_group() -> None:
    parts = [f"p/observations_v2/{hour}.parquet" for hour in (1, 2)]
    joined = ["p/traces/1.parquet", "p/observations/1.parquet"]
    assert together([*parts, *joined, "p/other.json"]) == [parts, joined, ["p/other.json"]]


def test_a_bad_line_does_not_stop_the_rest() -> None:
    lines = ENRICHED.read_bytes().split(b"\n")
    runs = runs_of([Input("x.jsonl", b"\n".join([lines[0], b'{"trace_id": ', *lines[1:]]))])
    assert len(runs[0].trace.models) == 3
    assert any(each.kind == "malformed" and each.where == "x.jsonl:2" for each in runs[0].trace.header.losses)


def test_an_observation_twice_is_one() -> None:
    whole = document()
    whole["observations"] += copy.deepcopy(whole["observations"])
    trace = one(whole)
    assert len(trace.models) == 3
    assert any(each.kind == "duplicate" for each in trace.header.losses)


def test_a_call_that_only_messages_tell_of_becomes_a_tool_record() -> None:
    whole = document()
    whole["observations"] = [each for each in whole["observations"] if each["type"] != "TOOL"]
    trace = one(whole)
    (tool,) = trace.tools
    assert (tool.name, tool.result, tool.call_id, tool.t) == ("look_up", "the warehouse is closed", "call_1", None)
    assert tool.ext == {"told_by": "m1"}
    assert tool.after == ("m1",)
    assert "t1" in trace.models[1].after


def test_content_that_was_not_logged_is_unknown_not_empty() -> None:
    whole = document()
    for each in whole["observations"]:
        each["input"] = each["output"] = None
    trace = one(whole)
    assert {each.fidelity for each in trace.models} == {"none"}
    assert "$.request.messages" in trace.models[0].unknown
    assert "$.response.content" in trace.models[0].unknown
    assert any(each.kind == "not_captured" and "export again" in each.detail for each in trace.header.losses)


def test_a_generation_inside_one_of_another_instrumentation_is_the_same_call() -> None:
    whole = document()
    outer = next(each for each in whole["observations"] if each["id"] == "o-2")
    inner = {**outer, "id": "o-2i", "parentObservationId": "o-2", "input": "user: Where is A-1?", "output": "None"}
    inner |= {"metadata": json.dumps({"scope": {"name": "other"}}), "usageDetails": {"input": 1, "output": 1}}
    whole["observations"].append(inner)
    trace = one(whole)
    assert len(trace.models) == 3
    assert len(trace.models[0].request.messages) == 2


def test_traces_without_a_generation_are_refused() -> None:
    whole = document()
    whole["observations"] = [each for each in whole["observations"] if each["type"] != "GENERATION"]
    with pytest.raises(ReaderError, match="none is a generation"):
        read(whole)
    with pytest.raises(ReaderError, match="no observation in it"):
        runs_of([LEGACY[0]])


def test_samples() -> None:
    folder = samples_dir("langfuse")
    found = {each.name.rsplit("__", 1)[-1].removesuffix(".trace.json"): runs_of([each]) for each in folder.iterdir()}
    left_out = found["agno-2025-06-11"][0].trace.models[1]
    assert "$.request.messages" in left_out.unknown
    assert "$.request.parameters.*" in left_out.unknown
    assert "not_representable" not in {each.kind for each in found["koog-2025-08-26"][0].trace.header.losses}
    first = found["csharp-agent-with-gemini-2026-03-09"][0].trace
    assert [each.name for each in first.tools] == ["get_custom_report", "final_result"]
    assert text_of(first.models[1].response.content).startswith("I couldn't retrieve")  # type: ignore[union-attr]
