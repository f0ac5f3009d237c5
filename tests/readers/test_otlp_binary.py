"""Binary OTLP: every framing reads as its JSON form does, and nothing else is taken for it."""

from __future__ import annotations

import base64
import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest
import zstandard
from google.protobuf.json_format import ParseDict
from google.protobuf.message import Message
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from runwright.errors import ReaderError
from runwright.readers import Input, read_foreign, sniff
from runwright.readers.otlp.framing import is_binary
from runwright.readers.reading import HIDDEN
from runwright.trace.model import FaultRecord, Trace
from tests.readers.exports import call, event, export, fixture, given, logs as logs_of, losses, tool, words

FIXTURES = ("openai-v2.traces.json", "openinference.traces.json", "pydantic-6.traces.json", "traceloop.traces.json")
IDS = ("traceId", "spanId", "parentSpanId")


def packed(document: Any) -> bytes:
    """A JSON export as the message that it stands for: its ids are hexadecimal there and base64 in protobuf's JSON."""
    kind: type[Message] = ExportTraceServiceRequest if "resourceSpans" in document else ExportLogsServiceRequest
    return ParseDict(_with_base64(document), kind()).SerializeToString()


def _with_base64(value: Any) -> Any:
    if isinstance(value, list):
        return [_with_base64(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: base64.b64encode(bytes.fromhex(each)).decode() if key in IDS and each else _with_base64(each)
        for key, each in value.items()
    }


def lines_of(data: bytes) -> list[Any]:
    try:
        return [json.loads(data)]
    except ValueError:
        return [json.loads(line) for line in data.splitlines() if line.strip()]


def sized(*messages: bytes) -> bytes:
    return b"".join(len(each).to_bytes(4, "big") + each for each in messages)


def delimited(*messages: bytes) -> bytes:
    return b"".join(varint(len(each)) + each for each in messages)


def varint(number: int) -> bytes:
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + varint(number >> 7)


def faults(trace: Trace) -> list[FaultRecord]:
    return [each for each in trace.records if isinstance(each, FaultRecord)]


def bare(trace: Trace) -> Any:
    """All but what names the file and its bytes."""
    return trace.records, trace.header.specification, [each.detail for each in trace.header.losses]


PACKED = packed(export(call(1)))


@pytest.mark.parametrize("name", FIXTURES)
@pytest.mark.parametrize("framed", [b"".join, lambda parts: sized(*parts), lambda parts: delimited(*parts)])
def test_a_real_export_reads_as_its_json_does(name: str, framed: Any) -> None:
    source = fixture(name)[0]
    data = framed([packed(each) for each in lines_of(source.data)])
    assert sniff(data[:65536]) == "otlp"
    assert bare(read_foreign([Input("spans.binpb", data)])) == bare(read_foreign([source]))


def test_log_records_are_joined_to_their_spans() -> None:
    names = ("openai-v2.logs.json", "openai-v2.traces.json")
    files = [Input(each.name, sized(*map(packed, lines_of(each.data)))) for each in fixture(*names)]
    assert [sniff(each.data) for each in files] == ["otlp", "otlp"]
    assert bare(read_foreign(files)) == bare(read_foreign(fixture(*names)))


def test_messages_that_are_compressed_one_by_one() -> None:
    squeeze = zstandard.ZstdCompressor().compress
    one, two = export(call(1, "One.")), export(call(2, "Two.", at=20))
    plain = read_foreign(given(one, two))
    for parts in ([packed(one), packed(two)], [json.dumps(one).encode(), json.dumps(two).encode()]):
        data = sized(*map(squeeze, parts))
        assert sniff(data) == "otlp"
        assert read_foreign([Input("x", data)]).records == plain.records


def test_many_small_messages_that_expand_beyond_all_measure() -> None:
    bomb = zstandard.ZstdCompressor().compress(b'{"resourceSpans": "' + b" " * (48 << 20))
    with pytest.raises(ReaderError, match="expands to more than"):
        read_foreign([Input("x", sized(bomb, bomb, bomb))], "otlp")


def test_a_message_that_is_cut_off_hides_calls_and_the_rest_is_read() -> None:
    one, two = packed(export(call(1, "One."))), packed(export(call(2, "Two.", at=20)))
    for data in (sized(one, two)[:-9], delimited(one, two)[:-9]):
        trace = read_foreign([Input("x", data)])
        assert words(trace) == ["One."]
        places = [str(each.where) for each in losses(trace, "truncated")]
        assert places == [f"x@{len(data) - len(two) + 9 - (4 if data[0] == 0 else len(varint(len(two))))}"]
        assert [each.kind for each in faults(trace)] == ["truncation"]


def test_a_message_that_is_broken_hides_calls_and_the_rest_is_read() -> None:
    one, two = packed(export(call(1, "One."))), packed(export(call(2, "Two.", at=20)))
    broken = two.replace(b"gen_ai.request.model", b"gen_ai.request.mod\xff\xfe")
    trace = read_foreign([Input("x", sized(broken, one, b""))])
    assert words(trace) == ["One."]
    assert [each.detail for each in losses(trace, "malformed")] == ["a message of the export that cannot be decoded"]
    assert [each.hides for each in faults(trace)] == [HIDDEN]


def test_bytes_are_kept_as_text_and_told() -> None:
    document = export(call(1), tool(2, "f", at=20))
    document["resourceSpans"][0]["scopeSpans"][0]["spans"][1]["attributes"].append(
        {"key": "gen_ai.tool.call.result", "value": {"bytesValue": base64.b64encode(b"\x00\xff").decode()}}
    )
    trace = read_foreign([Input("x", packed(document))])
    assert trace.tools[0].result == "AP8="
    assert losses(trace, "inexact")


def test_without_its_library_there_is_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in (*sys.modules,) if each.startswith(("google.protobuf", "opentelemetry.proto"))]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ReaderError, match="needs a library") as caught:
        read_foreign([Input("x", PACKED)])
    assert caught.value.hint == "pip install 'runwright[otlp]'"


def metrics() -> bytes:
    """An export of metrics, whose names have the sizes of ids."""
    point = {"startTimeUnixNano": "1", "timeUnixNano": "2", "asInt": "3"}
    metric = {"name": "sixteen-letters!", "description": "eight ch", "sum": {"dataPoints": [point]}}
    request = {"resourceMetrics": [{"resource": {}, "scopeMetrics": [{"scope": {}, "metrics": [metric]}]}]}
    return ParseDict(request, ExportMetricsServiceRequest()).SerializeToString()


@pytest.mark.parametrize(
    "data",
    [
        b"\n",
        b"\n" * 300,
        b'\n{"resource": 1}',
        b"\n\x04\n\x02\n\x00",
        b"\x00\x00\x00\x02{}",
        b"\x1f\x8b\x08\x00",
        b"%PDF-1.7\n\n\n",
        b"PK\x03\x04" + bytes(60),
        b"PAR1\x15\x04\x15",
        metrics(),
        sized(metrics()),
    ],
)
def test_what_is_no_export_is_not_taken_for_one(data: bytes) -> None:
    assert not is_binary(data)
    assert sniff(data) != "otlp"


@pytest.mark.parametrize(
    ("trace_id", "span_id", "found"), [(16, 8, True), (16, 9, False), (15, 8, False), (16, 0, False)]
)
def test_ids_of_other_sizes_are_no_spans(trace_id: int, span_id: int, found: bool) -> None:
    request = ExportTraceServiceRequest()
    span = request.resource_spans.add().scope_spans.add().spans.add()
    span.trace_id, span.span_id, span.start_time_unix_nano = b"t" * trace_id, b"s" * span_id, 1
    assert is_binary(request.SerializeToString()) is found


def test_random_bytes_are_not_taken_for_an_export() -> None:
    luck = random.Random(4)
    for _ in range(20_000):
        lead = luck.choice([b"\n", b"\x00\x00\x00", b"\x80\x01\n", b"\n\x12\n", b"\n\x20\n\x02\n\x00\x12", b""])
        assert not is_binary(lead + luck.randbytes(60))


def test_no_file_of_the_fixtures_in_another_format_is_binary_otlp() -> None:
    folder = Path(__file__).resolve().parent.parent / "fixtures"
    heads = [path.read_bytes()[:65536] for path in folder.rglob("*") if path.is_file() and path.suffix != ".pb"]
    assert heads
    assert not any(is_binary(head) for head in heads)


@pytest.mark.parametrize("make", [bytes, sized, delimited])
def test_damage_is_no_traceback(make: Any) -> None:
    message = packed(export(call(1), tool(2, "f", at=20)))
    data = make(message)
    luck = random.Random(7)
    for _ in range(300):
        broken = bytearray(data)
        for _ in range(luck.randrange(1, 5)):
            broken[luck.randrange(len(broken))] = luck.randrange(256)
        for each in (bytes(broken), bytes(broken[: luck.randrange(len(broken))])):
            try:
                read_foreign([Input("x", each)], "otlp")
            except ReaderError:
                continue


def test_log_records_alone_say_what_is_missing() -> None:
    data = packed(logs_of(event(1, "gen_ai.user.message", {"content": "Hi"}, at=3)))
    assert sniff(data) == "otlp"
    with pytest.raises(ReaderError, match="log records only"):
        read_foreign([Input("x", data)])
