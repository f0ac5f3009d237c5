"""The model APIs that can be read and replayed, in one table."""

from runwright.dialects.address import addressed, is_called_at, path_of
from runwright.dialects.anthropic_messages import ANTHROPIC_MESSAGES
from runwright.dialects.dialect import Body, Chunks, Dialect
from runwright.dialects.gemini import GEMINI
from runwright.dialects.openai_chat import OPENAI_CHAT
from runwright.dialects.openai_responses import OPENAI_RESPONSES
from runwright.dialects.sse import SseParser, StreamBody, parse_sse, parse_stream_body, write_event

DIALECTS: dict[str, Dialect] = {
    "openai.chat_completions": OPENAI_CHAT,
    "openai.responses": OPENAI_RESPONSES,
    "anthropic.messages": ANTHROPIC_MESSAGES,
    "gemini.generate_content": GEMINI,
}


def dialect_for_path(path: str) -> Dialect | None:
    """The dialect that is called at this URL path, whatever its prefix and query."""
    plain = path.partition("?")[0]
    return next((dialect for dialect in DIALECTS.values() if is_called_at(dialect, plain)), None)


__all__ = [
    "DIALECTS",
    "Body",
    "Chunks",
    "Dialect",
    "SseParser",
    "StreamBody",
    "addressed",
    "dialect_for_path",
    "parse_sse",
    "parse_stream_body",
    "path_of",
    "write_event",
]
