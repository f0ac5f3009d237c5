"""One line of a model log as a record: an exchange, a tool call or a message."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal, cast, get_args

import msgspec

from runwright.dialects import DIALECTS, Dialect, addressed, dialect_for_path
from runwright.errors import DialectError
from runwright.readers.answered import unanswered, with_stream
from runwright.readers.bodies import decoded_request
from runwright.trace.model import (
    JSON,
    MessageRecord,
    ModelError,
    ModelRecord,
    Outcome,
    Record,
    TextBlock,
    ToolError,
    ToolRecord,
)

Body = dict[str, JSON]
DEFAULT_API = "openai.chat_completions"
OTHER_API = "anthropic.messages"
OWN_FIELDS = {"input": "openai.responses", "contents": "gemini.generate_content"}
"""Fields that a request to one API has in place of `messages`."""

SHARED = frozenset({"started_at", "duration", "agent"})
EXCHANGE = frozenset({"api", "path", "request", "response", "sse", "error"})
_STARTS = re.compile(r'"type"\s*:\s*"message_start"')


class BadLine(ValueError):
    """The line is no line of a model log."""


class Line(msgspec.Struct, frozen=True):
    """A record without its id and time, when it began, and what of the line was not kept or not whole.

    `began` is in seconds since 1970. `cut` says that the stream stopped before its end mark.
    """

    record: Record
    began: float | None
    left_out: tuple[str, ...] = ()
    cut: bool = False


def log_line(value: JSON) -> Line:
    """The record that a line holds; BadLine or DialectError says why there is none."""
    if not isinstance(value, dict):
        raise BadLine("not an object")
    kind = next((each for each in _KINDS if each in value), None)
    if kind is None:
        raise BadLine(f"none of {', '.join(_KINDS)} in it")
    record, cut = _KINDS[kind](value)
    own = EXCHANGE if kind == "request" else frozenset({kind})
    agent, duration = value.get("agent"), _seconds(value.get("duration"), "duration")
    record = msgspec.structs.replace(
        record, agent=_text(agent, "agent") if agent is not None else None, duration=duration
    )
    return Line(record, _began(value.get("started_at")), tuple(sorted(value.keys() - own - SHARED)), cut)


def _exchange(value: Body) -> tuple[Record, bool]:
    dialect, asked, path = _dialect(value), _object(value["request"], "request"), value.get("path")
    request, streamed = decoded_request(addressed(dialect, path, asked) if isinstance(path, str) else asked, dialect)
    given = [key for key in ("response", "sse", "error") if value.get(key) is not None]
    if len(given) > 1:
        raise BadLine(f"more than one of {', '.join(given)} in it")
    record = ModelRecord(id="", request=request, streamed=streamed, fidelity="raw")
    if not given:
        return unanswered(record), False
    if given == ["response"]:
        answer = dialect.decode_response(_object(value["response"], "response"))
        return msgspec.structs.replace(record, response=answer), False
    if given == ["error"]:
        return msgspec.structs.replace(record, error=_error(dialect, _object(value["error"], "error"))), False
    return with_stream(record, dialect, _text(value["sse"], "sse"))


def _dialect(value: Body) -> Dialect:
    api, path = value.get("api"), value.get("path")
    if api is not None:
        found = DIALECTS.get(_text(api, "api"))
    else:
        found = DIALECTS[_api_of(value)] if path is None else dialect_for_path(_text(path, "path"))
    if found is None:
        raise DialectError(f"no dialect for {api or path!r}", hint=f"known: {', '.join(DIALECTS)}")
    return found


def _api_of(value: Body) -> str:
    """The API that the request is one of, or else the answer, where the line does not name it."""
    request = value.get("request")
    for field, api in OWN_FIELDS.items():
        if isinstance(request, dict) and field in request and "messages" not in request:
            return api
    answer, stream, error = value.get("response"), value.get("sse"), value.get("error")
    failed = error.get("body") if isinstance(error, dict) else None
    named = any(isinstance(each, dict) and each.get("type") in ("message", "error") for each in (answer, failed))
    starts = isinstance(stream, str) and _STARTS.search(stream) is not None
    return OTHER_API if named or starts else DEFAULT_API


def _error(dialect: Dialect, error: Body) -> ModelError:
    status = error.get("status")
    if status is not None and (isinstance(status, bool) or not isinstance(status, int)):
        raise BadLine(f"error.status: expected an integer, found {status!r}")
    found = dialect.decode_error(status, error.get("body"))
    message, wait = error.get("message"), _seconds(error.get("retry_after"), "error.retry_after")
    found = msgspec.structs.replace(found, retry_after=wait)
    return msgspec.structs.replace(found, message=message) if isinstance(message, str) else found


def _tool(value: Body) -> tuple[Record, bool]:
    tool = _object(value["tool"], "tool")
    error = tool.get("error")
    outcome = tool.get("outcome", "ok" if error is None else "error")
    if outcome not in get_args(Outcome):
        raise BadLine(f"tool.outcome: {outcome!r} is none of {', '.join(get_args(Outcome))}")
    call_id = tool.get("call_id")
    return ToolRecord(
        id="",
        name=_text(tool.get("name"), "tool.name"),
        arguments=tool.get("arguments"),
        result=tool.get("result"),
        error=None if error is None else _tool_error(error),
        outcome=cast("Outcome", outcome),
        call_id=None if call_id is None else _text(call_id, "tool.call_id"),
        fidelity="raw",
        unknown=() if "result" in tool or error is not None else ("$.result",),
    ), False


def _tool_error(error: JSON) -> ToolError:
    if isinstance(error, str):
        return ToolError(message=error)
    held = _object(error, "tool.error")
    kind = held.get("type")
    return ToolError(
        message=_text(held.get("message"), "tool.error.message"), type=kind if isinstance(kind, str) else None
    )


def _message(value: Body) -> tuple[Record, bool]:
    message = _object(value["message"], "message")
    role = {"assistant": "agent"}.get(str(message.get("role")), message.get("role"))
    if role not in ("user", "system", "agent"):
        raise BadLine(f"message.role: {role!r} is none of user, system, agent")
    said = TextBlock(text=_text(message.get("content"), "message.content"))
    return MessageRecord(id="", role=cast("Literal['user', 'system', 'agent']", role), content=(said,)), False


_KINDS: dict[str, Callable[[Body], tuple[Record, bool]]] = {"request": _exchange, "tool": _tool, "message": _message}


def _began(value: JSON) -> float | None:
    """Seconds since 1970, given as such or in RFC 3339; a time without an offset is UTC."""
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return _seconds(value, "started_at")
    try:
        when = datetime.fromisoformat(_text(value, "started_at"))
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError) as error:
        raise BadLine(f"started_at: {value!r} is no time") from error


def _seconds(value: JSON, name: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e12:
        raise BadLine(f"{name}: expected seconds, found {value!r}")
    return float(value)


def _object(value: JSON, name: str) -> Body:
    if not isinstance(value, dict):
        raise BadLine(f"{name}: expected an object, found {type(value).__name__}")
    return value


def _text(value: JSON, name: str) -> str:
    if not isinstance(value, str):
        raise BadLine(f"{name}: expected a text, found {type(value).__name__}")
    return value
