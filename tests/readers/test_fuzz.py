"""No bytes are a traceback: everything is a trace that our format holds, or a typed error."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from runwright.errors import RunwrightError
from runwright.readers import READERS, Input, read_foreign, sniff
from runwright.trace import dumps_trace, loads_trace
from runwright.trace.model import Trace
from tests.readers.exports import TRACE, attributes, fixture

FEW = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
ODD = st.sampled_from(
    [None, True, 0, -1, 2**63, 2**64, 10**40, 0.5, "", "x", "\ud800", "[", '[{"role":1}]', '{"a":', "NaN"]
)
JSON = st.recursive(
    ODD, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
)
KEYS = st.sampled_from(
    [
        "gen_ai.operation.name",
        "gen_ai.input.messages",
        "gen_ai.output.messages",
        "gen_ai.system_instructions",
        "gen_ai.tool.definitions",
        "gen_ai.tool.call.arguments",
        "gen_ai.response.finish_reasons",
        "gen_ai.usage.input_tokens",
        "gen_ai.prompt.0.content",
        "gen_ai.prompt.0.tool_calls.0.arguments",
        "gen_ai.prompt.x",
        "gen_ai.completion.0.content",
        "llm.input_messages.0.message.contents.0.message_content.text",
        "llm.input_messages.0.message",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments",
        "llm.tools.0.tool.json_schema",
        "llm.invocation_parameters",
        "openinference.span.kind",
        "input.value",
        "output.value",
        "model_request_parameters",
        "error.type",
        "ai.operationId",
        "ai.model.provider",
        "ai.prompt",
        "ai.prompt.messages",
        "ai.prompt.tools",
        "ai.prompt.toolChoice",
        "ai.response.text",
        "ai.response.toolCalls",
        "ai.usage.inputTokens",
        "ai.toolCall.args",
        "traceloop.entity.input",
        "traceloop.entity.output",
        "traceloop.association.properties.langgraph_checkpoint_ns",
        "metadata",
    ]
)
FRAMEWORKS = [
    "ai.generateText.doGenerate",
    "ai.generateText",
    "ai.toolCall",
    "openai.chat",
    '{"type": "tool", "toolName": 5}',
    '[{"role": "tool", "content": [{"type": "tool-result", "output": {"type": "error"}}]}]',
    '{"input_str": "{1: [}", "inputs": 5, "kwargs": []}',
    '{"output": {"lc": 1, "id": ["ToolMessage"], "kwargs": 5}, "kwargs": {}}',
    "content='' name='f' tool_call_id='x'",
    '{"langgraph_node": 5, "langgraph_checkpoint_ns": "a:1|b:2|"}',
]
VALUES = (
    st.sampled_from(FRAMEWORKS)
    | st.sampled_from(
        ["chat", "execute_tool", "LLM", "TOOL", "AGENT", '{"id": "resp_1"}', '{"model":"m","messages":[]}']
    )
    | JSON
)


def settled(data: bytes, name: str | None) -> Trace | str:
    """The trace, checked to be one that our own format holds; or why there is none."""
    try:
        trace = read_foreign([Input("fuzz", data)], name)
    except RunwrightError as error:
        return str(error)
    assert loads_trace(dumps_trace(trace), allow_incomplete=True).records == trace.records
    return trace


@FEW
@given(data=st.binary(max_size=300), name=st.sampled_from([None, *READERS]))
def test_any_bytes(data: bytes, name: str | None) -> None:
    assert settled(data, name)
    assert sniff(data) is None or sniff(data) in READERS


@FEW
@given(value=JSON, name=st.sampled_from(["otlp", "model_log"]))
def test_any_json(value: Any, name: str) -> None:
    assert settled(json.dumps(value).encode(), name)
    for key in ("resourceSpans", "resourceLogs", "request", "tool", "message"):
        assert settled(json.dumps({key: value}).encode(), name)


@FEW
@given(values=st.dictionaries(KEYS, VALUES, max_size=6), status=JSON, events=JSON)
def test_any_attributes(values: dict[str, Any], status: Any, events: Any) -> None:
    shown = {"gen_ai.operation.name": "chat", **values}
    span = {"traceId": TRACE, "spanId": "1" * 16, "attributes": attributes(shown), "status": status, "events": events}
    document = {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}
    assert settled(json.dumps(document).encode(), "otlp")


@FEW
@given(
    name=st.sampled_from(["gen_ai.choice", "gen_ai.user.message", "gen_ai.assistant.message", "gen_ai.tool.message"]),
    body=JSON,
)
def test_any_event(name: str, body: Any) -> None:
    span = {"traceId": TRACE, "spanId": "1" * 16, "attributes": attributes({"gen_ai.operation.name": "chat"})}
    record = {"traceId": TRACE, "spanId": "1" * 16, "eventName": name, "body": body}
    document = {
        "resourceSpans": [{"scopeSpans": [{"spans": [span]}]}],
        "resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}],
    }
    assert settled(json.dumps(document).encode(), "otlp")


@FEW
@given(at=st.integers(0, 10_000), byte=st.integers(0, 255))
def test_one_byte_changed(at: int, byte: int) -> None:
    for source in (fixture("pydantic-6.traces.json")[0], fixture("orders.jsonl", folder="model_log")[0]):
        data = bytearray(source.data)
        data[at % len(data)] = byte
        assert settled(bytes(data), None)


@pytest.mark.parametrize("deep", [50, 96, 97, 120, 140, 500, 5_000, 200_000])
@pytest.mark.parametrize("where", ["text", "structured", "document", "line"])
def test_deep_nesting(deep: int, where: str) -> None:
    text = "[" * deep + "]" * deep
    if where == "line":
        assert settled(b'{"request": {"model": "m", "messages": [], "x": ' + text.encode() + b"}}", "model_log")
        return
    value = {
        "text": json.dumps({"stringValue": text}),
        "structured": '{"arrayValue":{"values":[' * deep + "]}}" * deep,
        "document": text,
    }[where]
    keys = ("gen_ai.tool.call.arguments", "gen_ai.tool.call.result", "gen_ai.input.messages")
    held = "".join(f',{{"key":"{key}","value":{value}}}' for key in keys)
    spans = [
        f'{{"traceId":"{TRACE}","spanId":"{number}111111111111111","attributes":['
        f'{{"key":"gen_ai.operation.name","value":{{"stringValue":"{name}"}}}}{more}]}}'
        for number, name, more in ((1, "chat", ""), (2, "execute_tool", held), (3, "chat", held))
    ]
    document = '{"resourceSpans":[{"scopeSpans":[{"spans":[' + ",".join(spans) + "]}]}]}"
    assert settled(document.encode(), "otlp")
