"""What Langfuse's clients send: spans with its own attributes, and batches of events."""

from __future__ import annotations

import json
from typing import Any

import pytest

from runwright.readers import Input, runs_of, sniff
from runwright.trace.model import ToolRecord, Trace
from tests.readers.exports import FIXTURES, attributes, export, fixture, given, losses, span, words

DESK = FIXTURES / "order_desk"
ANSWER = "A-17 is on its way, B-4 waits in Århus."
MODEL = "$.request.model"


def of(*files: Any) -> Trace:
    (run,) = runs_of(list(files))
    return run.trace


def batches() -> list[dict[str, Any]]:
    (line,) = (DESK / "langfuse-2.ingestion.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)]


def sent(*documents: Any) -> Trace:
    return of(Input("sent.jsonl", "".join(json.dumps(each) + "\n" for each in documents).encode()))


# --- spans ---------------------------------------------------------------------------------------


def test_the_spans_of_the_client() -> None:
    trace = of(*fixture("langfuse.otlp.pb", folder="order_desk"))
    first, second = trace.models
    assert [message.role for message in second.request.messages] == ["system", "user", "assistant", "tool", "tool"]
    assert [tool.name for tool in first.request.tools] == ["lookup_order"]
    assert words(trace) == ["Let me look.", ANSWER]
    assert first.response is not None
    assert (first.response.usage.input_tokens, first.response.usage.output_tokens) == (31, 12)
    assert [(each.arguments, each.result, each.call_id) for each in trace.tools] == [
        ({"order": "A-17"}, '{"state": "sent"}', "call_a17"),
        ({"order": "B-4"}, '{"state": "waiting"}', "call_b4"),
    ]
    assert {each.agent for each in (*trace.models, *trace.tools)} == {"desk"}


def test_its_wrapper_forgets_which_model_was_asked_for() -> None:
    first, _ = of(*fixture("langfuse.otlp.pb", folder="order_desk")).models
    assert MODEL in first.unknown
    assert first.response is not None
    assert first.response.model == "gpt-desk-2026"


def test_its_wrapper_makes_parameters_up() -> None:
    first, _ = of(*fixture("langfuse.otlp.pb", folder="order_desk")).models
    assert first.request.parameters == {"temperature": 0.5}
    assert "$.request.parameters.*" in first.unknown


def observed(**values: Any) -> Trace:
    shown = {f"langfuse.observation.{key.replace('__', '.')}": value for key, value in values.items()}
    texts = {key: each if isinstance(each, str) else json.dumps(each) for key, each in shown.items()}
    return of(*given(export(span(1, texts), scope="langfuse-sdk")))


CALL = {"type": "generation", "input": [{"role": "user", "content": "Hi"}], "model__name": "gpt-x", "output": "Hello."}


def test_a_model_that_was_told_by_hand_is_the_one_asked_for() -> None:
    (call,) = observed(**CALL, model__parameters={"temperature": 1}).models
    assert (call.request.model, call.request.parameters) == ("gpt-x", {"temperature": 1})
    assert MODEL not in call.unknown


def test_a_call_that_failed() -> None:
    wrapped = {"temperature": 1, "top_p": 1, "frequency_penalty": 0, "presence_penalty": 0, "max_tokens": "Infinity"}
    failed = {key: each for key, each in CALL.items() if key != "output"}
    trace = observed(**failed, model__parameters=wrapped, level="ERROR", status_message="no such model")
    (call,) = trace.models
    assert call.error is not None
    assert call.error.message == "no such model"
    assert call.request.model == "gpt-x"
    assert MODEL not in call.unknown
    assert call.request.parameters == {}


def test_an_observation_without_content_says_how_to_get_it() -> None:
    (call,) = (trace := observed(type="generation", model__name="gpt-x")).models
    assert call.fidelity == "none"
    assert any("log them" in loss.detail for loss in losses(trace, "not_captured"))


@pytest.mark.parametrize("kind", ["retriever", "embedding", "guardrail", "evaluator"])
def test_what_is_no_call_of_a_model_is_told(kind: str) -> None:
    other = span(2, {"langfuse.observation.type": kind, "langfuse.observation.input": "x"})
    model = span(1, {f"langfuse.observation.{k.replace('__', '.')}": json.dumps(v) for k, v in CALL.items()})
    model["attributes"] += attributes({"langfuse.observation.type": "generation"})
    trace = of(*given(export(model, other, scope="langfuse-sdk")))
    assert len(trace.models) == 1
    assert losses(trace, "unsupported")


# --- batches of events ---------------------------------------------------------------------------


def test_the_batches_of_the_second_generation() -> None:
    (body,) = batches()
    assert sniff(json.dumps(body).encode()[:65536]) == "langfuse"
    trace = sent(body)
    first, second = trace.models
    assert (first.request.model, first.request.parameters) == ("gpt-desk", {"temperature": 0.5})
    assert first.response is not None
    assert first.response.model == "gpt-desk-2026"
    assert MODEL not in first.unknown
    assert len(second.request.messages) == 5
    assert words(trace) == ["Let me look.", ANSWER]
    assert [each.result for each in trace.records if isinstance(each, ToolRecord)] == [
        '{"state": "sent"}',
        '{"state": "waiting"}',
    ]
    assert trace.header.agent is not None
    assert trace.header.agent.name == "desk"
    assert not losses(trace, "duplicate")


def test_events_in_many_requests_are_the_same_run() -> None:
    (body,) = batches()
    apart = [{**body, "batch": [event]} for event in body["batch"]]
    assert exchanged(sent(*apart)) == exchanged(sent(body))


def exchanged(trace: Trace) -> list[Any]:
    return [(each.request, each.response, each.t, each.after) for each in trace.models]


def test_an_update_that_tells_nothing_takes_nothing_back() -> None:
    (body,) = batches()
    updates = [each for each in body["batch"] if each["type"] == "generation-update"]
    more = [
        {**each, "body": {"id": each["body"]["id"], "traceId": each["body"]["traceId"], "output": None}}
        for each in updates
    ]
    assert sent({**body, "batch": [*body["batch"], *more]}).records == sent(body).records


def test_events_about_other_things_are_told() -> None:
    (body,) = batches()
    score = {"id": "e", "type": "score-create", "body": {"id": "s", "name": "good", "value": 1}}
    nameless = {"id": "e", "type": "span-create", "body": {"name": "x"}}
    trace = sent({**body, "batch": [*body["batch"], score, nameless]})
    assert [loss.detail for loss in losses(trace, "dropped")] == ["events of the type score-create"]
    assert [loss.detail for loss in losses(trace, "malformed")] == ["an event about nothing that has an id"]


def test_the_row_of_a_wrapped_call_in_an_export_has_no_model_asked_for() -> None:
    """What the server stores of the same client: one row, its model overwritten."""
    row = {
        "id": "o",
        "traceId": "t",
        "type": "GENERATION",
        "startTime": "2026-11-30T10:00:00Z",
        "parentObservationId": None,
    }
    wrapped = {"temperature": 1, "max_tokens": "inf", "top_p": 1, "frequency_penalty": 0, "presence_penalty": 0}
    content = {"input": CALL["input"], "output": {"role": "assistant", "content": "Hello."}}
    (call,) = of(
        Input("x.json", json.dumps([{**row, **content, "model": "m-2026", "modelParameters": wrapped}]).encode())
    ).models
    assert MODEL in call.unknown
    assert call.request.parameters == {}
    (plain,) = of(Input("x.json", json.dumps([{**row, **content, "model": "m"}]).encode())).models
    assert (plain.request.model, MODEL in plain.unknown) == ("m", False)
