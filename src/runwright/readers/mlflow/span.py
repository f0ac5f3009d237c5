"""One span of MLflow as a span of the shared form."""

from __future__ import annotations

import msgspec

from runwright.readers.declared_tools import declared_tools
from runwright.readers.exact import NotJson
from runwright.readers.known import CHAT, MESSAGES_API
from runwright.readers.lenient import a_list, a_text, an_object, objects
from runwright.readers.reading import Reading
from runwright.readers.spans.asked import asked_of, parameters_of
from runwright.readers.spans.captured import Captured
from runwright.readers.spans.guessed import api_told
from runwright.readers.spans.numbers import identity, integer
from runwright.readers.spans.ran import tool_attributes
from runwright.readers.spans.replied import replied_of, usage_of
from runwright.readers.spans.span import Event, Kind, Scope, Span
from runwright.trace.model import JSON

Object = dict[str, JSON]
INPUTS, OUTPUTS, TYPE = "mlflow.spanInputs", "mlflow.spanOutputs", "mlflow.spanType"
KINDS: dict[str, Kind] = {
    "LLM": "model",
    "CHAT_MODEL": "model",
    "TOOL": "tool",
    "AGENT": "agent",
    "RETRIEVER": "unsupported",
    "EMBEDDING": "unsupported",
    "RERANKER": "unsupported",
}
FORMATS = {"openai": CHAT, "anthropic": MESSAGES_API, "groq": CHAT, "mistral": CHAT}
"""APIs by what MLflow calls the form of a span's messages."""

CHUNK = "mlflow.chunk."
REMEDY = "a span has no inputs or outputs: trace it with autologging, or set them on the span, and record again"


def span_of(fields: Object, trace: str, place: str, reading: Reading) -> Span:
    """The span, whichever version wrote it; its attributes are values of JSON texts."""
    context, status = an_object(fields.get("context")), an_object(fields.get("status"))
    own = a_text(fields.get("span_id")) or a_text(context.get("span_id"))
    parent = a_text(fields.get("parent_span_id")) or a_text(fields.get("parent_id"))
    where = f"{place}: span {_id(own)}"
    attributes = {key: _value(each, reading, where) for key, each in an_object(fields.get("attributes")).items()}
    code = a_text(fields.get("status_code")) or a_text(status.get("code"))
    word = a_text(attributes.get(TYPE)).upper()
    kind = KINDS.get(word, "other")
    span = Span(
        trace_id=trace,
        span_id=_id(own),
        parent_id=_id(parent),
        name=a_text(fields.get("name")),
        scope=Scope(name="mlflow"),
        start=_moment(fields, "start_time_unix_nano", "start_time"),
        end=_moment(fields, "end_time_unix_nano", "end_time"),
        attributes={"gen_ai.operation.name": word} if kind == "unsupported" else {},
        events=tuple(_event(each) for each in objects(fields.get("events"))),
        failed=code.endswith("ERROR"),
        status=a_text(fields.get("status_message")) or a_text(status.get("message")),
        kind=kind,
        place=where,
        remedy=REMEDY,
    )
    if kind == "model":
        return _model(span, attributes, reading)
    return _tool(span, attributes) if kind == "tool" else span


def _id(told: str) -> str:
    """An id as hexadecimal where it is one of OpenTelemetry's, in base64 or with a prefix; else as it is."""
    return identity(told, 8) or identity(told.removeprefix("0x"), 8) or told


def _value(value: JSON, reading: Reading, where: str) -> JSON:
    """Every attribute is written as the JSON of its value."""
    if not isinstance(value, str):
        return value
    try:
        return reading.json(value, where)
    except NotJson:
        return value


def _moment(fields: Object, *names: str) -> int | None:
    found = next((number for name in names if (number := integer(fields.get(name))) is not None), None)
    return found if found is not None and found > 0 else None


def _event(fields: Object) -> Event:
    """An event; stack traces are left out."""
    held = an_object(fields.get("attributes"))
    kept = {key: each for key, each in held.items() if key != "exception.stacktrace"}
    moment = _moment(fields, "time_unix_nano", "timestamp")
    return Event(name=a_text(fields.get("name")), time=moment or 0, attributes=kept)


def _model(span: Span, attributes: Object, reading: Reading) -> Span:
    given, answer = attributes.get(INPUTS), attributes.get(OUTPUTS)
    asked = an_object(given)
    model = a_text(asked.get("model")) or a_text(attributes.get("model")) or a_text(attributes.get("mlflow.llm.model"))
    provider = a_text(attributes.get("mlflow.llm.provider"))
    form = a_text(attributes.get("mlflow.message.format"))
    api = FORMATS.get(form) if "input" not in asked else None
    api = api or api_told(provider or form, model, given, answer, reading)
    tools = attributes.get("mlflow.chat.tools")
    chunks = any(event.name.startswith(CHUNK) for event in span.events)
    column = a_text(attributes.get("mlflow.llm.model"))
    known = Captured(
        model=model or None,
        response_model=column if column != model and column else None,
        usage=usage_of(attributes.get("mlflow.chat.tokenUsage")),
        tools=declared_tools(a_list(tools)) if isinstance(tools, list) else None,
        parameters=parameters_of(attributes) or None,
        streamed=True if chunks else None,
    )
    told = (asked_of(given, api, reading, span.place), replied_of(answer, api, reading, span.place), known)
    named: Object = {"gen_ai.provider.name": provider} if provider else {}
    kept = tuple(event for event in span.events if not event.name.startswith(CHUNK))
    return msgspec.structs.replace(span, api=api, told=told, events=kept, attributes={**span.attributes, **named})


def _tool(span: Span, attributes: Object) -> Span:
    """A tool; one of LangChain's names its call."""
    given = attributes.get(INPUTS)
    shown = tool_attributes(span.name, given, attributes.get(OUTPUTS))
    fields = an_object(given)
    if {"name", "args", "id"} <= fields.keys():
        shown |= {"gen_ai.tool.call.arguments": fields["args"], "gen_ai.tool.call.id": fields["id"]}
    return msgspec.structs.replace(span, attributes=shown)
