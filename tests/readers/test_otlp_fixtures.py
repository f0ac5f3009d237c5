"""Exports that real instrumentations made: what each shows, and what each cannot know."""

from __future__ import annotations

import pytest

from runwright.readers import read_foreign
from runwright.trace import MessageRecord, outcome_class
from runwright.trace.model import ModelRecord, TextBlock, ToolCallBlock, ToolResultBlock, Trace, text_of
from tests.readers.exports import fixture, losses, words

ANSWER = "A-17 is on its way, B-4 waits in Århus."
NAMES, REST = "$.request.messages[*].name", "$.request.parameters.*"


def messages(exchange: ModelRecord) -> list[tuple[str, list[str]]]:
    """Roles and what kinds of blocks they hold."""
    return [(each.role, [type(block).__name__ for block in each.content]) for each in exchange.request.messages]


def test_old_events_are_joined_to_their_spans() -> None:
    trace = read_foreign(fixture("openai-v2.logs.json", "openai-v2.traces.json"))
    assert words(trace) == ["Let me look.", ANSWER, "Let me look.", ANSWER, ""]
    assert messages(trace.models[1]) == [
        ("system", ["TextBlock"]),
        ("user", ["TextBlock"]),
        ("assistant", ["ToolCallBlock", "ToolCallBlock"]),
        ("tool", ["ToolResultBlock"]),
        ("tool", ["ToolResultBlock"]),
    ]
    first = trace.models[0]
    assert first.request.parameters == {"temperature": 0.5}
    assert set(first.unknown) == {"$.request.tools", REST, "$.streamed", NAMES}
    assert first.response is not None
    assert first.response.usage is not None
    assert (first.response.usage.input_tokens, first.response.usage.output_tokens) == (31, 12)


def test_old_events_keep_the_wire_text_of_arguments() -> None:
    trace = read_foreign(fixture("openai-v2.logs.json", "openai-v2.traces.json"))
    response = trace.models[0].response
    assert response is not None
    assert response.content[1] == ToolCallBlock(
        id="call_a17", name="lookup_order", arguments={"order": "A-17"}, arguments_text='{"order": "A-17"}'
    )


def test_a_text_that_old_events_drop_beside_calls_is_unknown() -> None:
    """The instrumentation writes no content for an assistant turn with calls; this one had a text."""
    trace = read_foreign(fixture("openai-v2.logs.json", "openai-v2.traces.json"))
    assert "$.request.messages[2].content" in trace.models[1].unknown
    assert trace.models[1].fidelity == "partial"


def test_a_failed_call_is_an_error_with_its_body() -> None:
    trace = read_foreign(fixture("openai-v2.logs.json", "openai-v2.traces.json"))
    error = trace.models[4].error
    assert error is not None
    assert (error.status, error.kind) == (404, "NotFoundError")
    assert error.body == {
        "error": {
            "message": "The model `gone` does not exist",
            "type": "invalid_request_error",
            "code": "model_not_found",
        }
    }
    assert trace.models[4].response is None


def test_embeddings_are_told_and_left_out() -> None:
    trace = read_foreign(fixture("openai-v2.logs.json", "openai-v2.traces.json"))
    assert "embeddings calls are not kept" in [loss.detail for loss in losses(trace, "unsupported")]


def test_capture_off_is_unknown_and_names_the_setting() -> None:
    trace = read_foreign(fixture("openai-v2-off.logs.json", "openai-v2-off.traces.json"))
    assert [each.fidelity for each in trace.models] == ["none", "none"]
    assert all({"$.request.messages", "$.response.content"} <= set(each.unknown) for each in trace.models)
    (loss,) = losses(trace, "not_captured")
    assert "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT" in loss.detail
    assert loss.count == 2


def test_spans_without_their_logs_are_unknown_too() -> None:
    trace = read_foreign(fixture("openai-v2.traces.json"))
    assert [each.fidelity for each in trace.models] == ["none"] * 5
    assert "log records" in losses(trace, "not_captured")[0].detail


@pytest.mark.parametrize("kind", ["traceloop", "openinference"])
def test_the_clients_own_spans_are_the_same_calls(kind: str) -> None:
    trace = read_foreign(fixture(f"{kind}.traces.json"))
    assert len(trace.models) == 7
    told = losses(trace, "duplicate")
    assert len(told) == 2
    assert all("com.anthropic.sdk.python" in loss.detail and loss.where for loss in told)
    assert [each.request.api for each in trace.models] == ["openai.chat_completions"] * 5 + ["anthropic.messages"] * 2


def test_traceloop_shows_tools_and_streaming() -> None:
    trace = read_foreign(fixture("traceloop.traces.json"))
    assert [each.streamed for each in trace.models] == [False, False, True, True, False, None, None]
    (tool,) = trace.models[0].request.tools
    assert (tool.name, tool.description) == ("lookup_order", "Find an order")
    assert "$.request.tools" not in trace.models[0].unknown
    assert "$.request.tools[0].extra" in trace.models[0].unknown


def test_messages_api_results_stand_in_one_user_message() -> None:
    trace = read_foreign(fixture("traceloop.traces.json"))
    assert [role for role, _ in messages(trace.models[6])] == ["system", "user", "assistant", "user"]
    assert messages(trace.models[6])[3] == ("user", ["ToolResultBlock"])


def test_openinference_raw_bodies_leave_nothing_unknown() -> None:
    trace = read_foreign(fixture("openinference.traces.json"))
    assert [each.unknown for each in trace.models] == [(), (), (), (), ("$.error.body",), (), ()]
    assert [each.streamed for each in trace.models] == [False, False, True, True, False, False, False]
    assert trace.models[0].request.parameters == {"temperature": 0.5}
    assert trace.models[4].request.tools == ()


@pytest.mark.parametrize("version", [2, 6])
def test_pydantic_ai(version: int) -> None:
    trace = read_foreign(fixture(f"pydantic-{version}.traces.json"))
    assert len(trace.models) == 2
    assert [(each.name, each.arguments, each.result, each.call_id) for each in trace.tools] == [
        ("lookup_order", {"order": "A-17"}, '{"state":"sent"}', "call_a17"),
        ("lookup_order", {"order": "B-4"}, '{"state":"waiting"}', "call_b4"),
    ]
    assert {each.agent for each in trace.models} == {"desk"}
    assert trace.models[1].after == ("t1", "t2")
    assert "max_tokens" not in trace.models[0].request.parameters, "the wire may have called it max_completion_tokens"


@pytest.mark.parametrize("version", [2, 6])
def test_pydantic_ai_results_are_tool_messages(version: int) -> None:
    trace = read_foreign(fixture(f"pydantic-{version}.traces.json"))
    assert [role for role, _ in messages(trace.models[1])] == ["system", "user", "assistant", "tool", "tool"]
    result = trace.models[1].request.messages[3].content[0]
    assert result == ToolResultBlock(call_id="call_a17", content=(TextBlock(text='{"state":"sent"}'),))


def test_a_cut_value_is_partial_and_never_whole() -> None:
    trace = read_foreign(fixture("traceloop-cut.traces.json"))
    first, second = trace.models
    assert {"$.request.messages", "$.request.tools", "$.response.content"} <= set(first.unknown)
    assert [first.fidelity, second.fidelity] == ["partial", "partial"]
    assert "$.response.content" not in second.unknown
    (loss,) = losses(trace, "truncated")
    assert "OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT" in loss.detail
    assert losses(trace, "not_captured") == []


def said(trace: Trace) -> list[tuple[str, str]]:
    return [(each.role, text_of(each.content)) for each in trace.records if isinstance(each, MessageRecord)]


@pytest.mark.parametrize("names", [["pydantic-2.traces.json"], ["openai-v2.logs.json", "openai-v2.traces.json"]])
def test_what_was_said_across_the_boundary(names: list[str]) -> None:
    trace = read_foreign(fixture(*names))
    assert said(trace) == [("user", "Where are A-17 and B-4?"), ("agent", ANSWER)]
    assert trace.records[0].id == "u1"


def test_the_header_says_what_the_run_was() -> None:
    trace = read_foreign(fixture("pydantic-2.traces.json"))
    header = trace.header
    assert header.started_at is not None
    assert header.started_at.endswith("Z")
    assert header.duration == pytest.approx(0.091188994)
    assert header.agent is not None
    assert header.agent.name == "order-desk"
    assert header.source is not None
    assert (header.source.format, header.source.tool, header.source.version) == ("otlp", "pydantic-ai", "2.68.0")
    assert header.specification is not None
    assert header.specification.system_prompt is not None
    assert header.specification.tools is not None
    assert set(header.observation.values()) == {"not_observed"}


def test_the_header_does_not_digest_what_it_does_not_know() -> None:
    specification = read_foreign(fixture("openai-v2-off.traces.json")).header.specification
    assert specification is not None
    assert specification.model is not None
    assert (specification.system_prompt, specification.tools, specification.parameters) == (None, None, None)


def test_the_fixtures_end_as_they_did() -> None:
    assert outcome_class(read_foreign(fixture("pydantic-2.traces.json"))) == "success"
