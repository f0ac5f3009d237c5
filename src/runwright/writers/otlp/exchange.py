"""A model exchange as the attributes of its span, and what is held of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from runwright.trace import (
    JSON,
    ModelError,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    StopReason,
    ToolSpec,
    Usage,
    calls_of,
)
from runwright.writers.otlp.attributes import text
from runwright.writers.otlp.parts import CHAT, MESSAGES_API, is_reshaped, message, parts
from runwright.writers.writing import Writing

Object = dict[str, JSON]
RESPONSES = "openai.responses"
API: dict[str, Object] = {
    CHAT: {"openai.api.type": "chat_completions"},
    RESPONSES: {"openai.api.type": "responses"},
    MESSAGES_API: {"url.path": "/v1/messages"},
}
"""What tells the API of a call, by the API."""

MESSAGES, CONTENT = "$.request.messages", "$.response.content"
PARAMETERS = {
    "temperature": "gen_ai.request.temperature",
    "top_p": "gen_ai.request.top_p",
    "top_k": "gen_ai.request.top_k",
    "max_tokens": "gen_ai.request.max_tokens",
    "frequency_penalty": "gen_ai.request.frequency_penalty",
    "presence_penalty": "gen_ai.request.presence_penalty",
    "seed": "gen_ai.request.seed",
    "n": "gen_ai.request.choice.count",
    "service_tier": "openai.request.service_tier",
}
STOPS: dict[StopReason, str] = {"end_turn": "stop", "pause": "pause_turn"}
"""Stop reasons that the conventions have another word for."""

DECLARED = frozenset(
    {"type", "function", "name", "description", "parameters", "input_schema", "inputSchema"}
    | {"parameters_json_schema"}
)
TOTALS = frozenset({"input_tokens", "output_tokens", "prompt_tokens", "completion_tokens", "total_tokens"})
SURE = "the conventions cannot say that all is there: what they have no name for reads as unknown"
SHAPE = "messages that are not in the form of their API are given it when they are read"


class Failure(msgspec.Struct, frozen=True):
    """How a span says that its operation failed."""

    message: str
    kind: str | None = None


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """A span's own part: its name, attributes and failure, and the record that is held of it."""

    name: str
    attributes: Object
    held: ModelRecord
    failure: Failure | None = None


def drawn_exchange(record: ModelRecord, writing: Writing) -> Drawn:
    """The span of a model exchange."""
    request, asked = _request(record, writing)
    error = record.error
    response, answered = (None, {}) if error is not None else _response(record)
    for path in ("fidelity", "unknown", "reconstructed"):
        writing.lose("inexact", SURE, record.id, f"$.{path}")
    told: Object = {"gen_ai.operation.name": "chat", **asked, **answered}
    if record.streamed is not None:
        told["gen_ai.request.stream"] = record.streamed
    if error is not None:
        told |= {"error.type": error.kind or None, "http.response.status_code": error.status}
    if response is None and error is None:
        writing.lose(
            "not_representable",
            "an exchange without an answer reads as one of unknown content",
            record.id,
            "$.response",
        )
    held = msgspec.structs.replace(
        record,
        request=request,
        response=response,
        error=_failed(record, error, writing),
        adopted=(),
        chunks=None,
    )
    failure = None if error is None else Failure(error.message, error.kind)
    return Drawn(name=f"chat {record.request.model}".strip(), attributes=told, held=held, failure=failure)


# --- the request ---------------------------------------------------------------------------------


def _request(record: ModelRecord, writing: Writing) -> tuple[ModelRequest, Object]:
    request, api = record.request, record.request.api
    if api not in API:
        writing.lose("inexact", "which API was called is guessed from its provider", record.id, "$.request.api")
    provider = (request.provider or "").lower() or None
    kept = dict(_parameters(request))
    said = [] if MESSAGES in record.unknown else [message(each) for each in request.messages]
    if any(is_reshaped(each, api) for each in request.messages):
        writing.lose("inexact", SHAPE, record.id, MESSAGES)
    told: Object = {
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": request.model or None,
        **API.get(api, {}),
        **{_name(key): value for key, value in kept.items()},
        "gen_ai.tool.definitions": text([_declared(each) for each in request.tools]),
    }
    if MESSAGES not in record.unknown:
        told["gen_ai.input.messages"] = text([written for written, _ in said])
    held = msgspec.structs.replace(
        request,
        provider=provider,
        parameters=kept,
        messages=tuple(each for _, each in said),
        tools=tuple(msgspec.structs.replace(each, extra=_more(each)) for each in request.tools),
    )
    return held, told


def _parameters(request: ModelRequest) -> Iterator[tuple[str, JSON]]:
    """The parameters that the conventions have a name for, and that a reader finds under it again."""
    for key, value in request.parameters.items():
        if key in PARAMETERS:
            whole = isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63
            if whole or isinstance(value, float | str):
                yield key, value
        elif isinstance(value, list) and all(isinstance(each, str) for each in value):
            chat = request.api in (CHAT, RESPONSES)
            if (key == "stop" and chat and len(value) > 1) or (key == "stop_sequences" and request.api == MESSAGES_API):
                yield key, value


def _name(key: str) -> str:
    return PARAMETERS.get(key, "gen_ai.request.stop_sequences")


def _declared(tool: ToolSpec) -> Object:
    described: Object = {} if tool.description is None else {"description": tool.description}
    shaped: Object = {} if tool.parameters is None else {"parameters": tool.parameters}
    return {"type": tool.kind, "name": tool.name, **described, **shaped, **_more(tool)}


def _more(tool: ToolSpec) -> Mapping[str, JSON]:
    return {key: value for key, value in tool.extra.items() if key not in DECLARED}


# --- the answer ----------------------------------------------------------------------------------


def _response(record: ModelRecord) -> tuple[ModelResponse | None, Object]:
    response = record.response
    if response is None or CONTENT in record.unknown:
        return None, {}
    found = parts(response.content)
    content = tuple(each.held for each in found)
    follows: StopReason = "tool_calls" if calls_of(content) else "end_turn"
    word = STOPS.get(response.stop_reason, response.stop_reason) if response.stop_reason else None
    finish: Object = {} if word is None else {"finish_reason": word}
    answer: Object = {"role": "assistant", "parts": [each.written for each in found], **finish}
    usage, counted = _usage(response.usage)
    told: Object = {
        "gen_ai.output.messages": text([answer]),
        "gen_ai.response.finish_reasons": None if word is None else [word],
        "gen_ai.response.id": response.id or None,
        "gen_ai.response.model": response.model or None,
        **counted,
    }
    held = ModelResponse(
        content=content,
        stop_reason=response.stop_reason or follows,
        usage=usage,
        id=response.id or None,
        model=response.model or None,
    )
    return held, told


def _usage(usage: Usage | None) -> tuple[Usage, Object]:
    if usage is None:
        return Usage(), {}
    details = {
        key: value
        for key, value in usage.details.items()
        if key not in TOTALS
        and isinstance(value, int | float | str)
        and (isinstance(value, float | str) or abs(value) < 2**63)
    }
    told: Object = {f"gen_ai.usage.{key}": value for key, value in details.items()}
    counts: Object = {
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
    }
    return msgspec.structs.replace(usage, details=details), {**told, **counts}


def _failed(record: ModelRecord, error: ModelError | None, writing: Writing) -> ModelError | None:
    if error is None:
        return None
    writing.lose("not_representable", "the body of an error, which its message may repeat", record.id, "$.error.body")
    if error.status is None or error.status < 400:
        writing.lose("inexact", "a status that is none of an error", record.id, "$.error.status")
    message = error.message or error.kind or "failed"
    return msgspec.structs.replace(error, message=message, kind=error.kind or None, retry_after=None)
