"""Files of steps: what drives SAP is an effect, an API probe an HTTP record, and everything else a loss."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runwright.errors import ReaderError
from runwright.readers import Input, read_foreign, sniff
from runwright.readers.flowproof.sap import READ_ONLY, transaction_of
from runwright.trace import FaultRecord, dumps_trace, loads_trace, validate_trace
from runwright.trace.model import HttpRecord, SideEffect, SideEffectRecord, Trace
from tests.readers.exports import losses
from tests.readers.flowproof import Json, header, read, step, steps

LAUNCH = step(1, "launch", {"url": "/nVA01"})
TYPED = step(2, "type_text", {"text": "OR"}, on={"id": "wnd[0]/usr/ctxtVBAK-AUART"})
ENTER = step(3, "press_key", {"key": "Enter"})
LOOK = step(4, "assert", {"kind": "element_state", "expect": {"value_contains": "Create"}})


def effects(trace: Trace) -> list[SideEffect]:
    return [each.side_effect for each in trace.records if isinstance(each, SideEffectRecord)]


def probe(request: Json, **more: Any) -> Json:
    return step(9, "assert", {"kind": "api", "request": request, **more})


def http(trace: Trace) -> HttpRecord:
    (found,) = [each for each in trace.records if isinstance(each, HttpRecord)]
    return found


# --- SAP ----------------------------------------------------------------------------------------


def test_steps_that_drive_sap_are_transactions() -> None:
    trace = read(steps(header(), LAUNCH, TYPED, ENTER, LOOK))
    assert [(each.kind, each.target, each.op) for each in effects(trace)] == [
        ("sap_transaction", "VA01", "launch"),
        ("sap_transaction", "VA01 wnd[0]/usr/ctxtVBAK-AUART", "type_text"),
        ("sap_transaction", "VA01", "press_key"),
    ]
    assert effects(trace)[1].detail == {"id": "s0002", "intent": "step 2", "params": {"text": "OR"}}
    assert trace.header.observation["sap_transaction"] == "imported"
    assert trace.header.started_at == "2026-07-29T15:23:59Z"


@pytest.mark.parametrize("kind", sorted(READ_ONLY))
def test_a_step_that_only_reads_is_no_effect(kind: str) -> None:
    trace = read(steps(header(), LAUNCH, step(2, kind, on={"id": "x"})))
    assert len(effects(trace)) == 1
    assert any("only reads" in loss.detail for loss in losses(trace, "dropped"))


@pytest.mark.parametrize("kind", ["click", "double_click", "right_click", "drag", "upload", "select", "teleport"])
def test_a_step_that_may_change_something_is_an_effect_known_or_not(kind: str) -> None:
    assert [each.op for each in effects(read(steps(header(), step(1, kind))))] == [kind]


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("/nVA01", "VA01"),
        ("/NVA01", "VA01"),
        ("/oVA03", "VA03"),
        ("SMEN", "SMEN"),
        ("/n/IWFND/MAINT_SERVICE", "/IWFND/MAINT_SERVICE"),
        ("/n", ""),
        ("${START}", "${START}"),
        ("NWBC", "NWBC"),
    ],
)
def test_the_code_of_a_transaction(url: str, code: str) -> None:
    assert transaction_of({"url": url}) == code


def test_the_transaction_changes_with_the_next_launch() -> None:
    trace = read(steps(header(), LAUNCH, TYPED, step(5, "launch", {"url": "/nVA03"}), TYPED))
    assert [each.target.split()[0] for each in effects(trace)] == ["VA01", "VA01", "VA03", "VA03"]


def test_an_element_goes_by_its_id_then_its_text() -> None:
    text = step(2, "click", on={"text": "Execute"})
    both = step(3, "click", on={"text": "Execute", "id": "wnd[0]/tbar[1]/btn[8]"})
    nothing = step(4, "click", on={})
    assert [each.target for each in effects(read(steps(header(), LAUNCH, text, both, nothing)))] == [
        "VA01",
        "VA01 Execute",
        "VA01 wnd[0]/tbar[1]/btn[8]",
        "VA01",
    ]


def test_times_are_those_of_the_recording() -> None:
    timed = step(1, "launch", {"url": "SMEN"}, artifacts={"recording": {"start_ms": 1500, "end_ms": 1600}})
    assert [each.t for each in read(steps(header(), timed, ENTER)).records] == [1.5, None]


# --- several applications -----------------------------------------------------------------------

APPS = {"gui": {"name": "SAP", "adapter": "sap-com"}, "portal": {"name": "web", "adapter": "web"}}


def test_steps_on_other_applications_are_losses() -> None:
    lines = (
        step(1, "launch", {"url": "VA01"}, surface="gui"),
        step(2, "click", surface="portal"),
        step(3, "click", surface="nowhere"),
    )
    trace = read(steps(header("multi", apps=APPS), *lines))
    assert len(effects(trace)) == 1
    assert [loss.detail for loss in losses(trace, "unsupported")] == [
        "a step on an application of adapter 'web': only SAP steps and API probes are kept",
        "a step on an application of adapter 'unknown': only SAP steps and API probes are kept",
    ]


@pytest.mark.parametrize("adapter", ["web", "uia", "vision", "fiori"])
def test_a_run_of_another_application_is_refused_by_name(adapter: str) -> None:
    with pytest.raises(ReaderError, match=f"app '{adapter}' .adapter {adapter}.") as caught:
        read(steps(header(adapter), step(1, "click"), step(2, "assert", {"kind": "ocr_text", "text": "x"})))
    assert "SAP steps, API probes" in caught.value.hint


# --- API probes ---------------------------------------------------------------------------------


def test_a_probe_is_an_http_record() -> None:
    request = {"method": "POST", "url": "${API}/orders", "headers": {"x-key": "${KEY}"}, "body": {"order": 7}}
    trace = read(steps(header("api"), probe(request, status=201, body_contains="ok")))
    record = http(trace)
    assert (record.request.method, record.request.url) == ("POST", "${API}/orders")
    assert record.request.headers == (("x-key", "${KEY}"),)
    assert record.request.body is not None
    assert record.request.body.text == '{"order":7}'
    assert record.response is not None
    assert record.response.status == 201
    assert record.unknown == ("$.response.headers", "$.response.body")
    assert record.ext == {"expected": {"status": 201, "body_contains": "ok"}}
    assert losses(trace, "not_captured")


def test_an_answer_of_no_known_status_is_unknown() -> None:
    record = http(read(steps(header("api"), probe({"method": "GET", "url": "/x"}))))
    assert (record.response, record.unknown, record.fidelity) == (None, ("$.response",), "partial")
    assert record.request.body is None


def test_a_text_body_is_sent_as_it_is() -> None:
    record = http(read(steps(header("api"), probe({"method": "POST", "url": "/x", "body": "a=1"}))))
    assert record.request.body is not None
    assert record.request.body.text == "a=1"


@pytest.mark.parametrize(
    "request_", [{}, {"method": "GET"}, {"url": "/x"}, {"method": "GET", "url": "/", "headers": 1}]
)
def test_a_probe_that_asks_nothing_is_refused(request_: Json) -> None:
    with pytest.raises(ReaderError, match=r"\$.action.params.request"):
        read(steps(header("api"), probe(request_)))


# --- damage -------------------------------------------------------------------------------------


def test_it_is_a_trace_of_our_own(tmp_path: Path) -> None:
    trace = read(steps(header(), LAUNCH, TYPED, probe({"method": "GET", "url": "/x"})))
    assert loads_trace(dumps_trace(trace)) == trace
    path = tmp_path / "t.jsonl"
    path.write_bytes(dumps_trace(trace))
    assert validate_trace(path).problems == ()


@pytest.mark.parametrize(
    "line",
    [
        '{"id":"s0002","acti',
        "7",
        "null",
        '{"id":"s0002"}',
        '{"action": 7}',
        '{"action":{"type":"click","type":"wait","params":{}}}',
        '{"action":{"type":"click","params":{"n":99999999999999999999999}}}',
        '{"surface":7,"action":{}}',
    ],
)
def test_a_line_that_is_no_step_is_a_loss_and_a_fault(line: str) -> None:
    trace = read(steps(header(), LAUNCH, line))
    (fault,) = [each for each in trace.records if isinstance(each, FaultRecord)]
    assert fault.hides == ("side_effect", "http")
    assert losses(trace, "malformed")[0].where == "run.trace.jsonl:3"


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        ({"format": "flowproof-replay", "version": 1}, "format 'flowproof-replay'"),
        ({"format": "flowproof-trace", "version": 2}, "version 2 of flowproof-trace"),
        ({"format": "flowproof-trace", "version": True}, "version True"),
        ({"format": "flowproof-trace", "version": "1"}, "version '1'"),
        ({"format": "flowproof-trace"}, "version None"),
    ],
)
def test_another_format_or_version_is_refused_by_name(first: Json, reason: str) -> None:
    with pytest.raises(ReaderError, match=reason):
        read(steps(first, LAUNCH))


def test_a_header_alone_is_no_run() -> None:
    for text in (steps(header()), json.dumps(header()), steps(header(), "{")):
        with pytest.raises(ReaderError, match="no step of it can be kept"):
            read(text)


def test_it_is_found_by_its_bytes() -> None:
    text = steps(header(), LAUNCH).encode()
    assert sniff(text) == sniff(b"\xef\xbb\xbf" + text) == sniff(text.replace(b"\n", b"\r\n")) == "flowproof"
    assert len(read_foreign([Input("x", text.replace(b"\n", b"\r\n"))]).records) == 1
    assert sniff(steps({"format": "flowproof-trace", "version": 7}).encode()) == "flowproof"
