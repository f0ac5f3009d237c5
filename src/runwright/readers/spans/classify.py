"""What a span is: a model call, a tool call, an agent, or something that this reader does not keep."""

from __future__ import annotations

import re

from runwright.readers.known import CHAT, MESSAGES_API, RESPONSES
from runwright.readers.spans.span import Kind, Span, once
from runwright.readers.spans.vercel import ai_sdk_kind, provider_and_api
from runwright.trace.model import JSON

OPERATIONS: dict[str, Kind] = {
    "chat": "model",
    "generate_content": "model",
    "llm_call": "model",
    "responses": "model",
    "execute_tool": "tool",
    "invoke_agent": "agent",
    "create_agent": "agent",
    "text_completion": "unsupported",
    "embeddings": "unsupported",
    "retrieval": "unsupported",
}
OPENINFERENCE: dict[str, Kind] = {
    "LLM": "model",
    "TOOL": "tool",
    "AGENT": "agent",
    "CHAIN": "other",
    "EMBEDDING": "unsupported",
    "RETRIEVER": "unsupported",
    "RERANKER": "unsupported",
    "GUARDRAIL": "unsupported",
    "EVALUATOR": "unsupported",
    "PROMPT": "unsupported",
}
TRACELOOP: dict[str, Kind] = {"tool": "tool", "agent": "agent", "workflow": "other", "task": "other"}
REQUEST_TYPES: dict[str, Kind] = {
    "chat": "model",
    "completion": "unsupported",
    "embedding": "unsupported",
    "rerank": "unsupported",
}
VERCEL: dict[str, Kind] = {
    "ai.generateText.doGenerate": "model",
    "ai.streamText.doStream": "model",
    "ai.generateObject.doGenerate": "model",
    "ai.streamObject.doStream": "model",
    "ai.toolCall": "tool",
    "ai.generateText": "other",
    "ai.streamText": "other",
    "ai.generateObject": "other",
    "ai.streamObject": "other",
    "ai.embed": "unsupported",
    "ai.embedMany": "unsupported",
}
PYDANTIC: dict[str, Kind] = {"agent run": "agent", "running tool": "tool"}

ROUTES = {"/chat/completions": CHAT, "/messages": MESSAGES_API, "/responses": RESPONSES}
SPEAKS_CHAT = frozenset(
    {"openai", "azure", "azure.openai", "azure.ai.openai", "az.ai.openai", "azure_openai", "azure.ai.inference"}
    | {"az.ai.inference", "openrouter", "groq", "deepseek", "mistral_ai", "mistralai", "x_ai", "xai", "together"}
    | {"together_ai", "fireworks", "fireworks_ai", "ollama", "vllm", "perplexity", "litellm", "lmstudio", "cerebras"}
)
"""Providers whose chat calls are Chat Completions requests."""
OPENING_ID = re.compile(r'\{"id": ?"([^"]{1,256})"')


@once
def kind_of(span: Span) -> Kind:
    """The kind of a span, by what its format or its attributes say it is."""
    if span.kind is not None:
        return span.kind
    if span.text("logfire.span_type") == "pending_span":
        return "pending"
    drawn = ai_sdk_kind(span)
    if drawn is not None:
        return drawn
    tables = (
        (VERCEL, span.text("ai.operationId")),
        (OPENINFERENCE, span.text("openinference.span.kind").upper()),
        (OPERATIONS, span.text("gen_ai.operation.name")),
        (REQUEST_TYPES, span.text("llm.request.type")),
        (TRACELOOP, span.text("traceloop.span.kind")),
    )
    for table, word in tables:
        if word in table:
            return table[word]
    if span.scope.name == "pydantic-ai" and span.name in PYDANTIC:
        return PYDANTIC[span.name]
    asks = span.text("gen_ai.request.model") or any(key.startswith("gen_ai.prompt.") for key in span.attributes)
    return "model" if asks else "other"


@once
def provider_of(span: Span) -> str:
    """The provider's name as the instrumentation spells it, in lower case."""
    told = span.text("gen_ai.provider.name", "gen_ai.system", "llm.provider", "llm.system").lower()
    sdk = span.text("ai.model.provider")
    return provider_and_api(sdk)[0] if sdk and told in ("", sdk.lower()) else told


@once
def api_of(span: Span) -> str:
    """The model API that the call went to, by its route, its ids or its provider."""
    if span.api:
        return span.api
    sdk = provider_and_api(span.text("ai.model.provider"))[1]
    if sdk:
        return sdk
    told = {"chat_completions": CHAT, "responses": RESPONSES}.get(span.text("openai.api.type"))
    path = span.text("http.route", "url.path")
    routed = next((api for suffix, api in ROUTES.items() if path.endswith(suffix)), None)
    by_id = RESPONSES if response_id(span).startswith("resp_") else None
    provider = provider_of(span)
    if found := told or routed or by_id:
        return found
    if provider == "anthropic":
        return MESSAGES_API
    if provider in SPEAKS_CHAT or "instrumentation.openai" in span.scope.name:
        return CHAT
    return f"{provider or 'unknown'}.chat"


@once
def response_id(span: Span) -> str:
    """The id that the provider gave the reply, where the span shows it."""
    found = OPENING_ID.match(span.text("output.value"))
    return span.text("gen_ai.response.id") or (found.group(1) if found else "")


def number(value: JSON) -> int:
    """A count, or zero where there is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
