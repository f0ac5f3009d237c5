"""The response body of a chat completion, buffered, and its error body."""

from __future__ import annotations

from typing import cast

from runwright.dialects.dialect import Body
from runwright.dialects.failed import error_fields, error_of
from runwright.dialects.fields import count_at, list_at, object_at, optional_text_at, refuse, rest, text_at
from runwright.dialects.openai_chat.messages import ASSISTANT_FIELDS, decode_assistant, encode_assistant
from runwright.dialects.openai_chat.parts import ANNOTATIONS
from runwright.trace.model import JSON, ModelError, ModelRequest, ModelResponse, StopReason, Usage, calls_of

OBJECT = "chat.completion"
UNNAMED = "chatcmpl-unrecorded"
CHOICE, MESSAGE, LOGPROBS, FINISH = "choice", "message", "logprobs", "finish_reason"
RESERVED = (CHOICE, MESSAGE, LOGPROBS, FINISH)
"""Names in `ModelResponse.extra` that hold what stood in the choice, not beside it."""

_OWN = ("id", "object", "model", "choices", "usage")
_STOP: dict[str, StopReason] = {
    "stop": "end_turn",
    "tool_calls": "tool_calls",
    "length": "length",
    "content_filter": "content_filter",
}
_FINISH: dict[StopReason, str] = {reason: word for word, reason in _STOP.items()} | {"stop_sequence": "stop"}


def decode_response(body: Body) -> ModelResponse:
    """The response; what the model has no field for is kept in `extra`."""
    choices = list_at(body.get("choices"), "$.choices")
    if len(choices) != 1:
        raise refuse("$.choices", f"expected exactly one choice, found {len(choices)}")
    choice = object_at(choices[0], "$.choices[0]")
    message = object_at(choice.get("message"), "$.choices[0].message")
    if message.get("role", "assistant") not in ("assistant", None):
        raise refuse("$.choices[0].message.role", f"expected 'assistant', found {message['role']!r}")
    reason, finish = decode_finish(choice.get("finish_reason"))
    return ModelResponse(
        content=decode_assistant(message, "$.choices[0].message"),
        stop_reason=reason,
        usage=decode_usage(body.get("usage")),
        id=optional_text_at(body.get("id"), "$.id"),
        model=optional_text_at(body.get("model"), "$.model"),
        extra=_beside(body)
        | finish
        | _kept(LOGPROBS, choice.get("logprobs"))
        | _kept(CHOICE, _choice_rest(choice))
        | _kept(MESSAGE, rest(message, ASSISTANT_FIELDS)),
    )


def encode_response(response: ModelResponse, request: ModelRequest) -> Body:
    """The body that decodes to this response, with what a client needs and the recording lacks filled in."""
    message = encode_assistant(response.content, "$.choices[0].message")
    own = {"refusal": None, ANNOTATIONS: [], **message, **object_at(response.extra.get(MESSAGE, {}), "$.message")}
    choice: Body = {
        "index": 0,
        "message": cast("JSON", own),
        "logprobs": response.extra.get(LOGPROBS),
        "finish_reason": encode_finish(response),
        **object_at(response.extra.get(CHOICE, {}), "$.choice"),
    }
    return {
        "id": response.id or UNNAMED,
        "object": OBJECT,
        "created": 0,
        "model": response.model or request.model,
        "choices": [choice],
        "usage": encode_usage(response.usage),
        **rest(response.extra, RESERVED),
    }


def decode_finish(value: JSON) -> tuple[StopReason | None, Body]:
    """The stop reason; a word that the model has none for is kept under `finish_reason`."""
    word = optional_text_at(value, "$.choices[0].finish_reason")
    if word == "function_call":
        raise refuse("$.choices[0].finish_reason", "legacy finish reason 'function_call'")
    if word is None or word in _STOP:
        return (None if word is None else _STOP[word]), {}
    return None, {FINISH: word}


def encode_finish(response: ModelResponse) -> str:
    """The finish reason; where none was recorded it follows from the content."""
    word = response.extra.get(FINISH)
    if word is not None:
        return text_at(word, "$.extra.finish_reason")
    if response.stop_reason is None:
        return "tool_calls" if calls_of(response.content) else "stop"
    if response.stop_reason not in _FINISH:
        raise refuse("$.choices[0].finish_reason", f"stop reason {response.stop_reason!r} has no word on this API")
    return _FINISH[response.stop_reason]


def decode_usage(value: JSON) -> Usage | None:
    """The token counts; a total that is their sum is not kept apart."""
    if value is None:
        return None
    usage = object_at(value, "$.usage")
    prompt = count_at(usage.get("prompt_tokens"), "$.usage.prompt_tokens")
    completion = count_at(usage.get("completion_tokens"), "$.usage.completion_tokens")
    details = rest(usage, ("prompt_tokens", "completion_tokens"))
    if details.get("total_tokens") in (None, prompt + completion):
        details.pop("total_tokens", None)
    return Usage(input_tokens=prompt, output_tokens=completion, details=details)


def encode_usage(usage: Usage | None) -> Body:
    """The wire usage; an unrecorded one is zero."""
    known = usage or Usage()
    return {
        "prompt_tokens": known.input_tokens,
        "completion_tokens": known.output_tokens,
        "total_tokens": known.input_tokens + known.output_tokens,
        **known.details,
    }


def decode_error(status: int | None, body: JSON) -> ModelError:
    """The error of a failed call; the body is kept as it came."""
    inner = body.get("error", body) if isinstance(body, dict) else body
    fields = error_fields(inner)
    return error_of(status, body, fields.get("message"), fields.get("type") or fields.get("code"))


def encode_error(error: ModelError) -> tuple[int, Body]:
    """Status and body of a recorded failure; one without a status, such as a lost connection, is a 500."""
    made: Body = {"error": {"message": error.message, "type": error.kind, "param": None, "code": None}}
    return error.status or 500, error.body if isinstance(error.body, dict) else made


def _beside(body: Body) -> Body:
    """The fields beside the choices."""
    beside = rest(body, _OWN) | ({} if body.get("object") in (None, OBJECT) else {"object": body["object"]})
    for name in RESERVED:
        if name in beside:
            raise refuse(f"$.{name}", "field beside the choices cannot be represented")
    return beside


def _choice_rest(choice: Body) -> Body:
    if choice.get("index") not in (None, 0):
        raise refuse("$.choices[0].index", f"expected 0, found {choice['index']!r}")
    return rest(choice, ("index", "message", "logprobs", "finish_reason"))


def _kept(name: str, value: JSON) -> Body:
    """The entry of `extra`, unless it is empty."""
    return {name: value} if value else {}
