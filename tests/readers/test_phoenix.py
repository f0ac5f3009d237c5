"""Phoenix: every shape of its spans reads as the export does that they came from."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from runwright.errors import ReaderError
from runwright.fingerprint import agree, fingerprint
from runwright.readers import Input, Run, read_foreign, runs_of, sniff
from runwright.readers.otlp.wire import spans_of
from runwright.readers.reading import Reading
from runwright.readers.spans.nested import nested
from runwright.trace import dumps_trace, loads_trace
from runwright.trace.model import ModelRecord, ToolRecord, Trace
from tests.readers.exports import fixture, losses, words

ASKS, ANSWER = "Let me look.", "A-17 is on its way, B-4 waits in Århus."
NAMES = ("openinference.traces.json", "langgraph-openinference.traces.json")
Fields = dict[str, Any]


def iso(nanoseconds: int | None) -> str | None:
    when = None if nanoseconds is None else datetime.fromtimestamp(nanoseconds // 1_000_000_000, UTC)
    return None if when is None else when.replace(microsecond=(nanoseconds or 0) // 1000 % 1_000_000).isoformat()


def spans(name: str) -> list[Fields]:
    """The spans of an export as Phoenix's API gives them, with flat attributes."""
    (source,) = fixture(name)
    return [
        {
            "id": "U3Bhbjox",
            "name": each.name,
            "context": {"trace_id": each.trace_id, "span_id": each.span_id},
            "span_kind": each.attributes.get("openinference.span.kind", "UNKNOWN"),
            "parent_id": each.parent_id or None,
            "start_time": iso(each.start),
            "end_time": iso(each.end),
            "status_code": "ERROR" if each.failed else "OK",
            "status_message": each.status,
            "attributes": each.attributes,
            "events": [{"name": event.name, "timestamp": iso(event.time), "attributes": event.attributes}
                       for event in each.events],
        }
        for each in spans_of(json.loads(source.data), Reading(), "")
    ]  # fmt: skip


def with_trees(items: list[Fields]) -> list[Fields]:
    """The spans with their attributes nested, and texts of objects opened, as Phoenix stores them."""
    return [{**each, "attributes": tree(each["attributes"])} for each in items]


def tree(attributes: Fields) -> Any:
    opened = {
        key: json.loads(each) if key.startswith(("llm.invocation", "metadata", "llm.tools")) else each
        for key, each in attributes.items()
    }
    return nested({f"x.{key}": each for key, each in opened.items()}, "x")


def as_rows(items: list[Fields]) -> list[Fields]:
    """The spans as rows of the client's table: two levels are columns."""
    found = []
    for each in items:
        row = {key: value for key, value in each.items() if key not in ("context", "attributes")}
        row |= {f"context.{key}": value for key, value in each["context"].items()}
        for key, value in each["attributes"].items():
            row[f"attributes.{key}"] = value
        found.append(row)
    return found


def parquet(items: list[Fields]) -> bytes:
    target, names = io.BytesIO(), dict.fromkeys(key for row in items for key in row)
    pyarrow.parquet.write_table(pyarrow.table({name: [row.get(name) for row in items] for name in names}), target)
    return target.getvalue()


def lines(items: list[Fields]) -> bytes:
    return "\n".join(map(json.dumps, items)).encode()


def dumped(value: Any) -> bytes:
    return json.dumps(value).encode()


SHAPES: dict[str, Callable[[list[Fields]], bytes]] = {
    "a list": dumped,
    "a page of the API": lambda items: dumped({"data": items, "next_cursor": None}),
    "JSON Lines": lines,
    "nested": lambda items: dumped(with_trees(items)),
    "flattened to the last": lambda items: dumped(
        [{**each, "attributes": opened(each["attributes"])} for each in items]
    ),
    "rows": lambda items: lines(as_rows(items)),
    "Parquet": lambda items: parquet(as_rows(items)),
}


def opened(attributes: Fields) -> Fields:
    """Attributes with the texts of objects opened and flattened too."""
    found: Fields = {}
    for key, each in attributes.items():
        inner = json.loads(each) if key in ("llm.invocation_parameters", "metadata") else None
        found |= {f"{key}.{name}": value for name, value in inner.items()} if inner else {key: each}
    return found


def told(trace: Trace) -> list[Any]:
    """What two readings of one run must agree in."""
    return [
        (each.id, each.parent, each.agent)
        + (
            (each.request, each.response, each.error, each.unknown, each.streamed)
            if isinstance(each, ModelRecord)
            else ()
        )
        + ((each.name, each.arguments, each.result, each.call_id) if isinstance(each, ToolRecord) else ())
        for each in trace.records
        if isinstance(each, (ModelRecord, ToolRecord))
    ]


def read(data: bytes) -> list[Run]:
    assert sniff(data[:65536]) == "phoenix"
    runs = list(runs_of([Input("spans", data)]))
    for run in runs:
        assert loads_trace(dumps_trace(run.trace)) == run.trace
    return runs


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_reads_as_the_export_does(shape: str) -> None:
    """One trace of the export has the agent's run, the other the call that failed."""
    runs = read(SHAPES[shape](spans(NAMES[1])))
    assert [len(run.trace.models) for run in runs] == [2, 1]
    for run in runs:
        assert told(run.trace) == told(read_foreign(fixture(NAMES[1]), trace_id=run.id))
    assert words(runs[0].trace) == [ASKS, ANSWER]


def test_calls_drawn_by_two_instrumentations_are_counted_once() -> None:
    """Phoenix does not say who drew a span: that one lies in the other, or their replies' ids, tell it."""
    (run,) = read(dumped(spans(NAMES[0])))
    whole = read_foreign(fixture(NAMES[0]))
    assert [each for each in told(run.trace) if each[0][0] == "m"] == told(whole)
    assert agree(fingerprint(run.trace), fingerprint(whole)).verdict == "SAME"


@pytest.mark.parametrize("name", ["api.json", "table.jsonl", "table.parquet"])
def test_what_phoenix_itself_gives_for_an_export(name: str) -> None:
    """The genuine export went through a Phoenix server, and came back from its API and its client."""
    (source,) = fixture(name, folder="phoenix")
    runs = read(source.data)
    assert [len(run.trace.models) for run in runs] == [2, 1]
    for run in runs:
        whole = read_foreign(fixture(NAMES[1]), trace_id=run.id)
        assert told(run.trace) == told(whole)
        assert agree(fingerprint(run.trace), fingerprint(whole)).verdict == "SAME"
        assert (run.trace.header.started_at or "")[:22] == (whole.header.started_at or "")[:22]


def test_times_are_kept_to_the_microsecond_and_numbers_are_told_by_their_size() -> None:
    items = spans(NAMES[1])
    plain = read(dumped(items))[0].trace
    for unit in (1e3, 1e6):
        numbered = [
            {
                **each,
                **{key: datetime.fromisoformat(each[key]).timestamp() * unit for key in ("start_time", "end_time")},
            }
            for each in items
        ]
        found = read(dumped(numbered))[0].trace
        assert [each.t for each in found.models] == pytest.approx([each.t for each in plain.models], abs=1e-3)
        assert (found.header.started_at or "")[:19] == (plain.header.started_at or "")[:19]


def test_a_record_tells_its_span_and_its_line() -> None:
    run = read(lines(spans(NAMES[1])))[0]
    assert run.trace.models[0].ext["source"].startswith("spans:")  # type: ignore[union-attr]
    assert set(run.trace.models[0].ext) == {"span_id", "trace_id", "source"}


def test_a_bad_line_does_not_stop_the_rest_and_is_a_fault() -> None:
    items = spans(NAMES[1])
    data = lines(items) + b'\n{"context": {"span_id": \n5\n{"context": {}, "span_kind": "LLM"}\n'
    run = read(data)[0]
    assert words(run.trace) == [ASKS, ANSWER]
    assert sum(each.count for each in losses(run.trace, "malformed")) == 3
    assert [type(each).__name__ for each in run.trace.records].count("FaultRecord") == 1


def test_a_span_twice_is_one() -> None:
    items = spans(NAMES[1])
    run = read(lines([*items, *items]))[0]
    assert len(run.trace.models) == 2
    assert [each.count for each in losses(run.trace, "duplicate")] == [len(items)]


def test_content_that_is_hidden_is_unknown_with_the_setting() -> None:
    items = spans(NAMES[1])
    for each in items:
        hidden = ("input.value", "output.value", "llm.input_messages", "llm.output_messages")
        each["attributes"] = {key: value for key, value in each["attributes"].items() if not key.startswith(hidden)}
    trace = read(dumped(items))[0].trace
    assert [each.fidelity for each in trace.models] == ["none", "none"]
    assert "OPENINFERENCE_HIDE_INPUTS" in losses(trace, "not_captured")[0].detail


def test_a_status_alone_is_a_failure() -> None:
    items = [{**each, "events": []} for each in spans(NAMES[1])]
    failed = read(dumped(items))[1].trace.models[0]
    assert failed.response is None
    assert failed.error is not None
    assert failed.error.status == 404


def test_spans_without_a_model_call_are_refused() -> None:
    items = [each for each in spans(NAMES[1]) if each["span_kind"] != "LLM"]
    with pytest.raises(ReaderError, match="8 spans, and none of them is a model call"):
        read(dumped(items))


@pytest.mark.parametrize(
    "data",
    [
        b'{"context": {"span_id": "x"}}',
        b'{"span_kind": "LLM"}',
        b'[{"context": "span_id"}]',
        b"span_kind",
        dumped({"data": []}),
    ],
)
def test_what_is_no_span_of_phoenix(data: bytes) -> None:
    assert sniff(data) != "phoenix"


@pytest.mark.parametrize("odd", [None, 5, "x", [], {}, [5], [[]], {"a": [{"b": None}]}, 1e400, True])
def test_values_that_are_something_else(odd: Any) -> None:
    items = spans(NAMES[1])
    for key in items[2]:
        changed = [*items[:2], {**items[2], key: odd}, *items[3:]]
        for run in runs_of([Input("x", dumped(changed))], "phoenix"):
            dumps_trace(run.trace)
    for key in items[2]["attributes"]:
        changed = [*items[:2], {**items[2], "attributes": {**items[2]["attributes"], key: odd}}, *items[3:]]
        for run in runs_of([Input("x", dumped(changed))], "phoenix"):
            assert loads_trace(dumps_trace(run.trace)) == run.trace
