"""The response body of a generated content, buffered, and its error body."""

from __future__ import annotations

from collections.abc import Sequence

from runwright.dialects.dialect import Body
from runwright.dialects.failed import error_fields, error_of
from runwright.dialects.fields import count_at, list_at, object_at, optional_text_at, refuse, rest, text_at
from runwright.dialects.gemini.names import spelled
from runwright.dialects.gemini.parts import Numbering, decode_parts, encode_parts
from runwright.trace.model import JSON, Block, ModelError, ModelRequest, ModelResponse, StopReason, Usage, calls_of

UNNAMED = "unrecorded"
CANDIDATE, FINISH, FEEDBACK = "candidate", "finishReason", "promptFeedback"
"""Names in `ModelResponse.extra`: the candidate's further fields, the wire's word where the model has none for it,
and why a prompt was blocked."""

_TOP = ("candidates", "usageMetadata", "modelVersion", "responseId", FEEDBACK)
_IN_CANDIDATE = ("content", FINISH, "index")
_COUNTS = (
    "promptTokenCount",
    "candidatesTokenCount",
    "totalTokenCount",
    "thoughtsTokenCount",
    "toolUsePromptTokenCount",
)
_STOP: dict[str, StopReason] = {"STOP": "end_turn", "MAX_TOKENS": "length", "SAFETY": "content_filter"}
_FILTERED = ("RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT")
_WORD: dict[StopReason, str] = {
    "end_turn": "STOP",
    "tool_calls": "STOP",
    "stop_sequence": "STOP",
    "length": "MAX_TOKENS",
    "content_filter": "SAFETY",
    "refusal": "SAFETY",
}


def decode_response(body: Body) -> ModelResponse:
    """The response; what the model has no field for is kept in `extra`, and null is absent."""
    wire = spelled(body, _TOP, "$")
    candidate = candidate_of(wire, "$")
    content = spelled(object_at(candidate.get("content", {}), "$.candidates[0].content"), (), "$.candidates[0].content")
    blocks = decode_parts(content.get("parts"), "$.candidates[0].content.parts", Numbering())
    return made_of(wire, candidate, content, blocks)


def made_of(wire: Body, candidate: Body, content: Body, blocks: Sequence[Block]) -> ModelResponse:
    """The response of these parts of a body."""
    if content.get("role", "model") != "model" or rest(content, ("role", "parts")):
        raise refuse("$.candidates[0].content", f"expected the role 'model' and parts, found {sorted(content)}")
    stop, word = _decode_stop(candidate, wire, blocks)
    further = rest(candidate, _IN_CANDIDATE)
    return ModelResponse(
        content=tuple(blocks),
        stop_reason=stop,
        usage=_decode_usage(wire.get("usageMetadata")),
        id=optional_text_at(wire.get("responseId"), "$.responseId"),
        model=optional_text_at(wire.get("modelVersion"), "$.modelVersion"),
        extra=_further(wire) | word | ({CANDIDATE: further} if further else {}),
    )


def candidate_of(wire: Body, path: str) -> Body:
    """The one candidate of a body; none where the prompt was blocked, or an event tells nothing of it."""
    candidates = list_at(wire.get("candidates"), f"{path}.candidates")
    if len(candidates) > 1:
        raise refuse(f"{path}.candidates[1]", "several candidates cannot be represented")
    candidate = object_at(candidates[0] if candidates else {}, f"{path}.candidates[0]")
    if candidate.get("index") not in (None, 0):
        raise refuse(f"{path}.candidates[0].index", f"expected 0, found {candidate['index']!r}")
    return {name: each for name, each in candidate.items() if each is not None}


def encode_response(response: ModelResponse, request: ModelRequest) -> Body:
    """The body that decodes to this response, with what a client needs and the recording lacks filled in."""
    parts = encode_parts(response.content, "$.candidates[0].content.parts", Numbering())
    content: Body = {"parts": parts} if parts else {}
    body: Body = {"candidates": [{"content": {**content, "role": "model"}, **ending_of(response), "index": 0}]}
    if is_blocked(response):
        body = {}
    return {**body, **beside(response), **head_of(response, request.model)}


def is_blocked(response: ModelResponse) -> bool:
    """Whether there is no candidate because the prompt was blocked."""
    return (
        FEEDBACK in response.extra
        and not response.content
        and CANDIDATE not in response.extra
        and (response.stop_reason == "content_filter" and FINISH not in response.extra)
    )


def ending_of(response: ModelResponse) -> Body:
    """What a candidate has beside its content."""
    word = response.extra.get(FINISH)
    if word is None and response.stop_reason is not None and response.stop_reason not in _WORD:
        raise refuse("$.candidates[0].finishReason", f"stop reason {response.stop_reason!r} has no word on this API")
    known = "STOP" if response.stop_reason is None else _WORD.get(response.stop_reason)
    further = object_at(response.extra.get(CANDIDATE, {}), "$.candidate")
    return {FINISH: known if word is None else word, **further}


def beside(response: ModelResponse) -> Body:
    """What a body has beside the candidate."""
    usage: Body = {} if response.usage is None else {"usageMetadata": _encode_usage(response.usage)}
    return {**usage, **rest(response.extra, (CANDIDATE, FINISH))}


def head_of(response: ModelResponse, model: JSON) -> Body:
    """The fields that say whose response it is."""
    return {"modelVersion": response.model or model, "responseId": response.id or UNNAMED}


def _further(wire: Body) -> Body:
    for name in (CANDIDATE, FINISH):
        if name in wire:
            raise refuse(f"$.{name}", "field beside the candidates cannot be represented")
    return rest(wire, tuple(name for name in _TOP if name != FEEDBACK))


def _decode_stop(candidate: Body, wire: Body, blocks: Sequence[Block]) -> tuple[StopReason | None, Body]:
    """The stop reason; a word that the model has none for is kept under `finishReason`."""
    word = candidate.get(FINISH)
    if word is None:
        feedback = wire.get(FEEDBACK)
        blocked = not candidate and isinstance(feedback, dict) and feedback.get("blockReason") is not None
        return ("content_filter" if blocked else None), {}
    said = text_at(word, f"$.candidates[0].{FINISH}")
    if said == "STOP" and calls_of(blocks):
        return "tool_calls", {}
    if said in _STOP:
        return _STOP[said], {}
    return ("content_filter" if said in _FILTERED else None), {FINISH: said}


def _decode_usage(value: JSON) -> Usage | None:
    """The token counts; a total that is their sum is not kept apart."""
    if value is None:
        return None
    usage = spelled(object_at(value, "$.usageMetadata"), _COUNTS, "$.usageMetadata")
    counts = {name: count_at(usage.get(name), f"$.usageMetadata.{name}") for name in _COUNTS}
    details = rest(usage, _COUNTS[:2])
    if counts["totalTokenCount"] == sum(counts.values()) - counts["totalTokenCount"]:
        details.pop("totalTokenCount", None)
    return Usage(input_tokens=counts[_COUNTS[0]], output_tokens=counts[_COUNTS[1]], details=details)


def _encode_usage(usage: Usage) -> Body:
    others = sum(count_at(usage.details.get(name), f"$.usageMetadata.{name}") for name in _COUNTS[3:])
    counts: Body = {"promptTokenCount": usage.input_tokens, "candidatesTokenCount": usage.output_tokens}
    total = usage.input_tokens + usage.output_tokens + others
    return {**counts, "totalTokenCount": total, **usage.details}


def decode_error(status: int | None, body: JSON) -> ModelError:
    """The error of a failed call; the body is kept as it came."""
    outer = body[0] if isinstance(body, list) and body else body
    inner = outer.get("error", outer) if isinstance(outer, dict) else outer
    fields = error_fields(inner)
    return error_of(status, body, fields.get("message"), fields.get("status"))


def encode_error(error: ModelError) -> tuple[int, Body]:
    """Status and body of a recorded failure; one without a status, such as a lost connection, is a 500."""
    status = error.status or 500
    made: Body = {"error": {"code": status, "message": error.message, "status": error.kind or "INTERNAL"}}
    return status, error.body if isinstance(error.body, dict) else made
