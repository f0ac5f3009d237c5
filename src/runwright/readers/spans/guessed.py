"""The model API that a call went to, where a format does not name it: by its bodies, its provider or its model."""

from __future__ import annotations

from runwright.readers.known import CHAT, GEMINI, MESSAGES_API, RESPONSES
from runwright.readers.lenient import a_text, an_object
from runwright.readers.reading import Reading
from runwright.readers.spans.classify import SPEAKS_CHAT
from runwright.trace.model import JSON

FAMILIES = (("claude", MESSAGES_API), ("gpt-", CHAT), ("chatgpt", CHAT), ("o1", CHAT), ("o3", CHAT), ("o4", CHAT))
ROUTES = {
    "openai.responses": RESPONSES, "openai.chat": CHAT, "anthropic.messages": MESSAGES_API, "anthropic": MESSAGES_API,
}  # fmt: skip


def api_told(provider: str, model: str, given: JSON, answer: JSON, reading: Reading) -> str:
    """The API; a loss says so where only the model's name tells."""
    asked, replied = an_object(given), an_object(answer)
    if "contents" in asked or "candidates" in replied:
        return GEMINI
    if replied.get("object") == "response" or a_text(replied.get("id")).startswith("resp_"):
        return RESPONSES
    if a_text(replied.get("object")).startswith("chat.completion"):
        return CHAT
    if replied.get("type") == "message" and "stop_reason" in replied:
        return MESSAGES_API
    named = provider.lower()
    if named in ROUTES or named in SPEAKS_CHAT:
        return ROUTES.get(named, CHAT)
    if named:
        return f"{named}.chat"
    family = next((api for start, api in FAMILIES if model.lower().startswith(start)), None)
    if family is None:
        return "unknown.chat"
    reading.lose("inexact", "which API was called is told by the model's name alone", model)
    return family
