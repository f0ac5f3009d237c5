"""Spans of the AI SDK: `ai.*` attributes of a call, and of the loop around it where only that was exported."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from runwright.readers.blocks import call, text
from runwright.readers.chat import said
from runwright.readers.exact import NotJson
from runwright.readers.known import CHAT, CONTENT, GEMINI, MESSAGES, MESSAGES_API, RESPONSES, TOOLS
from runwright.readers.lenient import a_list, a_text, an_object, objects
from runwright.readers.reading import Reading
from runwright.readers.shape import with_instructions
from runwright.readers.spans.captured import Captured
from runwright.readers.spans.declared import declared
from runwright.readers.spans.limits import is_cut
from runwright.readers.spans.numbers import integer
from runwright.readers.spans.shape import requested
from runwright.readers.spans.span import Kind, Span
from runwright.trace.model import JSON, Block, ThinkingBlock, Usage

OPERATION = "ai.operationId"
OUTER = frozenset({"ai.generateText", "ai.streamText", "ai.generateObject", "ai.streamObject"})
INNER = ("doGenerate", "doStream")
ROUTES = {"chat": CHAT, "responses": RESPONSES, "messages": MESSAGES_API, "generative-ai": GEMINI, "vertex": GEMINI}
REMEDY = (
    "message content was not captured by the AI SDK: leave recordInputs and recordOutputs of its telemetry on, "
    "and record again"
)
DETAILS = {
    "reasoningTokens": "output_tokens_details.reasoning_tokens",
    "cachedInputTokens": "input_tokens_details.cached_tokens",
}


def ai_sdk_kind(span: Span) -> Kind | None:
    """The kind of a span that the AI SDK drew; None for any other span."""
    operation = span.text(OPERATION)
    if not operation.startswith("ai."):
        return None
    if operation in OUTER:
        return "agent" if span.text("ai.telemetry.functionId") else "other"
    if operation == "ai.toolCall":
        return "tool"
    if operation.startswith(("ai.embed", "ai.rerank", "ai.generateImage", "ai.generateSpeech", "ai.transcribe")):
        return "unsupported"
    return "model" if operation.endswith(INNER) else "other"


def provider_and_api(provider: str) -> tuple[str, str]:
    """The provider and the API behind the SDK's name for both, such as `openai.chat`; the API may be empty."""
    name, _, kind = provider.lower().partition(".")
    return name, "" if kind == "chat" and name in ("anthropic", "google") else ROUTES.get(kind, "")


def with_lone_calls(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The spans, with those of the SDK's loops as calls of their own where no call within them was exported."""
    inside = {span.parent_id for span in spans if span.text(OPERATION).endswith(INNER)}
    return tuple(
        msgspec.structs.replace(span, kind="model")
        if span.kind is None and span.text(OPERATION) in OUTER and span.span_id not in inside
        else span
        for span in spans
    )


def from_ai_sdk(span: Span, api: str, reading: Reading) -> list[Captured]:
    """What a span of the AI SDK shows of a model call."""
    operation = span.text(OPERATION)
    if not operation.startswith("ai."):
        return []
    where = f"span {span.span_id}"
    return [
        _plain(span, api, operation, reading, where),
        _request(span, api, reading, where),
        _answer(span, reading, where),
        _tools(span, reading, where),
    ]


def _plain(span: Span, api: str, operation: str, reading: Reading, where: str) -> Captured:
    stop = span.text("ai.response.finishReason", "ai.finishReason")
    choice = _tool_choice(_value(span, "ai.prompt.toolChoice", reading, where), api)
    parameters = {key: span.attributes[name] for name, key in _PARAMETERS if span.attributes.get(name) is not None}
    return Captured(
        parameters={**parameters, **({"tool_choice": choice} if choice is not None else {})},
        streamed=None if operation in ("ai.embed",) else "stream" in operation,
        model=span.text("ai.model.id") or None,
        stop=stop.replace("-", "_") or None,
        response_id=span.text("ai.response.id") or None,
        response_model=span.text("ai.response.model") or None,
        usage=_usage(span),
    )


_PARAMETERS = (
    ("gen_ai.request.temperature", "temperature"),
    ("gen_ai.request.top_p", "top_p"),
    ("ai.settings.temperature", "temperature"),
    ("ai.settings.topP", "top_p"),
)
"""Settings that every provider has under one name."""


def _tool_choice(given: JSON, api: str) -> JSON:
    """The choice as the SDK's provider puts it on the wire; None where that is not known."""
    chosen = an_object(given)
    kind, name = a_text(chosen.get("type")), a_text(chosen.get("toolName"))
    if api == CHAT and kind in ("auto", "none", "required"):
        return kind
    if api == CHAT and kind == "tool":
        return {"type": "function", "function": {"name": name}}
    if api == MESSAGES_API and kind in ("auto", "required", "tool"):
        return {"type": "tool", "name": name} if kind == "tool" else {"type": "any" if kind == "required" else kind}
    return None


def _usage(span: Span) -> Usage | None:
    """Token counts, under the names of any version."""
    counts = [
        next((found for key in keys if (found := integer(span.attributes.get(f"ai.usage.{key}"))) is not None), None)
        for keys in (("inputTokens", "promptTokens"), ("outputTokens", "completionTokens"))
    ]
    if counts == [None, None]:
        return None
    shown = {name: integer(span.attributes.get(f"ai.usage.{key}")) for key, name in DETAILS.items()}
    details: dict[str, JSON] = {name: each for name, each in shown.items() if each}
    return Usage(input_tokens=counts[0] or 0, output_tokens=counts[1] or 0, details=details)


def _request(span: Span, api: str, reading: Reading, where: str) -> Captured:
    """The messages as the SDK gave them to its provider; of a loop alone, what it began with."""
    key = "ai.prompt.messages" if span.attributes.get("ai.prompt.messages") is not None else "ai.prompt"
    if span.attributes.get(key) is None:
        return Captured()
    if is_cut(span, key):
        return Captured(cut=(MESSAGES,))
    value = _value(span, key, reading, where)
    if '"providerOptions"' in span.text(key):
        reading.lose("not_representable", "options that the AI SDK gave a provider beside its messages", where)
    if key == "ai.prompt.messages":
        return requested(said(a_list(value), reading, where), api) if isinstance(value, list) else Captured()
    fields = an_object(value)
    given = fields.get("messages", fields.get("prompt"))
    items = [{"role": "user", "content": given}] if isinstance(given, str) else a_list(given)
    system = fields.get("system")
    told = with_instructions(said([*items], reading, where), text(system) if isinstance(system, str) else ())
    return requested(told, api) if told else Captured()


def _answer(span: Span, reading: Reading, where: str) -> Captured:
    """The reply: reasoning, then text, then calls, which is not always the order it had."""
    words = _text(span, "ai.response.text", "ai.result.text", "ai.response.object", "ai.result.object")
    keys = ("ai.response.toolCalls", "ai.result.toolCalls")
    key = next((each for each in keys if span.attributes.get(each) is not None), "")
    thought = _text(span, "ai.response.reasoning")
    if words is None and not key and thought is None:
        return Captured()
    cut = [each for each in ("ai.response.text", "ai.response.reasoning", key) if each and is_cut(span, each)]
    blocks: list[Block] = [ThinkingBlock(text=thought)] if thought else []
    blocks += text(words) if words else ()
    for item in objects(_value(span, key, reading, where)) if key else ():
        given = item.get("input", item.get("args"))
        blocks.append(call(a_text(item.get("toolCallId")), a_text(item.get("toolName")), given))
    return Captured(content=tuple(blocks) or text(""), cut=(CONTENT,) if cut else ())


def _text(span: Span, *keys: str) -> str | None:
    return next((each for key in keys if isinstance(each := span.attributes.get(key), str)), None)


def _tools(span: Span, reading: Reading, where: str) -> Captured:
    """The declarations, each a JSON text; a call with its messages and none of these had no tools."""
    given = span.attributes.get("ai.prompt.tools")
    if given is None:
        bare = span.attributes.get("ai.prompt.messages") is not None and "Object" not in span.text(OPERATION)
        return Captured(tools=()) if bare else Captured()
    if not isinstance(given, list):
        return Captured()
    items = [reading.json_or_text(each, where) if isinstance(each, str) else each for each in given]
    if any(not isinstance(each, dict) for each in items):
        return Captured(cut=(TOOLS,))
    own = [{key: each for key, each in item.items() if key not in _OPTIONS} for item in objects([*items])]
    found = declared([*own], described=True, whole=True)
    odd = [at for at, each in enumerate(own) if each.get("type") != "function"]
    for at in odd:
        reading.lose("not_representable", f"a tool of the provider's own, {own[at].get('name')!r}", where)
    return msgspec.structs.replace(found, unknown=(*found.unknown, *(f"{TOOLS}[{at}]" for at in odd)))


_OPTIONS = ("providerOptions", "inputExamples")


def _value(span: Span, key: str, reading: Reading, where: str) -> JSON:
    """The value of a JSON text; None where it is none."""
    try:
        return reading.json(span.text(key), where) if span.text(key) else None
    except NotJson:
        return None
