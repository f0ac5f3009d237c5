"""The response body, buffered, and its error body."""

from __future__ import annotations

from typing import cast

import msgspec

from runwright.dialects.dialect import Body
from runwright.dialects.failed import error_fields, error_of
from runwright.dialects.fields import count_at, list_at, object_at, optional_text_at, refuse, rest
from runwright.dialects.openai_responses.items import decode_output, encode_output, grouped
from runwright.trace.model import JSON, Block, ModelError, ModelRequest, ModelResponse, StopReason, Usage, calls_of

OBJECT = "response"
UNNAMED = "resp_unrecorded"
STATUS, DETAILS = "status", "incomplete_details"
"""Names in `ModelResponse.extra` where the model has no word for how the response ended."""

STREAMED = "streamed_items"
"""Name in `ModelResponse.extra`: fields of items, by index, that the stream told otherwise than the response it ended
with."""

_OWN = ("id", "object", "model", "output", "usage", STATUS, DETAILS)
_FILLED: Body = {
    "created_at": 0,
    "error": None,
    "instructions": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "temperature": None,
    "tool_choice": "auto",
    "tools": [],
    "top_p": None,
}
"""What clients expect of every response; a recorded one that says the same is as good as one that does not say it."""

_INCOMPLETE: dict[JSON, StopReason] = {"max_output_tokens": "length", "content_filter": "content_filter"}
_DETAILS = {"cached_tokens": "input_tokens_details", "reasoning_tokens": "output_tokens_details"}


def decode_response(body: Body) -> ModelResponse:
    """The response; what the model has no field for is kept in `extra`, and null is absent."""
    if body.get("object") not in (None, OBJECT):
        raise refuse("$.object", f"expected {OBJECT!r}, found {body['object']!r}")
    items = list_at(body.get("output"), "$.output")
    content: tuple[Block, ...] = ()
    for index, each in enumerate(items):
        content += decode_output(each, f"$.output[{index}]")
    stop, ended = _decode_end(body, content)
    return ModelResponse(
        content=content,
        stop_reason=stop,
        usage=_decode_usage(body.get("usage")),
        id=optional_text_at(body.get("id"), "$.id"),
        model=optional_text_at(body.get("model"), "$.model"),
        extra=_further(body) | ended,
    )


def encode_response(response: ModelResponse, request: ModelRequest) -> Body:
    """The body that decodes to this response, with what a client needs and the recording lacks filled in."""
    items = [encode_output(blocks, f"$.output[{at}]") for at, (_, blocks) in enumerate(grouped(response.content))]
    return {
        **head_of(response, request.model),
        **_encode_end(response),
        "output": list[JSON](items),
        "usage": _encode_usage(response.usage),
    }


def head_of(response: ModelResponse, model: JSON) -> Body:
    """The fields of a response that its events tell before it has ended."""
    told = rest(response.extra, (STATUS, DETAILS, STREAMED))
    return {**_FILLED, **told, "id": response.id or UNNAMED, "object": OBJECT, "model": response.model or model}


def with_streamed(response: ModelResponse, fields: Body) -> ModelResponse:
    """The response with what its stream told otherwise, if it did."""
    return msgspec.structs.replace(response, extra={**response.extra, STREAMED: fields}) if fields else response


def as_streamed(response: ModelResponse, index: int, item: Body) -> Body:
    """The item as the stream told it."""
    fields = response.extra.get(STREAMED)
    told = fields.get(str(index)) if isinstance(fields, dict) else None
    return {**item, **told} if isinstance(told, dict) else item


def _further(body: Body) -> Body:
    if body.get(STREAMED) is not None:
        raise refuse(f"$.{STREAMED}", "field cannot be represented")
    further = {name: value for name, value in rest(body, _OWN).items() if value is not None}
    return {name: value for name, value in further.items() if name not in _FILLED or not _same(value, _FILLED[name])}


def _same(one: JSON, other: JSON) -> bool:
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _decode_end(body: Body, content: tuple[Block, ...]) -> tuple[StopReason | None, Body]:
    """The stop reason; a status that the model has none for is kept as it came."""
    status, details = optional_text_at(body.get(STATUS), f"$.{STATUS}"), body.get(DETAILS)
    if status == "completed" and details is None:
        return "tool_calls" if calls_of(content) else "end_turn", {}
    if status == "incomplete" and isinstance(details, dict) and list(details) == ["reason"]:
        reason = details["reason"]
        if isinstance(reason, str) and reason in _INCOMPLETE:
            return _INCOMPLETE[reason], {}
    return None, {name: value for name, value in ((STATUS, status), (DETAILS, details)) if value is not None}


def _encode_end(response: ModelResponse) -> Body:
    """How the response ended; where that was not recorded, it was completed."""
    if STATUS in response.extra or DETAILS in response.extra:
        return {STATUS: response.extra.get(STATUS, "completed"), DETAILS: response.extra.get(DETAILS)}
    reason = next((word for word, stop in _INCOMPLETE.items() if stop == response.stop_reason), None)
    return (
        {STATUS: "completed", DETAILS: None} if reason is None else {STATUS: "incomplete", DETAILS: {"reason": reason}}
    )


def _decode_usage(value: JSON) -> Usage | None:
    """The token counts; a total that is their sum is not kept apart."""
    if value is None:
        return None
    usage = object_at(value, "$.usage")
    counts = {name: count_at(usage.get(name), f"$.usage.{name}") for name in ("input_tokens", "output_tokens")}
    details = rest(usage, counts)
    if details.get("total_tokens") in (None, sum(counts.values())):
        details.pop("total_tokens", None)
    for name, field in _DETAILS.items():
        if details.get(field) in (None, {name: 0}):
            details.pop(field, None)
    return Usage(input_tokens=counts["input_tokens"], output_tokens=counts["output_tokens"], details=details)


def _encode_usage(known: Usage | None) -> JSON:
    """The wire usage; an unrecorded one is null."""
    if known is None:
        return None
    nothing = {field: cast("JSON", {name: 0}) for name, field in _DETAILS.items()}
    return {
        "input_tokens": known.input_tokens,
        "output_tokens": known.output_tokens,
        "total_tokens": known.input_tokens + known.output_tokens,
        **nothing,
        **known.details,
    }


def decode_error(status: int | None, body: JSON) -> ModelError:
    """The error of a failed call, or of an event that broke a stream off; the body is kept as it came."""
    outer = body.get("response") if isinstance(body, dict) and isinstance(body.get("response"), dict) else body
    inner = outer.get("error") or outer if isinstance(outer, dict) else outer
    fields = error_fields(inner)
    kinds = (fields.get("type"), fields.get("code"))
    kind = next((each for each in kinds if isinstance(each, str) and each != "error"), None)
    return error_of(status, body, fields.get("message"), kind)


def encode_error(error: ModelError) -> tuple[int, Body]:
    """Status and body of a recorded failure; one without a status, such as a lost connection, is a 500."""
    made: Body = {"error": {"message": error.message, "type": error.kind, "param": None, "code": None}}
    return error.status or 500, error.body if isinstance(error.body, dict) else made
