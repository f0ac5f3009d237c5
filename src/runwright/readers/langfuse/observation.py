"""One observation of Langfuse as a span, with what its input and output show."""

from __future__ import annotations

import msgspec

from runwright.readers.declared_tools import declared_tools
from runwright.readers.exact import NotJson, compact
from runwright.readers.langfuse.events import ASKED
from runwright.readers.langfuse.row import Row, field, text_field
from runwright.readers.lenient import a_list, a_text, an_object
from runwright.readers.reading import Reading
from runwright.readers.spans.asked import opened
from runwright.readers.spans.classify import kind_of
from runwright.readers.spans.numbers import nanoseconds
from runwright.readers.spans.observed import KINDS, REMEDY, Observed, with_observed
from runwright.readers.spans.ran import tool_attributes, tool_message
from runwright.readers.spans.replied import usage_of
from runwright.readers.spans.span import Attributes, Kind, Scope, Span
from runwright.trace.model import JSON, text_of

Object = dict[str, JSON]
TEXTS = ("input.value", "output.value", "llm.invocation_parameters", "model_request_parameters", "events")
"""Attributes that instrumentations write as JSON texts, and downloads open."""

NUMBERS = ("gen_ai.usage.", "gen_ai.request.", "gen_ai.response.", "llm.token_count.", "http.", "server.port")
"""Attributes that are no texts, and that Langfuse writes as such."""


def span_of(row: Row, reading: Reading) -> Span:
    """The observation as a span; its kind is what its attributes say, or else its type."""
    fields, metadata = row.fields, _metadata(row, reading)
    scope = an_object(metadata.get("scope"))
    resource = an_object(metadata.get("resourceAttributes"))
    result = tool_message(field(fields, "output"))
    failed = text_field(fields, "level") == "ERROR" or (result is not None and result.is_error is True)
    plain = Span(
        trace_id=text_field(fields, "traceId"),
        span_id=text_field(fields, "id"),
        parent_id=text_field(fields, "parentObservationId"),
        name=text_field(fields, "name"),
        scope=Scope(
            name=a_text(scope.get("name")),
            version=a_text(scope.get("version")) or None,
            service=a_text(resource.get("service.name")) or None,
        ),
        start=nanoseconds(field(fields, "startTime")),
        end=nanoseconds(field(fields, "endTime")),
        attributes=_attributes(metadata, reading, row.place),
        failed=failed,
        status=text_field(fields, "statusMessage") or (text_of(result.content) if result is not None else ""),
        place=row.place,
        remedy=REMEDY,
    )
    kind = _kind(plain, row)
    if kind == "tool":
        return _tool(plain, row, reading)
    if kind == "model":
        return _model(plain, row, metadata, reading)
    named = {"gen_ai.operation.name": text_field(fields, "type").lower()} if kind == "unsupported" else {}
    return msgspec.structs.replace(plain, kind=kind, attributes={**named, **plain.attributes})


def _metadata(row: Row, reading: Reading) -> Object:
    return an_object(opened(field(row.fields, "metadata"), reading, row.place))


def _attributes(metadata: Object, reading: Reading, where: str) -> Attributes:
    """The OpenTelemetry attributes in the metadata, each of the type that it was sent with."""
    given = an_object(opened(metadata.get("attributes"), reading, where))
    return {key: _typed(key, each, reading, where) for key, each in given.items()}


def _typed(key: str, value: JSON, reading: Reading, where: str) -> JSON:
    if key in TEXTS and isinstance(value, (dict, list)):
        return compact(value)
    if not isinstance(value, str) or not key.startswith(NUMBERS):
        return value
    if value[:1] not in "-0123456789[tf" or key.endswith((".id", ".model")):
        return value
    try:
        return reading.json(value, where)
    except NotJson:
        return value


def _kind(span: Span, row: Row) -> Kind:
    """What the attributes say of a wrapper or a plain span; else what the type says."""
    told = kind_of(span)
    kind = KINDS.get(text_field(row.fields, "type").upper())
    if "ai.operationId" in span.attributes and kind == "model":
        return told
    if kind is not None:
        return kind
    if told in ("tool", "agent", "model"):
        return told
    if span.text("gen_ai.tool.name", "tool.name") or _is_tool_message(span, row):
        return "tool"
    return "agent" if span.text("gen_ai.agent.name", "agent_name") else "other"


def _is_tool_message(span: Span, row: Row) -> bool:
    """LangChain's tools are plain spans whose output is a tool message."""
    return span.name != "" and tool_message(field(row.fields, "output")) is not None


def _tool(span: Span, row: Row, reading: Reading) -> Span:
    given = opened(field(row.fields, "input"), reading, row.place)
    inner = an_object(given)
    if span.scope.name == "langsmith" and set(inner) == {"input"}:
        given = inner["input"]
    name = span.text("gen_ai.tool.name", "tool.name", "ai.toolCall.name") or span.name
    shown = tool_attributes(name, given, field(row.fields, "output"))
    if called := span.text("ai.toolCall.id"):
        shown["gen_ai.tool.call.id"] = called
    kept = {**span.attributes, **{key: each for key, each in shown.items() if span.attributes.get(key) is None}}
    return msgspec.structs.replace(span, kind="tool", attributes=kept)


def _model(span: Span, row: Row, metadata: Object, reading: Reading) -> Span:
    """A generation: what its input, output and own columns show comes before what the attributes do."""
    fields = row.fields
    column = text_field(fields, "model") or text_field(fields, "provided_model_name")
    seen = Observed(
        given=field(fields, "input"),
        answer=field(fields, "output"),
        named=span.text("gen_ai.request.model", "ai.model.id")
        or a_text(metadata.get("ls_model_name"))
        or text_field(fields, ASKED),
        column=column,
        provider=a_text(metadata.get("ls_provider")) or span.text("ai.model.provider"),
        parameters=field(fields, "modelParameters"),
        usage=usage_of(field(fields, "usageDetails")) or usage_of(field(fields, "usage")),
        tools=_tools(fields, metadata, reading, row.place),
        streamed=True if field(fields, "completionStartTime") is not None else None,
    )
    return with_observed(span, seen, reading)


def _tools(fields: Object, metadata: Object, reading: Reading, where: str) -> tuple | None:  # type: ignore[type-arg]
    """Tool definitions of the row, by their names, or of the metadata, as texts."""
    held = field(fields, "toolDefinitions")
    given: list[JSON] = a_list(opened(metadata.get("tools"), reading, where))
    if not given and isinstance(held, dict):
        opens = {name: an_object(opened(each, reading, where)) for name, each in held.items()}
        given = [{**each, "name": a_text(each.get("name")) or name} for name, each in opens.items()]
    found = declared_tools([opened(each, reading, where) for each in given])
    return found or None
