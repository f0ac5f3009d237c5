"""Whoever records spans tells runs inside calls from runs beside them; sessions and logs of exchanges do not."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from runwright.fingerprint import agree, fingerprint
from runwright.readers import Input, runs_of
from runwright.trace import ModelRecord, ToolRecord, Trace
from tests.readers.exports import FIXTURES


class Spans(NamedTuple):
    """An export: its file, and what a span's own id and that of its parent are called."""

    file: str
    own: str
    parent: str


EXPORTS = {
    "otlp": Spans("otlp/langgraph-openinference.traces.json", "spanId", "parentSpanId"),
    "phoenix": Spans("phoenix/table.jsonl", "context.span_id", "parent_id"),
    "langfuse": Spans("langfuse/trace.json", "id", "parentObservationId"),
    "langsmith": Spans("langsmith/runs.jsonl", "id", "parent_run_id"),
    "mlflow": Spans("order_desk/mlflow.json", "span_id", "parent_span_id"),
    "openai_agents": Spans("order_desk/openai_agents.jsonl", "id", "parent_id"),
}


def documents(path: Path) -> list[Any]:
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else [json.loads(text)]


def objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(each)


def read(spans: Spans, whole: list[Any]) -> Trace:
    """The run of the export with the most calls."""
    data = "".join(f"{json.dumps(each)}\n" for each in whole).encode()
    found = [run.trace for run in runs_of([Input(Path(spans.file).name, data)])]
    return max(found, key=lambda trace: sum(isinstance(each, ToolRecord) for each in trace.records))


def moved(spans: Spans, parent: str | None) -> Trace:
    """The run with its last exchange inside its first call, or inside the span of this id."""
    whole = documents(FIXTURES / spans.file)
    trace = read(spans, whole)
    ran = next(each for each in trace.records if isinstance(each, ToolRecord))
    last = [each for each in trace.models if each.ext["trace_id"] == ran.ext["trace_id"]][-1]
    (target,) = {each[spans.own] for each in objects(whole) if is_span(each, spans, ran)}
    found = [each for each in objects(whole) if is_span(each, spans, last)]
    assert found
    for each in found:
        each[spans.parent] = parent or target
        each.pop("dotted_order", None)
    return read(spans, whole)


def is_span(value: dict[str, Any], spans: Spans, of: ModelRecord | ToolRecord) -> bool:
    """Whether the object is the record's span; its id may be written in base64."""
    own, id = value.get(spans.own), str(of.ext["span_id"])
    return own == id or (isinstance(own, str) and own.endswith("=") and b64decode(own).hex() == id)


@pytest.mark.parametrize("spans", EXPORTS.values(), ids=list(EXPORTS))
def test_a_tree_of_spans_tells_what_lies_inside_a_call(spans: Spans) -> None:
    beside = fingerprint(read(spans, documents(FIXTURES / spans.file)))
    inside = fingerprint(moved(spans, None))
    assert [each for each in beside.basis if each in ("flat", "nesting")] == ["flat"]
    assert [each for each in inside.basis if each in ("flat", "nesting")] == ["nesting"]
    found = agree(beside, inside)
    assert "graph_hash" in {each.field for each in found.differences}
    assert not [each for each in found.not_compared if each.startswith("nesting")]


def test_a_tree_that_lost_a_span_does_not_tell() -> None:
    cut = fingerprint(moved(EXPORTS["otlp"], "ab" * 8))
    assert not {"flat", "nesting"}.intersection(cut.basis)


@pytest.mark.parametrize(
    "file", ["openai_agents/state.json", "codex/exec.jsonl", "order_desk/inspect.json", "gemini_cli/session-old.json"]
)
def test_what_has_no_spans_does_not_tell(file: str) -> None:
    """Although each of their calls was recorded."""
    (trace,) = [run.trace for run in runs_of([FIXTURES / file])][:1]
    assert [each for each in trace.records if isinstance(each, ToolRecord)]
    assert not {"flat", "nesting"}.intersection(fingerprint(trace).basis)


def test_who_does_not_know_the_calls_does_not_tell_what_lies_inside_them() -> None:
    """Spans of exchanges without their content."""
    (run, *_) = runs_of([FIXTURES / "otlp" / "openai-v2-off.traces.json"])
    assert "exchanges" in fingerprint(run.trace).basis
    assert "flat" not in fingerprint(run.trace).basis


def test_an_outcome_may_be_that_of_an_exchange_inside_a_call_where_nesting_is_not_known() -> None:
    inside = fingerprint(moved(EXPORTS["phoenix"], None))
    beside = fingerprint(read(EXPORTS["phoenix"], documents(FIXTURES / EXPORTS["phoenix"].file)))
    blind = type(beside)(**{**_fields(beside), "basis": tuple(each for each in beside.basis if each != "flat")})
    assert inside.outcome_class != blind.outcome_class
    found = agree(inside, blind)
    assert "outcome_class" not in found.compared
    assert found.verdict == "SAME"
    assert "outcome_class" in {each.field for each in agree(inside, beside).differences}


def _fields(of: Any) -> dict[str, Any]:
    return {name: getattr(of, name) for name in of.__struct_fields__}
