"""One span of the Agents SDK as a span of the shared form."""

from __future__ import annotations

import msgspec

from runwright.readers.known import CHAT, RESPONSES
from runwright.readers.lenient import a_text, an_object
from runwright.readers.reading import Reading
from runwright.readers.spans.asked import asked_of, parameters_of
from runwright.readers.spans.captured import Captured
from runwright.readers.spans.numbers import nanoseconds
from runwright.readers.spans.replied import replied_of, usage_of
from runwright.readers.spans.span import Kind, Scope, Span
from runwright.trace.model import JSON

Object = dict[str, JSON]
KINDS: dict[str, Kind] = {
    "generation": "model",
    "response": "model",
    "function": "tool",
    "handoff": "tool",
    "agent": "agent",
    "guardrail": "unsupported",
    "mcp_tools": "unsupported",
    "transcription": "unsupported",
    "speech": "unsupported",
    "speech_group": "unsupported",
}
SILENT = (
    "the SDK's Responses model exports its response's id and usage alone: record with an instrumentation "
    "(OpenTelemetry or OpenInference), or run the agent on OpenAIChatCompletionsModel"
)
HIDDEN = "inputs and outputs were left out: set OPENAI_AGENTS_TRACE_INCLUDE_SENSITIVE_DATA=true, and record again"


def span_of(fields: Object, place: str, reading: Reading) -> Span:
    """The span; its kind is what its data says."""
    data, error = an_object(fields.get("span_data")), an_object(fields.get("error"))
    word = a_text(data.get("type"))
    kind = KINDS.get(word, "other")
    failure = an_object(error.get("data"))
    detail = next((each for key in ("error", "message") if isinstance(each := failure.get(key), str)), "")
    span = Span(
        trace_id=a_text(fields.get("trace_id")),
        span_id=a_text(fields.get("id")),
        parent_id=a_text(fields.get("parent_id")),
        name=a_text(data.get("name")) or word,
        scope=Scope(name="openai-agents"),
        start=nanoseconds(fields.get("started_at")),
        end=nanoseconds(fields.get("ended_at")),
        attributes={"gen_ai.operation.name": word} if kind == "unsupported" else {},
        failed=bool(error),
        status=": ".join(each for each in (a_text(error.get("message")), detail) if each),
        kind=kind,
        place=f"{place}: span {a_text(fields.get('id'))}",
        remedy=SILENT if word == "response" else HIDDEN,
    )
    if word in ("generation", "response"):
        return _model(span, data, word, reading)
    return _tool(span, data, word) if kind == "tool" else span


def _model(span: Span, data: Object, word: str, reading: Reading) -> Span:
    settings = an_object(data.get("model_config"))
    known = Captured(
        model=a_text(data.get("model")) or None,
        usage=usage_of(data.get("usage")),
        response_id=a_text(data.get("response_id")) or None,
        parameters=parameters_of({key: each for key, each in settings.items() if each not in ({}, [])}) or None,
    )
    api = RESPONSES if word == "response" else CHAT
    given = asked_of(data.get("input"), api, reading, span.place)
    answer = replied_of(data.get("output"), api, reading, span.place)
    provider = {"gen_ai.provider.name": "openai"} if word == "response" else {}
    return msgspec.structs.replace(
        span, api=api, told=(known, given, answer), attributes={**span.attributes, **provider}
    )


def _tool(span: Span, data: Object, word: str) -> Span:
    """A function's call; a handoff, which is a tool's call under the name that its exchange asked for."""
    if word == "handoff":
        ends: Object = {"from_agent": data.get("from_agent"), "to_agent": data.get("to_agent")}
        name = f"handoff to {a_text(data.get('to_agent')) or 'nobody'}"
        return msgspec.structs.replace(span, name=name, attributes={"gen_ai.tool.call.arguments": ends})
    shown = {
        "gen_ai.tool.name": span.name,
        "gen_ai.tool.call.arguments": data.get("input"),
        "gen_ai.tool.call.result": data.get("output"),
    }
    server = data.get("mcp_data")
    return msgspec.structs.replace(
        span,
        attributes={key: each for key, each in shown.items() if each is not None},
        more={"mcp_data": server} if server else {},
    )
