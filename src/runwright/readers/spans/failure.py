"""How a span says that its operation failed."""

from __future__ import annotations

import re

from runwright.readers.spans.numbers import integer
from runwright.readers.spans.printed import printed_object
from runwright.readers.spans.span import Event, Span
from runwright.trace.model import JSON, ModelError, ToolError

STATUS_OF = {
    "BadRequestError": 400,
    "AuthenticationError": 401,
    "PermissionDeniedError": 403,
    "NotFoundError": 404,
    "ConflictError": 409,
    "UnprocessableEntityError": 422,
    "RateLimitError": 429,
    "InternalServerError": 500,
    "OverloadedError": 529,
}
"""The statuses that the official clients name their errors after."""

CODE = re.compile(r"(?:Error code|status_code|status code|HTTP)[:= ]+(\d{3})\b")


def model_error(span: Span) -> ModelError | None:
    """The failure of a model call; None where the span says it went well."""
    thrown = _exception(span)
    if not span.failed and thrown is None and not span.text("error.type"):
        return None
    message, kind = _message(span, thrown), _kind(span, thrown)
    return ModelError(message=message, status=_status(span, message, kind), kind=kind or None, body=_body(message))


def tool_error(span: Span) -> ToolError | None:
    """The failure of a tool call."""
    thrown = _exception(span)
    if not span.failed and thrown is None and not span.text("error.type"):
        return None
    return ToolError(message=_message(span, thrown), type=_kind(span, thrown) or None)


def _exception(span: Span) -> Event | None:
    return next((event for event in span.events if event.name == "exception"), None)


def _message(span: Span, thrown: Event | None) -> str:
    told = thrown.attributes.get("exception.message") if thrown else None
    return told if isinstance(told, str) and told else span.status or _kind(span, thrown) or "failed"


def _kind(span: Span, thrown: Event | None) -> str:
    told = thrown.attributes.get("exception.type") if thrown else None
    return span.text("error.type") or (told if isinstance(told, str) else "")


def _status(span: Span, message: str, kind: str) -> int | None:
    for key in ("http.response.status_code", "http.status_code"):
        found = integer(span.attributes.get(key))
        if found is not None and found >= 400:
            return found
    coded = CODE.search(message)
    if coded or kind.isdigit():
        return int(coded.group(1) if coded else kind[:3])
    return STATUS_OF.get(kind.rsplit(".", 1)[-1])


def _body(message: str) -> JSON:
    """The body that the official client prints after the status, as Python writes a dict."""
    _, dash, printed = message.partition(" - ")
    return printed_object(printed) if dash else None
