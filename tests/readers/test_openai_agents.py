"""The OpenAI Agents SDK: its spans by type, what the Responses model does not tell, and saved states."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from runwright.errors import ReaderError
from runwright.readers import Input, Run, runs_of
from runwright.trace.model import Trace, calls_of, text_of
from tests.samples import ROOT

TRACE = ROOT / "tests" / "fixtures" / "openai_agents" / "trace.jsonl"
STATE = ROOT / "tests" / "fixtures" / "openai_agents" / "state.json"
CALL = {"id": "c1", "type": "function", "function": {"name": "transfer_to_billing", "arguments": "{}"}}


def span(id: str, parent: str | None, at: int, error: Any = None, **data: Any) -> dict[str, Any]:
    times = {"started_at": f"2026-11-30T10:00:0{at}+00:00", "ended_at": f"2026-11-30T10:00:0{at}.500000+00:00"}
    head = {"object": "trace.span", "id": id, "trace_id": "trace_1", "parent_id": parent}
    return {**head, **times, "span_data": data, "error": error}


HEAD = {"object": "trace", "id": "trace_1", "workflow_name": "shop", "group_id": None, "metadata": None}
ASKED = [{"role": "user", "content": "Where is A-1?"}]
HANDED = [
    span("s2", "s1", 2, type="generation", input=ASKED, model="m", model_config={"temperature": 0, "top_p": None},
         output=[{"role": "assistant", "content": None, "tool_calls": [CALL]}],
         usage={"input_tokens": 3, "output_tokens": 2}),
    span("s3", "s1", 3, type="handoff", from_agent="desk", to_agent="billing"),
    span("s1", None, 1, type="agent", name="desk", tools=["look_up"], handoffs=["billing"], output_type="str"),
    span("s5", "s4", 5, type="function", name="look_up", input='{"order":"A-1"}', output="shipped",
         mcp_data={"server": "orders"}),
    span("s6", "s4", 6, {"message": "Error code: 500 - boom", "data": {"name": "InternalServerError"}},
         type="generation", input=ASKED, output=None, model="m", model_config=None, usage=None),
    span("s4", None, 4, type="agent", name="billing", tools=[], handoffs=[], output_type="str"),
    span("s7", "s4", 7, type="guardrail", name="polite", triggered=False),
    span("s8", "s4", 8, type="response", response_id="resp_1", usage={"input_tokens": 9, "output_tokens": 4}),
]  # fmt: skip


def read(value: Any) -> Sequence[Run]:
    lines = value if isinstance(value, list) else [value]
    return runs_of([Input("x.jsonl", "".join(json.dumps(each) + "\n" for each in lines).encode())])


def one(value: Any) -> Trace:
    (run,) = read(value)
    return run.trace


def test_a_genuine_trace() -> None:
    (run,) = runs_of([TRACE])
    trace = run.trace
    assert run.id.startswith("trace_")
    assert trace.header.agent is not None
    assert trace.header.agent.name == "desk"
    first, second = trace.models
    assert [each.role for each in second.request.messages] == ["system", "user", "assistant", "tool", "tool"]
    assert first.request.model == "gpt-desk"
    assert first.request.parameters == {"temperature": 0.5}
    assert first.response is not None
    assert [each.id for each in calls_of(first.response.content)] == ["call_a17", "call_b4"]
    assert [(each.call_id, each.arguments, each.outcome) for each in trace.tools] == [
        ("call_a17", {"order": "A-17"}, "ok"),
        ("call_b4", {"order": "B-4"}, "error"),
    ]
    assert trace.tools[1].error is not None
    assert trace.tools[1].error.message.startswith("Error running tool (non-fatal)")
    assert second.after == ("t1", "t2")
    assert second.response is not None
    assert text_of(second.response.content) == "A-17 is on its way, B-4 waits in Århus."
    assert {each.agent for each in trace.models} == {"desk"}


def test_a_handoff_is_the_call_that_asked_for_it() -> None:
    handed, _ = one([HEAD, *HANDED]).tools
    assert (handed.name, handed.call_id, handed.agent) == ("transfer_to_billing", "c1", "desk")
    assert handed.ext["span_input"] == {"from_agent": "desk", "to_agent": "billing"}


def test_a_function_over_mcp_names_its_server() -> None:
    _, ran = one([HEAD, *HANDED]).tools
    assert (ran.name, ran.arguments, ran.result, ran.agent) == ("look_up", {"order": "A-1"}, "shipped", "billing")
    assert ran.ext["mcp_data"] == {"server": "orders"}


def test_a_failed_generation() -> None:
    failed = one([HEAD, *HANDED]).models[1]
    assert failed.response is None
    assert failed.error is not None
    assert failed.error.status == 500
    assert failed.agent == "billing"


def test_the_responses_model_tells_neither_prompt_nor_answer() -> None:
    trace = one([HEAD, *HANDED])
    silent = trace.models[2]
    assert (silent.request.api, silent.fidelity) == ("openai.responses", "none")
    assert {"$.request.messages", "$.response.content"} <= set(silent.unknown)
    assert silent.response is not None
    assert silent.response.id == "resp_1"
    assert silent.response.usage is not None
    assert silent.response.usage.output_tokens == 4
    assert any(
        each.kind == "not_captured" and "OpenAIChatCompletionsModel" in each.detail for each in trace.header.losses
    )


def test_inputs_that_were_left_out_are_named_with_the_setting() -> None:
    whole = [json.loads(line) for line in TRACE.read_text().splitlines()]
    for each in whole:
        data = each.get("span_data", {})
        data |= {key: None for key in ("input", "output") if key in data}
    trace = one(whole)
    assert {each.fidelity for each in trace.models} == {"none"}
    assert any("OPENAI_AGENTS_TRACE_INCLUDE_SENSITIVE_DATA" in each.detail for each in trace.header.losses)
    assert {each.fidelity for each in trace.tools} == {"none"}


def test_requests_to_the_tracing_backend_hold_the_same() -> None:
    whole = runs_of([Input("x.json", json.dumps({"data": [HEAD, *reversed(HANDED)]}).encode())])
    assert [each.request for each in whole[0].trace.models] == [each.request for each in one([HEAD, *HANDED]).models]


def test_two_traces_are_two_runs_and_a_span_twice_is_one() -> None:
    other = json.loads(json.dumps(HANDED).replace("trace_1", "trace_2"))
    runs = read([HEAD, *HANDED, *HANDED[:2], *other])
    assert [run.id for run in runs] == ["trace_1", "trace_2"]
    assert [len(run.trace.models) for run in runs] == [3, 3]
    assert any(each.kind == "duplicate" for each in runs[0].trace.header.losses)


def test_spans_without_a_model_call_are_refused() -> None:
    with pytest.raises(ReaderError, match="none is a generation or a response"):
        read([HEAD, HANDED[2]])


def test_a_saved_state() -> None:
    (run,) = runs_of([STATE])
    trace = run.trace
    first, second = trace.models
    assert trace.header.source is not None
    assert trace.header.source.version == "1.21"
    assert first.request.messages[0].role == "system"
    assert "$.request.messages[0].content" in first.unknown
    assert text_of(first.request.messages[1].content) == "Where are A-17 and B-4?"
    assert first.response is not None
    assert [(each.id, each.arguments) for each in calls_of(first.response.content)] == [
        ("call_a17", {"order": "A-17"}),
        ("call_b4", {"order": "B-4"}),
    ]
    assert [(each.name, each.call_id, each.agent) for each in trace.tools] == [
        ("lookup_order", "call_a17", "desk"),
        ("lookup_order", "call_b4", "desk"),
    ]
    assert trace.tools[0].result == '{"state": "sent"}'
    assert second.after == ("t1", "t2")
    told = [type(block).__name__ for each in second.request.messages[2:] for block in each.content]
    assert told == ["TextBlock", "ToolCallBlock", "ToolCallBlock", "ToolResultBlock", "ToolResultBlock"]
    assert second.response is not None
    assert text_of(second.response.content) == "A-17 is on its way, B-4 waits in Århus."


def test_a_state_of_another_version_is_refused() -> None:
    state = json.loads(STATE.read_text())
    with pytest.raises(ReaderError, match=r"version '2.0' is not known"):
        read({**state, "$schemaVersion": "2.0"})
    with pytest.raises(ReaderError, match="no model had replied yet"):
        read({**state, "model_responses": [], "generated_items": []})
