"""The response body of a message, buffered, and its error body."""

from __future__ import annotations

from runwright.dialects.anthropic_messages.blocks import decode_block, encode_block
from runwright.dialects.dialect import Body
from runwright.dialects.failed import error_fields, error_of
from runwright.dialects.fields import count_at, list_at, object_at, optional_text_at, refuse, rest
from runwright.trace.model import JSON, ModelError, ModelRequest, ModelResponse, StopReason, Usage, calls_of

UNNAMED = "msg_unrecorded"
STOP_REASON, STOP_SEQUENCE = "stop_reason", "stop_sequence"
"""Names in `ModelResponse.extra`: the wire's word where the model has none, and the sequence that matched."""

_OWN = ("id", "type", "role", "model", "content", STOP_REASON, "usage")
_STOP: dict[str, StopReason] = {
    "end_turn": "end_turn",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "stop_sequence": "stop_sequence",
    "pause_turn": "pause",
    "refusal": "refusal",
}
_NEAR: dict[str, StopReason] = {"model_context_window_exceeded": "length"}
"""Words that mean the same to an agent as another one; the word itself is kept beside it."""

_WORD: dict[StopReason, str] = {reason: word for word, reason in _STOP.items()} | {"content_filter": "refusal"}


def decode_response(body: Body) -> ModelResponse:
    """The response; what the model has no field for is kept in `extra`, and null is absent."""
    check_head(body, "$")
    reason, word = decode_stop(body.get(STOP_REASON), "$")
    content = list_at(body.get("content"), "$.content")
    return ModelResponse(
        content=tuple(decode_block(each, f"$.content[{index}]") for index, each in enumerate(content)),
        stop_reason=reason,
        usage=decode_usage(body.get("usage"), "$.usage"),
        id=optional_text_at(body.get("id"), "$.id"),
        model=optional_text_at(body.get("model"), "$.model"),
        extra=further(body) | word,
    )


def encode_response(response: ModelResponse, request: ModelRequest) -> Body:
    """The body that decodes to this response, with what a client needs and the recording lacks filled in."""
    return {
        **head_of(response, request.model),
        "content": [encode_block(block, f"$.content[{index}]") for index, block in enumerate(response.content)],
        STOP_REASON: encode_stop(response),
        STOP_SEQUENCE: None,
        "usage": encode_usage(response.usage),
        **rest(response.extra, (STOP_REASON,)),
    }


def check_head(message: Body, path: str) -> None:
    """Refuse what is no message of the assistant's."""
    for name, expected in (("type", "message"), ("role", "assistant")):
        if message.get(name) not in (None, expected):
            raise refuse(f"{path}.{name}", f"expected {expected!r}, found {message[name]!r}")


def head_of(response: ModelResponse, model: JSON) -> Body:
    """The fields that say whose message it is."""
    return {
        "id": response.id or UNNAMED,
        "type": "message",
        "role": "assistant",
        "model": response.model or model,
    }


def further(message: Body) -> Body:
    """The fields of a message that the model has no place for; null is absent."""
    return {name: value for name, value in rest(message, _OWN).items() if value is not None}


def decode_stop(value: JSON, path: str) -> tuple[StopReason | None, Body]:
    """The stop reason; a word that the model has none for is kept under `stop_reason`."""
    word = optional_text_at(value, f"{path}.{STOP_REASON}")
    if word is None or word in _STOP:
        return (None if word is None else _STOP[word]), {}
    return _NEAR.get(word), {STOP_REASON: word}


def encode_stop(response: ModelResponse) -> JSON:
    """The stop reason; where none was recorded it follows from the content."""
    word = response.extra.get(STOP_REASON)
    if word is not None:
        return word
    if response.stop_reason is None:
        return "tool_use" if calls_of(response.content) else "end_turn"
    return _WORD[response.stop_reason]


def decode_usage(value: JSON, path: str) -> Usage | None:
    """The token counts; those of the cache are details."""
    if value is None:
        return None
    usage = object_at(value, path)
    return Usage(
        input_tokens=count_at(usage.get("input_tokens"), f"{path}.input_tokens"),
        output_tokens=count_at(usage.get("output_tokens"), f"{path}.output_tokens"),
        details=rest(usage, ("input_tokens", "output_tokens")),
    )


def encode_usage(usage: Usage | None) -> Body:
    """The wire usage; an unrecorded one is zero."""
    known = usage or Usage()
    return {"input_tokens": known.input_tokens, "output_tokens": known.output_tokens, **known.details}


def decode_error(status: int | None, body: JSON) -> ModelError:
    """The error of a failed call; the body is kept as it came."""
    inner = body.get("error", body) if isinstance(body, dict) else body
    fields = error_fields(inner)
    return error_of(status, body, fields.get("message"), fields.get("type"))


def encode_error(error: ModelError) -> tuple[int, Body]:
    """Status and body of a recorded failure; one without a status, such as a lost connection, is a 500."""
    made: Body = {"type": "error", "error": {"type": error.kind or "api_error", "message": error.message}}
    return error.status or 500, error.body if isinstance(error.body, dict) else made
