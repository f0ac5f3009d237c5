"""LangChain and LangGraph through both instrumentations: genuine exports, and forms of other versions by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from runwright.fingerprint import agree, fingerprint
from runwright.readers import read_foreign
from runwright.trace import dumps_trace, loads_trace
from runwright.trace.model import Trace, text_of
from tests.readers.exports import call, export, fixture, given, losses, span, tool, words

ASKS, ANSWER = "Let me look.", "A-17 is on its way, B-4 waits in Århus."
BOTH = ("langgraph-traceloop.traces.json", "langgraph-openinference.traces.json")
PROPERTIES = "traceloop.association.properties"
ASKING = json.dumps([{
    "role": "assistant", "parts": [{"type": "tool_call", "id": "c1", "name": "f", "arguments": {"order": "A-17"}}],
}])  # fmt: skip


def read(*spans: dict[str, Any], scope: str = "opentelemetry.instrumentation.langchain") -> Trace:
    trace = read_foreign(given(export(*spans, scope=scope)))
    assert loads_trace(dumps_trace(trace)) == trace
    return trace


def within(item: dict[str, Any], parent: int) -> dict[str, Any]:
    return {**item, "parentSpanId": f"{parent:016x}"}


def in_node(namespace: str, node: str) -> dict[str, str]:
    return {f"{PROPERTIES}.langgraph_checkpoint_ns": namespace, f"{PROPERTIES}.langgraph_node": node}


@pytest.mark.parametrize("name", BOTH)
def test_a_genuine_export_is_read_whole(name: str) -> None:
    """Counted in the files: three ChatOpenAI spans of which the last failed, two tools, and nodes of one graph."""
    trace = read_foreign(fixture(name))
    assert words(trace) == [ASKS, ANSWER, ""]
    assert [each.agent for each in trace.models] == ["desk", "desk", None]
    assert [each.request.model for each in trace.models] == ["gpt-desk", "gpt-desk", "gone"]
    assert [dict(each.request.parameters) for each in trace.models] == [{"temperature": 0.5}, {"temperature": 0.5}, {}]
    assert [each.fidelity for each in trace.models] == ["reconstructed"] * 3
    assert [each.role for each in trace.models[1].request.messages] == ["system", "user", "assistant", "tool", "tool"]
    assert [(each.name, each.call_id, each.arguments, each.result, each.agent) for each in trace.tools] == [
        ("lookup_order", "call_a17", {"order": "A-17"}, '{"state": "sent"}', "desk"),
        ("lookup_order", "call_b4", {"order": "B-4"}, '{"state": "waiting"}', "desk"),
    ]
    error = trace.models[2].error
    assert error is not None
    assert (error.status, trace.models[2].response) == (404, None)
    assert loads_trace(dumps_trace(trace)) == trace


def test_both_exports_are_one_run() -> None:
    found = agree(*(fingerprint(read_foreign(fixture(name))) for name in BOTH))
    assert found.verdict == "SAME"
    assert {each.split(":")[0] for each in found.not_compared} == {"endpoints", "side_effect_kinds"}


def test_what_langchain_calls_parameters_is_not_all_sent() -> None:
    first, _, last = read_foreign(fixture(BOTH[1])).models
    assert "$.request.parameters.*" in first.unknown
    assert first.streamed is None
    assert "$.request.tools" not in last.unknown


def test_a_tool_in_a_node_that_calls_no_model_belongs_to_who_asked() -> None:
    model = call(1, **{key.replace(".", "__"): each for key, each in in_node("desk:1", "desk").items()},
                 gen_ai__output__messages=ASKING)  # fmt: skip
    ran = tool(2, "f", at=20, gen_ai__tool__call__id="c1", **in_node("tools:2", "tools"))
    assert [each.agent for each in read(model, ran).tools] == ["desk"]
    assert [each.agent for each in read(model, tool(2, "f", at=20, **in_node("tools:2", "tools"))).tools] == [None]


@pytest.mark.parametrize(
    ("namespace", "node", "agent"),
    [
        ("desk:1", "desk", "desk"),
        ("researcher:1|agent:2", "agent", "researcher"),
        ("team:1|writer:2|draft:3", "draft", "draft"),
        ("", "desk", "desk"),
        ("agent:1", "agent", "orders"),
    ],
)
def test_the_agent_is_the_innermost_node_with_a_name_of_its_own(namespace: str, node: str, agent: str) -> None:
    outer = span(1, {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "orders"}, lasts=50)
    values = {key.replace(".", "__"): each for key, each in in_node(namespace, node).items() if each}
    assert [each.agent for each in read(outer, within(call(2, at=1, **values), 1)).models] == [agent]


def envelope(message: dict[str, Any]) -> str:
    return json.dumps({"output": message, "kwargs": {"tags": []}})


@pytest.mark.parametrize(
    ("output", "result", "call_id", "outcome"),
    [
        (envelope({"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "ToolMessage"],
                   "kwargs": {"content": "done", "tool_call_id": "c1", "status": "success"}}), "done", "c1", "ok"),
        (json.dumps({"type": "tool", "data": {"content": "no", "tool_call_id": "c1", "status": "error"}}),
         "no", "c1", "error"),
        (json.dumps({"output": "content='it\\'s' name='f' tool_call_id='c1'"}),
         json.dumps({"output": "content='it\\'s' name='f' tool_call_id='c1'"}), None, "ok"),
        ("content='it\\'s' name='f' tool_call_id='c1'", "it's", "c1", "ok"),
        ("plain", "plain", None, "ok"),
    ],
)  # fmt: skip
def test_outputs_of_tools(output: str, result: str, call_id: str | None, outcome: str) -> None:
    given_to = json.dumps({"input_str": "{'order': 'A-17', 'n': 1}", "inputs": None, "kwargs": {}})
    ran = tool(2, "f", at=20, traceloop__span__kind="tool", traceloop__entity__input=given_to)
    ran["attributes"] += [{"key": "traceloop.entity.output", "value": {"stringValue": output}}]
    (only,) = read(call(1), ran).tools
    assert (only.result, only.call_id, only.outcome) == (result, call_id, outcome)
    assert only.arguments == {"order": "A-17", "n": 1}


def test_an_input_that_is_no_printed_object_stays_a_text() -> None:
    for text in ("A-17", "{'order': object}", "{1: 2}"):
        given_to = json.dumps({"input_str": text, "inputs": None})
        (only,) = read(call(1), tool(2, "f", at=20, traceloop__entity__input=given_to)).tools
        assert only.arguments == text


def test_an_input_of_one_value_is_that_of_the_call_it_answers() -> None:
    model = call(1, gen_ai__output__messages=ASKING)
    output = json.dumps({"type": "tool", "data": {"content": "sent", "tool_call_id": "c1"}})
    other = json.dumps({"type": "tool", "data": {"content": "sent", "tool_call_id": "c9"}})
    values = {"openinference.span.kind": "TOOL", "tool.name": "f", "input.value": "A-17"}
    for held, arguments in ((output, {"order": "A-17"}), (other, "A-17")):
        ran = span(2, {**values, "output.value": held}, at=20)
        assert [each.arguments for each in read(model, ran).tools] == [arguments]
    ran = span(2, {**values, "input.value": "B-4", "output.value": output}, at=20)
    assert [each.arguments for each in read(model, ran).tools] == ["B-4"]


def test_the_indexed_attributes_of_older_versions() -> None:
    values = {
        "gen_ai.system": "openai", "gen_ai.request.model": "m", "llm.request.type": "chat",
        "gen_ai.prompt.0.role": "system", "gen_ai.prompt.0.content": "Be kind.",
        "gen_ai.prompt.1.role": "user", "gen_ai.prompt.1.content": "Hi",
        "gen_ai.prompt.2.role": "assistant", "gen_ai.prompt.2.content": "",
        "gen_ai.prompt.2.tool_calls.0.id": "c1", "gen_ai.prompt.2.tool_calls.0.name": "f",
        "gen_ai.prompt.2.tool_calls.0.arguments": '{"order": "A-17"}',
        "gen_ai.prompt.3.role": "tool", "gen_ai.prompt.3.content": "sent", "gen_ai.prompt.3.tool_call_id": "c1",
        "gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": "It is sent.",
        "gen_ai.completion.0.finish_reason": "stop",
    }  # fmt: skip
    chain = span(1, {"traceloop.span.kind": "workflow", "traceloop.entity.name": "LangGraph"}, lasts=50)
    task = span(2, {"traceloop.span.kind": "task", "traceloop.entity.name": "RunnableSequence"}, lasts=40)
    trace = read(chain, within(task, 1), within(span(3, values, at=1), 2))
    assert words(trace) == ["It is sent."]
    assert [each.role for each in trace.models[0].request.messages] == ["system", "user", "assistant", "tool"]
    assert trace.models[0].parent is None
    assert [loss.count for loss in losses(trace, "unsupported")] == [2]


def test_an_empty_text_beside_a_failure_is_no_reply() -> None:
    failed = {"status": {"code": 2, "message": "Error code: 429 - slow"}}
    trace = read({**call(1, ""), **failed})
    assert [(each.response, each.error.status if each.error else 0) for each in trace.models] == [(None, 429)]
    spoken = read({**call(1, "Half of"), **failed})
    assert words(spoken) == ["Half of"]
    assert spoken.models[0].ext["error"] == "Error code: 429 - slow"


def test_last_words_of_a_graph_are_its_agents() -> None:
    trace = read_foreign(fixture(BOTH[0]))
    last = [record for record in trace.records if type(record).__name__ == "MessageRecord"][-1]
    assert (last.agent, text_of(last.content)) == ("desk", ANSWER)  # type: ignore[union-attr]
