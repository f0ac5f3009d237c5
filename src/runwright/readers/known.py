"""Words that every reader meets: the parts of an exchange, model APIs, and why a model stopped."""

from __future__ import annotations

from runwright.trace.model import StopReason

MESSAGES, TOOLS, PARAMETERS, CONTENT = (
    "$.request.messages",
    "$.request.tools",
    "$.request.parameters",
    "$.response.content",
)
MODEL = "$.request.model"
EVERY_PARAMETER = "$.request.parameters.*"

CHAT = "openai.chat_completions"
MESSAGES_API = "anthropic.messages"
RESPONSES = "openai.responses"
GEMINI = "gemini.generate_content"

STOPS: dict[str, StopReason] = {
    "stop": "end_turn",
    "end_turn": "end_turn",
    "completed": "end_turn",
    "tool_calls": "tool_calls",
    "tool_call": "tool_calls",
    "tool_use": "tool_calls",
    "function_call": "tool_calls",
    "length": "length",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "stop_sequence": "stop_sequence",
    "content_filter": "content_filter",
    "safety": "content_filter",
    "refusal": "refusal",
    "pause_turn": "pause",
}
"""Stop reasons by the word that providers and instrumentations have for them, in lower case."""
