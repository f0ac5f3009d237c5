"""One run in the forms in which runs come: our own, spans of several conventions, a model log. All are read back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from runwright.readers import Input, read_foreign
from runwright.trace import ModelRecord, ToolCallBlock, ToolRecord, ToolResultBlock, Trace, dumps_trace, text_of
from runwright.trace.model import Message
from tests.readers.exports import export, given, span, tool

Wire = dict[str, Any]


def wire(message: Message) -> Wire:
    """A message as chat completions have it."""
    for block in message.content:
        if isinstance(block, ToolResultBlock):
            return {"role": "tool", "tool_call_id": block.call_id, "content": text_of(block.content)}
    calls = [
        {"id": each.id, "type": "function", "function": {"name": each.name, "arguments": json.dumps(each.arguments)}}
        for each in message.content
        if isinstance(each, ToolCallBlock)
    ]
    said: Wire = {"role": message.role, "content": text_of(message.content) or None}
    return said | ({"tool_calls": calls} if calls else {})


def reply(exchange: ModelRecord) -> Wire:
    assert exchange.response is not None
    return wire(Message(role="assistant", content=exchange.response.content))


def finish(said: Wire) -> str:
    return "tool_calls" if "tool_calls" in said else "stop"


def native(run: Trace) -> Trace:
    return read_foreign([Input("run.jsonl", dumps_trace(run))])


def model_log(run: Trace) -> Trace:
    """Exchanges alone, as a proxy sees them: no tools, no times, no agents."""
    return read_foreign([Input("log.jsonl", b"".join(_log_lines(run, tools=False)))])


def model_log_with_tools(run: Trace) -> Trace:
    return read_foreign([Input("log.jsonl", b"".join(_log_lines(run, tools=True)))])


def _log_lines(run: Trace, *, tools: bool) -> Iterator[bytes]:
    for record in run.records:
        if isinstance(record, ModelRecord):
            request = {"model": record.request.model, "messages": [wire(each) for each in record.request.messages]}
            choice = {"index": 0, "message": reply(record), "finish_reason": finish(reply(record))}
            yield json.dumps({"request": request, "response": {"id": record.id, "choices": [choice]}}).encode() + b"\n"
        elif isinstance(record, ToolRecord) and tools:
            shown = {"name": record.name, "arguments": record.arguments, "result": record.result}
            yield json.dumps({"tool": shown | {"call_id": record.call_id}}).encode() + b"\n"


Attributes = Callable[[ModelRecord], dict[str, Any]]


def _spans(run: Trace, attributes: Attributes, scope: str, *, tools: bool = False) -> Trace:
    spans = []
    for number, record in enumerate(run.records, start=1):
        assert record.t is not None
        at, lasts = round(record.t * 1000), round((record.duration or 0) * 1000)
        if isinstance(record, ModelRecord):
            spans.append(span(number, attributes(record), at=at, lasts=lasts))
        elif isinstance(record, ToolRecord) and tools:
            shown = {"gen_ai__tool__call__arguments": json.dumps(record.arguments)}
            shown |= {"gen_ai__tool__call__result": str(record.result), "gen_ai__tool__call__id": str(record.call_id)}
            spans.append(tool(number, record.name, at=at, lasts=lasts, **shown))
    return read_foreign(given(export(*spans, scope=scope)))


def otlp_new(run: Trace) -> Trace:
    """Messages in parts, tools in spans of their own."""
    return _spans(run, _parts, "opentelemetry.instrumentation.openai_v2", tools=True)


def otlp_new_without_tools(run: Trace) -> Trace:
    return _spans(run, _parts, "opentelemetry.instrumentation.openai_v2")


def _parts(record: ModelRecord) -> dict[str, Any]:
    answer = reply(record)
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": record.request.model,
        "gen_ai.input.messages": json.dumps([_in_parts(wire(each)) for each in record.request.messages]),
        "gen_ai.output.messages": json.dumps([_in_parts(answer) | {"finish_reason": finish(answer)}]),
        "gen_ai.response.finish_reasons": [finish(answer)],
    }


def _in_parts(said: Wire) -> Wire:
    if said["role"] == "tool":
        part = {"type": "tool_call_response", "id": said["tool_call_id"], "response": said["content"]}
        return {"role": "tool", "parts": [part]}
    parts: list[Wire] = [{"type": "text", "content": said["content"]}] if said["content"] else []
    for call in said.get("tool_calls", []):
        function = call["function"]
        arguments = json.loads(function["arguments"])
        parts.append({"type": "tool_call", "id": call["id"], "name": function["name"], "arguments": arguments})
    return {"role": said["role"], "parts": parts}


def otlp_old(run: Trace) -> Trace:
    """Attributes counted through: `gen_ai.prompt.0.content`."""
    return _spans(run, _counted, "opentelemetry.instrumentation.openai.v1")


def _counted(record: ModelRecord) -> dict[str, Any]:
    answer = reply(record)
    found = {"llm.request.type": "chat", "gen_ai.system": "OpenAI", "gen_ai.request.model": record.request.model}
    for at, each in enumerate(record.request.messages):
        found |= _numbered(f"gen_ai.prompt.{at}", wire(each))
    found |= _numbered("gen_ai.completion.0", answer)
    return found | {"gen_ai.completion.0.finish_reason": finish(answer)}


def _numbered(prefix: str, said: Wire) -> dict[str, Any]:
    found = {f"{prefix}.{key}": said[key] for key in ("role", "content", "tool_call_id") if said.get(key)}
    for at, call in enumerate(said.get("tool_calls", [])):
        place = f"{prefix}.tool_calls.{at}"
        found |= {f"{place}.id": call["id"], **{f"{place}.{key}": value for key, value in call["function"].items()}}
    return found


def openinference(run: Trace) -> Trace:
    return _spans(run, _inferred, "openinference.instrumentation.openai")


def _inferred(record: ModelRecord) -> dict[str, Any]:
    answer = reply(record)
    found: dict[str, Any] = {
        "openinference.span.kind": "LLM",
        "llm.system": "openai",
        "llm.model_name": f"{record.request.model}-2026-01-01",
        "llm.invocation_parameters": json.dumps({"model": record.request.model}),
        "llm.finish_reason": finish(answer),
    }
    for at, each in enumerate(record.request.messages):
        found |= _flattened(f"llm.input_messages.{at}.message", wire(each))
    return found | _flattened("llm.output_messages.0.message", answer)


def _flattened(prefix: str, said: Wire) -> dict[str, Any]:
    found = {f"{prefix}.{key}": said[key] for key in ("role", "content", "tool_call_id") if said.get(key)}
    for at, call in enumerate(said.get("tool_calls", [])):
        place = f"{prefix}.tool_calls.{at}.tool_call"
        found |= {f"{place}.id": call["id"]}
        found |= {f"{place}.function.{key}": value for key, value in call["function"].items()}
    return found


FORMS: dict[str, Callable[[Trace], Trace]] = {
    "native": native,
    "model_log": model_log,
    "model_log_with_tools": model_log_with_tools,
    "otlp_new": otlp_new,
    "otlp_new_without_tools": otlp_new_without_tools,
    "otlp_old": otlp_old,
    "openinference": openinference,
}
