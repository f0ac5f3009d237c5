"""A generation as Langfuse shows it, in a row of its export or in the attributes of a span that its client sends."""

from __future__ import annotations

import msgspec

from runwright.readers.exact import NotJson
from runwright.readers.known import CHAT, MODEL, RESPONSES
from runwright.readers.lenient import an_object
from runwright.readers.reading import Reading
from runwright.readers.spans.asked import asked_of, opened, parameters_of
from runwright.readers.spans.captured import Captured
from runwright.readers.spans.classify import api_of, provider_of
from runwright.readers.spans.guessed import api_told
from runwright.readers.spans.replied import replied_of
from runwright.readers.spans.span import Kind, Span
from runwright.trace.model import JSON, ToolSpec, Usage

TYPE = "langfuse.observation.type"
KINDS: dict[str, Kind] = {
    "GENERATION": "model",
    "TOOL": "tool",
    "AGENT": "agent",
    "EMBEDDING": "unsupported",
    "RETRIEVER": "unsupported",
    "EVALUATOR": "unsupported",
    "GUARDRAIL": "unsupported",
}
"""What the types of observations are; spans, chains and events may be anything."""

REMEDY = (
    "an observation has no input or output: log them (and let no masking function or field group of the export take "
    "them away), and export again"
)
DEFAULTS: dict[str, tuple[JSON, ...]] = {
    "temperature": (1,),
    "max_tokens": ("inf", "Infinity"),
    "top_p": (1,),
    "frequency_penalty": (0,),
    "presence_penalty": (0,),
}
"""What the wrapper of the OpenAI client writes for parameters that were not given."""


class Observed(msgspec.Struct, frozen=True, kw_only=True):
    """What an observation tells of a model call. `named` is the model asked for where something beside the observation
    names it; `column` is the observation's own, which the wrapper of the OpenAI client overwrites with the reply's.
    """

    given: JSON = None
    answer: JSON = None
    named: str = ""
    column: str = ""
    provider: str = ""
    parameters: JSON = None
    usage: Usage | None = None
    tools: tuple[ToolSpec, ...] | None = None
    streamed: bool | None = None


def with_observed(span: Span, seen: Observed, reading: Reading) -> Span:
    """The span as a model call that shows what the observation tells."""
    where = span.place or f"span {span.span_id}"
    model = seen.named or seen.column
    provider = provider_of(span) or seen.provider
    api = api_of(span)
    if _is_wrapped(seen, reading, where):
        api = _api_of_wrapper(seen, reading, where)
    elif api == "unknown.chat" or api.startswith(f"{provider}."):
        opens = (opened(seen.given, reading, where), opened(seen.answer, reading, where))
        api = api_told(provider, model, *opens, reading)
    shown = asked_of(seen.given, api, reading, where), replied_of(seen.answer, api, reading, where)
    told = (_columns(seen, reading, where), *shown, _model(seen, reading, where))
    named = {"gen_ai.provider.name": provider} if provider else {}
    return msgspec.structs.replace(span, kind="model", api=api, told=told, attributes={**named, **span.attributes})


def _model(seen: Observed, reading: Reading, where: str) -> Captured:
    """The model asked for, where nothing in the input names it."""
    if not _is_wrapped(seen, reading, where) or seen.named or seen.answer is None:
        return Captured(model=seen.named or seen.column or None)
    reading.lose("not_captured", "the model asked for: Langfuse's client keeps the name that the reply gave", where)
    return Captured(model=seen.column or None, unknown=(MODEL,))


def _is_wrapped(seen: Observed, reading: Reading, where: str) -> bool:
    """Whether the wrapper of the OpenAI client wrote it, by the parameters that it writes always."""
    return DEFAULTS.keys() - {"max_tokens"} <= an_object(opened(seen.parameters, reading, where)).keys()


def _api_of_wrapper(seen: Observed, reading: Reading, where: str) -> str:
    """The API of a call of OpenAI's client: items have types, messages of Chat Completions have none."""
    given, answer = (opened(each, reading, where) for each in (seen.given, seen.answer))
    items = answer if isinstance(answer, list) else [answer]
    typed = any(isinstance(each, dict) and isinstance(each.get("type"), str) for each in items)
    return RESPONSES if typed or "input" in an_object(given) else CHAT


def _columns(seen: Observed, reading: Reading, where: str) -> Captured:
    """What is told beside input and output."""
    given = parameters_of(an_object(opened(seen.parameters, reading, where)))
    shown = {key: _value(each, reading, where) for key, each in given.items() if _is_set(each)}
    wrapped = _is_wrapped(seen, reading, where)
    if wrapped:
        shown = {key: each for key, each in shown.items() if each not in DEFAULTS.get(key, ())}
    replied = wrapped or seen.column != (seen.named or seen.column)
    return Captured(
        model=seen.named or (None if wrapped else seen.column) or None,
        response_model=seen.column if replied and seen.column else None,
        usage=seen.usage,
        tools=seen.tools,
        parameters=shown or None,
        streamed=seen.streamed,
    )


def _is_set(value: JSON) -> bool:
    """Not what instrumentations write for a parameter that was not given."""
    return value not in ("", -1, "-1", [], "[]", "{}") and "arrayValue" not in str(value)[:16]


def _value(value: JSON, reading: Reading, where: str) -> JSON:
    """Numbers and objects that were written as texts."""
    if isinstance(value, str) and value[:1] in "-0123456789{[":
        try:
            return reading.json(value, where)
        except NotJson:
            return value
    return value
