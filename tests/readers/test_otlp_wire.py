"""The spellings of OTLP/JSON that are met in the field, and what happens to what is broken or left out."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from runwright.errors import ReaderError
from runwright.readers import Input, read_foreign
from runwright.readers.reading import HIDDEN
from runwright.trace import FaultRecord, MessageRecord, dumps_trace
from runwright.trace.model import Trace, text_of
from tests.readers.exports import TRACE, call, event, export, fixture, given, joined, logs, losses, span, tool, words

Json = dict[str, Any]


def read(*documents: Json) -> Trace:
    return read_foreign(given(*documents))


def same_but_bytes(one: Trace, other: Trace) -> bool:
    """The same records and losses, whatever file they came from."""
    return one.records == other.records and one.header.losses == other.header.losses


def respelled(value: Any, change: Any) -> Any:
    """The document with each object rewritten."""
    if isinstance(value, list):
        return [respelled(each, change) for each in value]
    if isinstance(value, dict):
        return change({key: respelled(each, change) for key, each in value.items()})
    return value


def as_base64(item: Json) -> Json:
    """Ids as protobuf's own JSON writes them."""
    ids = ("traceId", "spanId", "parentSpanId")
    return {key: base64.b64encode(bytes.fromhex(each)).decode() if key in ids else each for key, each in item.items()}


def as_snake(item: Json) -> Json:
    """Field names as they stand in the .proto files."""
    names = {
        "resourceSpans": "resource_spans",
        "scopeSpans": "scope_spans",
        "traceId": "trace_id",
        "spanId": "span_id",
        "parentSpanId": "parent_span_id",
        "startTimeUnixNano": "start_time_unix_nano",
        "endTimeUnixNano": "end_time_unix_nano",
        "stringValue": "string_value",
        "intValue": "int_value",
        "arrayValue": "array_value",
        "kvlistValue": "kvlist_value",
    }
    return {names.get(key, key): each for key, each in item.items()}


def as_numbers(item: Json) -> Json:
    """64-bit integers as JSON numbers."""
    wide = ("startTimeUnixNano", "endTimeUnixNano", "intValue")
    return {key: int(each) if key in wide else each for key, each in item.items()}


def run() -> Json:
    parent = f"{1:016x}"
    return export(
        span(1, {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "boss"}, lasts=90),
        call(2, "One.", at=1, parentSpanId=parent) | {"parentSpanId": parent},
        tool(3, "look", at=20, gen_ai__tool__call__id="c1") | {"parentSpanId": parent},
        call(4, "Two.", at=40) | {"parentSpanId": parent},
    )


@pytest.mark.parametrize("change", [as_base64, as_snake, as_numbers, lambda item: as_base64(as_numbers(item))])
def test_every_spelling_is_the_same_run(change: Any) -> None:
    assert same_but_bytes(read(respelled(run(), change)), read(run()))


def test_enums_by_number_or_name() -> None:
    failed = [
        call(n, None) | {"status": {"code": code, "message": "no"}}
        for n, code in enumerate((2, "STATUS_CODE_ERROR"), 1)
    ]
    for each in failed:
        each["attributes"] = [item for item in each["attributes"] if item["key"] != "gen_ai.output.messages"]
    trace = read(export(*failed))
    assert [each.error is not None and each.error.message for each in trace.models] == ["no", "no"]


def test_spans_in_any_order_are_one_run() -> None:
    backwards = run()
    backwards["resourceSpans"][0]["scopeSpans"][0]["spans"].reverse()
    assert same_but_bytes(read(backwards), read(run()))


def test_structured_values_say_what_json_texts_say() -> None:
    structured = call(1, "Same.")
    as_text = call(1, "Same.")
    for item in as_text["attributes"]:
        if item["key"].endswith(".messages"):
            item["value"] = {"stringValue": json.dumps(_plain(item["value"]))}
    assert read(export(structured)).records == read(export(as_text)).records


def _plain(value: Json) -> Any:
    ((kind, held),) = value.items()
    if kind == "arrayValue":
        return [_plain(each) for each in held["values"]]
    if kind == "kvlistValue":
        return {each["key"]: _plain(each["value"]) for each in held["values"]}
    return held


def test_agents_and_nesting() -> None:
    helper = span(5, {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helper"}, at=21, lasts=3)
    inner = call(6, "Inner.", at=22, lasts=1) | {"parentSpanId": f"{5:016x}"}
    document = run()
    document["resourceSpans"][0]["scopeSpans"][0]["spans"] += [helper | {"parentSpanId": f"{3:016x}"}, inner]
    trace = read(document)
    assert [(each.id, each.agent, each.parent) for each in trace.models] == [
        ("m1", "boss", None),
        ("m2", "helper", "t1"),
        ("m3", "boss", None),
    ]
    assert trace.tools[0].agent == "boss"


def test_the_user_speaks_to_the_outer_agent_however_much_the_inner_one_says() -> None:
    def asked(said: str) -> str:
        return json.dumps([{"role": "user", "parts": [{"type": "text", "content": said}]}])

    inner = [
        call(n, f"Inner {n}.", at=n, lasts=1, gen_ai__input__messages=asked("Sub-task")) | {"parentSpanId": f"{2:016x}"}
        for n in range(5, 9)
    ]
    outer = call(1, "Outer.", lasts=1, gen_ai__input__messages=asked("The task"))
    trace = read(export(outer, tool(2, "ask", at=2, lasts=20), *inner))
    spoken = [(each.role, text_of(each.content)) for each in trace.records if isinstance(each, MessageRecord)]
    assert spoken == [("user", "The task"), ("agent", "Outer.")]


def test_a_circle_of_parents_ends() -> None:
    one, two = call(1) | {"parentSpanId": f"{2:016x}"}, call(2, at=50) | {"parentSpanId": f"{1:016x}"}
    assert len(read(export(one, two)).models) == 2


def test_a_child_whose_clock_is_early_still_comes_after_its_parent() -> None:
    outer = tool(1, "ask", at=10, lasts=20)
    inner = call(2, at=5, lasts=2) | {"parentSpanId": f"{1:016x}"}
    trace = read(export(inner, outer))
    assert [each.id for each in trace.records if each.id[0] in "mt"] == ["t1", "m1"]
    assert trace.models[0].parent == "t1"


def test_json_lines_with_a_bad_line_keep_the_rest() -> None:
    lines = [json.dumps(export(call(1, "One."))), "{not json", json.dumps(export(call(2, "Two.", at=50))), ""]
    trace = read_foreign([Input("/somewhere/spans.jsonl", "\n".join(lines).encode())])
    assert list(words(trace)) == ["One.", "Two."]
    (loss,) = losses(trace, "malformed")
    assert loss.where == "spans.jsonl:2"
    assert b"somewhere" not in dumps_trace(trace)


def test_a_line_cut_amid_its_spans_is_a_fault() -> None:
    lines = [json.dumps(export(call(1))), json.dumps(export(call(2, at=50)))[:-30]]
    trace = read_foreign([Input("spans.jsonl", "\n".join(lines).encode())])
    (fault,) = [each for each in trace.records if isinstance(each, FaultRecord)]
    assert (fault.kind, fault.hides) == ("truncation", HIDDEN)


def test_a_malformed_line_is_a_fault_whatever_can_be_seen_of_it() -> None:
    lines = [json.dumps(export(call(1))), "garbage"]
    trace = read_foreign([Input("spans.jsonl", "\n".join(lines).encode())])
    (fault,) = [each for each in trace.records if isinstance(each, FaultRecord)]
    assert fault.detail == "1 line or entry of the source could not be read, the first at spans.jsonl:2"


def test_logs_of_a_span_that_is_missing_are_a_fault() -> None:
    said = [
        event(9, "gen_ai.user.message", {"content": "Hi"}),
        event(9, "gen_ai.choice", {"message": {"content": "Yes"}}),
    ]
    trace = read(export(call(1)), logs(*said))
    (fault,) = [each for each in trace.records if isinstance(each, FaultRecord)]
    assert "1 model calls whose spans are not in the export" in fault.detail


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no export"),
        (b"\x00\x01\x02", "no export"),
        (b"[]", "no export"),
        (b'{"resourceSpans": 3}', "no export"),
        (b'{"resourceSpans": []}', "no spans"),
        (json.dumps(export(span(1, {"http.request.method": "GET"}))).encode(), "none of them is a model call"),
        (json.dumps(export(tool(1, "look"))).encode(), "none of them is a model call"),
    ],
)
def test_an_export_without_a_model_call_is_an_error(data: bytes, reason: str) -> None:
    with pytest.raises(ReaderError, match=reason):
        read_foreign([Input("x", data)], "otlp")


def test_the_order_and_names_of_files_do_not_matter() -> None:
    one, two = fixture("openai-v2.logs.json", "openai-v2.traces.json")
    assert read_foreign([one, two]) == read_foreign([Input("b", two.data), Input("a", one.data)])


def test_a_file_given_twice_counts_once() -> None:
    files = fixture("openai-v2.logs.json", "openai-v2.traces.json")
    trace = read_foreign([*files, files[0]])
    assert trace.records == read_foreign(files).records
    assert [loss.detail for loss in losses(trace, "duplicate")] == ["a file that was given twice"]


def test_a_span_exported_twice_counts_once() -> None:
    trace = read(export(call(1)), export(call(1), call(2, at=50)))
    assert len(trace.models) == 2
    assert losses(trace, "duplicate")[0].where == f"span {1:016x}"


@pytest.mark.parametrize("first", [0, 1])
def test_of_two_exports_of_a_span_the_fuller_one_is_kept(first: int) -> None:
    """Some exporters write a span when it starts and again when it ends."""
    begun = call(1) | {"endTimeUnixNano": "0", "attributes": call(1)["attributes"][:3]}
    exports = [export(begun), export(call(1, "Whole."))]
    assert list(words(read(joined(exports[first], exports[1 - first])))) == ["Whole."]


def test_a_log_record_exported_twice_is_said_once() -> None:
    bare = call(1, None, gen_ai__input__messages=None)
    bare["attributes"] = [each for each in bare["attributes"] if "messages" not in each["key"]]
    said = [
        event(1, "gen_ai.user.message", {"content": "Hi"}),
        event(1, "gen_ai.choice", {"message": {"content": "Yes"}}),
    ]
    twice = read(export(bare), logs(*said), joined(logs(*said), logs()))
    assert len(twice.models[0].request.messages) == 1


def test_one_of_several_traces() -> None:
    other = "f" * 32
    both = export(call(1, "Mine."), call(2, "Theirs.", at=50) | {"traceId": other})
    together = read(both)
    assert list(words(together)) == ["Mine.", "Theirs."]
    assert TRACE in losses(together, "inexact")[0].detail
    alone = read_foreign(given(both), trace_id=other.upper())
    assert list(words(alone)) == ["Theirs."]
    assert losses(alone, "dropped")[0].where == f"trace {TRACE}"
    assert alone.header.trace_id != together.header.trace_id
    with pytest.raises(ReaderError, match="no trace"):
        read_foreign(given(both), trace_id="e" * 32)


def test_traces_without_model_calls_are_left_out() -> None:
    other = span(2, {"http.request.method": "GET"}) | {"traceId": "f" * 32}
    trace = read(export(call(1), other))
    assert losses(trace, "dropped")[0].detail == "spans of other traces in the export are left out"
    assert losses(trace, "inexact") == []


def test_numbers_that_do_not_fit_stay_texts_and_are_told() -> None:
    held = json.dumps(
        [{"role": "user", "parts": [{"type": "tool_call_response", "id": "c", "response": {"n": 10**30}}]}]
    )
    trace = read(export(call(1, gen_ai__input__messages=held)))
    assert "integer of 31 digits" in losses(trace, "inexact")[0].detail
    dumps_trace(trace)


def test_arguments_beyond_64_bits_are_kept_as_their_text() -> None:
    asked = [
        {
            "role": "assistant",
            "parts": [{"type": "tool_call", "id": "c", "name": "f", "arguments": '{"n":' + "9" * 30 + "}"}],
        }
    ]
    trace = read(export(call(1, gen_ai__output__messages=json.dumps(asked))))
    response = trace.models[0].response
    assert response is not None
    (block,) = response.content
    assert block.type == "tool_call" if hasattr(block, "type") else True
    assert (block.arguments, block.arguments_text) == (None, '{"n":' + "9" * 30 + "}")  # type: ignore[union-attr]


@pytest.mark.parametrize("moment", ["0", "", "soon", None, 2**64, -5])
def test_a_span_without_a_time_has_none(moment: object) -> None:
    trace = read(export(call(1) | {"startTimeUnixNano": moment, "endTimeUnixNano": moment}))
    assert trace.header.started_at is None
    assert (trace.models[0].t, trace.models[0].duration) == (None, None)


def test_the_last_nanosecond_of_64_bits() -> None:
    late = call(1) | {"startTimeUnixNano": str(2**64 - 1), "endTimeUnixNano": "0"}
    trace = read(export(late))
    assert trace.header.started_at == "2554-07-21T23:34:33.709551Z"
    assert trace.models[0].duration is None
