"""MLflow: both versions of its traces, what is kept of each type of span, what is refused."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Sequence
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from runwright.errors import ReaderError
from runwright.readers import Input, Run, runs_of, sniff
from runwright.trace import dumps_trace, loads_trace
from runwright.trace.model import ModelRecord, ToolRecord, Trace, calls_of, text_of
from tests.readers.exports import call, export
from tests.samples import ROOT

TRACE = ROOT / "tests" / "fixtures" / "mlflow" / "trace.json"


def document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(TRACE.read_text())
    return found


def hexed(told: str | None) -> str | None:
    return None if told is None else f"0x{base64.b64decode(told).hex()}"


def second_version() -> dict[str, Any]:
    """The same run as the second version of the data model has it."""
    whole = document()
    info = whole["info"]
    spans = [
        {
            "name": each["name"],
            "context": {"span_id": hexed(each["span_id"]), "trace_id": hexed(each["trace_id"])},
            "parent_id": hexed(each["parent_span_id"]),
            "start_time": each["start_time_unix_nano"],
            "end_time": each["end_time_unix_nano"],
            "status_code": each["status"]["code"].removeprefix("STATUS_CODE_"),
            "status_message": each["status"]["message"],
            "attributes": each["attributes"],
            "events": [{"timestamp": event["time_unix_nano"], **event} for event in each["events"]],
        }
        for each in whole["data"]["spans"]
    ]
    told = {
        "request_id": info["trace_id"],
        "timestamp_ms": 1,
        "status": "OK",
        "request_metadata": info["trace_metadata"],
    }
    return {"info": {**told, "tags": info["tags"]}, "data": {"spans": spans, "request": "{}", "response": "{}"}}


def read(value: Any) -> Sequence[Run]:
    return runs_of([Input("x.json", json.dumps(value).encode())])


def one(value: Any) -> Trace:
    (run,) = read(value)
    return run.trace


def exchanges(trace: Trace) -> list[Any]:
    return [
        (type(each).__name__, each.id, each.parent, each.agent, each.t, each.duration, each.ext.get("span_id"))
        + ((each.request, each.response, each.error, each.streamed) if isinstance(each, ModelRecord) else ())
        + ((each.name, each.arguments, each.result, each.call_id) if isinstance(each, ToolRecord) else ())
        for each in trace.records
    ]


def test_a_genuine_trace() -> None:
    (run,) = runs_of([TRACE])
    trace = run.trace
    assert run.id == document()["info"]["trace_id"]
    assert trace.header.agent is not None
    assert trace.header.agent.name == "desk"
    first, second, failed = trace.models
    assert {(each.request.api, each.fidelity, each.agent) for each in trace.models} == {
        ("openai.chat_completions", "reconstructed", "desk")
    }
    assert first.unknown == ()
    assert (first.request.model, first.request.parameters) == ("gpt-desk", {"temperature": 0.5})
    assert [tool.name for tool in first.request.tools] == ["lookup_order"]
    assert first.response is not None
    assert (first.response.id, first.response.model) == ("chatcmpl-desk1", "gpt-desk-2026")
    assert [each.id for each in calls_of(first.response.content)] == ["call_a17", "call_b4"]
    assert first.response.usage is not None
    assert (first.response.usage.input_tokens, first.response.usage.output_tokens) == (31, 12)
    assert second.after == ("t1", "t2")
    assert second.response is not None
    assert text_of(second.response.content) == "A-17 is on its way, B-4 waits in Århus."
    assert failed.response is None
    assert failed.error is not None
    assert (failed.error.status, failed.error.kind) == (404, "NotFoundError")
    assert [(each.name, each.arguments, each.result, each.call_id) for each in trace.tools] == [
        ("lookup_order", {"order": "A-17"}, {"state": "sent"}, "call_a17"),
        ("lookup_order", {"order": "B-4"}, {"state": "waiting"}, "call_b4"),
    ]
    assert loads_trace(dumps_trace(trace)) == trace


def test_every_shape_of_one_run_is_the_same_run() -> None:
    whole = document()
    expected = exchanges(one(whole))
    assert exchanges(one(second_version())) == expected
    assert exchanges(one({"traces": [whole]})) == expected
    assert exchanges(one({"trace_id": "tr-1", "trace": json.dumps(whole)})) == expected
    assert exchanges(one({**whole["data"], "info": {"trace_id": whole["info"]["trace_id"]}})) == expected
    lines = json.dumps(whole) + "\n" + json.dumps({**whole, "info": {**whole["info"], "trace_id": "tr-2"}}) + "\n"
    runs = runs_of([Input("x.jsonl", lines.encode())])
    assert sorted(run.id for run in runs) == sorted([whole["info"]["trace_id"], "tr-2"])


def test_rows_of_a_search_as_parquet() -> None:
    whole = document()
    columns = {
        "trace_id": [whole["info"]["trace_id"]],
        "trace": [json.dumps(whole)],
        "trace_metadata": [json.dumps(whole["info"]["trace_metadata"])],
    }
    target = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), target)
    assert sniff(target.getvalue()) == "mlflow"
    (run,) = runs_of([Input("x.parquet", target.getvalue())])
    assert exchanges(run.trace) == exchanges(one(whole))


def test_a_retriever_is_left_out_and_told() -> None:
    whole = document()
    whole["data"]["spans"][2]["attributes"]["mlflow.spanType"] = '"RETRIEVER"'
    trace = one(whole)
    # the call that no span stands for any more is told of by the messages
    assert [each.ext.get("told_by") for each in trace.tools] == [None, "m1"]
    assert ("unsupported", "retriever calls are not kept") in [(each.kind, each.detail) for each in trace.header.losses]


def test_a_streamed_reply_is_known_by_its_chunks() -> None:
    whole = document()
    span = whole["data"]["spans"][1]
    span["attributes"]["mlflow.spanInputs"] = '{"question": "Where?"}'
    span["events"] = [{"name": "mlflow.chunk.item.0", "time_unix_nano": 1, "attributes": {"mlflow.chunk.value": "{}"}}]
    first = one(whole).models[0]
    assert first.streamed is True
    assert "$.request.messages" in first.unknown


def test_a_failure_without_an_event() -> None:
    whole = document()
    whole["data"]["spans"][5] |= {"events": [], "status": {"code": "STATUS_CODE_ERROR", "message": "gone"}}
    failed = one(whole).models[2]
    assert failed.error is not None
    assert failed.error.message == "gone"


def test_a_span_without_content_is_unknown_and_named_with_the_remedy() -> None:
    whole = document()
    for each in whole["data"]["spans"]:
        each["attributes"] = {"mlflow.spanType": each["attributes"]["mlflow.spanType"]}
    trace = one(whole)
    assert {each.fidelity for each in trace.models if each.error is None} == {"none"}
    assert any("autologging" in each.detail for each in trace.header.losses if each.kind == "not_captured")
    assert {each.fidelity for each in trace.tools} == {"none"}


def test_traces_without_a_model_are_refused() -> None:
    whole = document()
    whole["data"]["spans"] = whole["data"]["spans"][:1]
    with pytest.raises(ReaderError, match="1 spans, and none is a model's"):
        read(whole)


def test_an_export_of_opentelemetry_with_its_attributes_is_none() -> None:
    shown = json.dumps(export(call(1))).replace("gen_ai.response.id", "mlflow.spanInputs")
    assert sniff(shown.encode()) == "otlp"


def test_two_spans_under_one_id_are_one() -> None:
    whole = document()
    spans = whole["data"]["spans"]
    spans[3]["span_id"] = spans[2]["span_id"]
    spans[4]["span_id"] = None
    trace = one(whole)
    assert loads_trace(dumps_trace(trace)) == trace
    assert len(trace.models) == 2
    assert {("duplicate", "a span under the id of another"), ("malformed", "a span without an id")} <= {
        (each.kind, each.detail) for each in trace.header.losses
    }
