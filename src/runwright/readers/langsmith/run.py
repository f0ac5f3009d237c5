"""One run of LangSmith as a span, with what its inputs and outputs show."""

from __future__ import annotations

import re

import msgspec

from runwright.readers.declared_tools import declared_tools
from runwright.readers.langsmith.runs import LoggedRun, metadata_of
from runwright.readers.lenient import a_list, a_text, an_object, objects
from runwright.readers.reading import Reading
from runwright.readers.spans.asked import asked_of, parameters_of
from runwright.readers.spans.captured import Captured
from runwright.readers.spans.guessed import api_told
from runwright.readers.spans.numbers import nanoseconds
from runwright.readers.spans.ran import tool_attributes, tool_message
from runwright.readers.spans.replied import replied_of, usage_of
from runwright.readers.spans.span import Kind, Scope, Span
from runwright.trace.model import JSON, text_of

Object = dict[str, JSON]
KINDS: dict[str, Kind] = {
    "llm": "model",
    "chat_model": "model",
    "tool": "tool",
    "retriever": "unsupported",
    "embedding": "unsupported",
}
RAISED = re.compile(r"([A-Za-z_][\w.]*)\(")
TRACEBACK = "Traceback (most recent call last)"
HIDDEN = "inputs or outputs are missing: unset LANGSMITH_HIDE_INPUTS and LANGSMITH_HIDE_OUTPUTS, and record again"
UNFINISHED = "a run has no end: it was interrupted, or what was told of it later is not in the files"


def span_of(run: LoggedRun, reading: Reading) -> Span:
    """The run as a span."""
    fields, metadata = run.fields, metadata_of(run)
    runtime = an_object(an_object(fields.get("extra")).get("runtime"))
    path = run.path
    error = _error(run, reading)
    raised = RAISED.match(error)
    agent = a_text(metadata.get("lc_agent_name"))
    kind = KINDS.get(a_text(fields.get("run_type")).lower(), "agent" if agent else "other")
    attributes: Object = {"gen_ai.agent.name": agent} if agent else {}
    if kind == "unsupported":
        attributes["gen_ai.operation.name"] = fields.get("run_type")
    if error and raised:
        attributes["error.type"] = raised.group(1)
    span = Span(
        trace_id=run.trace,
        span_id=run.id,
        parent_id=run.parent,
        name=a_text(fields.get("name")),
        scope=Scope(name=a_text(runtime.get("sdk")) or "langsmith", version=a_text(runtime.get("sdk_version")) or None),
        start=nanoseconds(fields.get("start_time")) or (nanoseconds(_moment(path[-1][0])) if path else None),
        end=nanoseconds(fields.get("end_time")),
        attributes=attributes,
        failed=bool(error) or fields.get("status") == "error",
        status=error,
        kind=kind,
        place=run.place,
        remedy=HIDDEN if fields.get("end_time") else UNFINISHED,
    )
    if kind == "tool":
        return _tool(span, run)
    return _model(span, run, metadata, reading) if kind == "model" else span


def _moment(compact: str) -> str:
    """The start in a dotted order as an ISO time."""
    return f"{compact[:15]}.{compact[15:]}" if len(compact) > 15 else compact


def _error(run: LoggedRun, reading: Reading) -> str:
    """What went wrong, without the traceback."""
    told = a_text(run.fields.get("error"))
    message, mark, _ = told.partition(TRACEBACK)
    if mark:
        reading.lose("dropped", "tracebacks of errors are not kept", run.place)
    return message.strip() or told.strip()


def _tool(span: Span, run: LoggedRun) -> Span:
    outputs = run.fields.get("outputs")
    held = an_object(outputs)
    answer = held["output"] if set(held) == {"output"} else outputs or None
    given, identity = _arguments(run.fields.get("inputs"))
    shown = tool_attributes(span.name, given, answer)
    if identity:
        shown.setdefault("gen_ai.tool.call.id", identity)
    result = tool_message(answer)
    failed = span.failed or (result is not None and result.is_error is True)
    status = span.status or (text_of(result.content) if result is not None and failed else "")
    return msgspec.structs.replace(span, attributes={**span.attributes, **shown}, failed=failed, status=status)


def _arguments(inputs: JSON) -> tuple[JSON, str]:
    """What a tool was given, and the id of its call where that stands beside it."""
    fields = an_object(inputs)
    if {"name", "args", "id"} <= fields.keys():
        return fields["args"], a_text(fields["id"])
    only = fields.get("input") if set(fields) == {"input"} else None
    if isinstance(only, dict):
        return _arguments(only) if {"name", "args", "id"} <= only.keys() else (only, "")
    return only if isinstance(only, str) else inputs, ""


def _model(span: Span, run: LoggedRun, metadata: Object, reading: Reading) -> Span:
    """A model's run: inputs and outputs first, then what the metadata says."""
    fields, where = run.fields, run.place
    inputs, outputs = an_object(fields.get("inputs")), an_object(fields.get("outputs"))
    invoked = an_object(an_object(fields.get("extra")).get("invocation_params"))
    more = {**an_object(metadata.get("ls_invocation_params")), **invoked}
    named = (metadata.get("ls_model_name"), inputs.get("model"), more.get("model"), more.get("model_name"))
    model = next((each for each in named if isinstance(each, str) and each), "")
    provider = a_text(metadata.get("ls_provider"))
    api = api_told(provider, model, inputs, outputs, reading)
    reply = {key: each for key, each in outputs.items() if key != "usage_metadata"}
    told = (
        asked_of(inputs or None, api, reading, where),
        replied_of(reply or None, api, reading, where),
        _beside(fields, metadata, more, model),
    )
    attributes = {**span.attributes, **({"gen_ai.provider.name": provider} if provider else {})}
    return msgspec.structs.replace(span, api=api, told=told, attributes=attributes)


def _beside(fields: Object, metadata: Object, invoked: Object, model: str) -> Captured:
    """What stands beside the inputs and outputs: model, tools, parameters, usage, and whether tokens were streamed."""
    outputs = an_object(fields.get("outputs"))
    usage = usage_of(outputs.get("usage_metadata")) or usage_of(metadata.get("usage_metadata"))
    tokens = any(each.get("name") == "new_token" for each in objects(fields.get("events")))
    settings = {
        name: metadata[key]
        for key, name in (("ls_temperature", "temperature"), ("ls_max_tokens", "max_tokens"), ("ls_stop", "stop"))
        if metadata.get(key) is not None
    }
    tools = invoked.get("tools")
    return Captured(
        model=model or None,
        usage=usage,
        tools=declared_tools(a_list(tools)) if isinstance(tools, list) else None,
        parameters={**settings, **parameters_of(invoked)} or None,
        streamed=True if tokens else None,
    )
