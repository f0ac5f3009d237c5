"""Model calls that failed: each attempt is written down, and the message that the CLI shows at last."""

from __future__ import annotations

import re

from runwright.readers.claude_code.line import Line
from runwright.readers.conversation import Turn
from runwright.readers.lenient import a_number, a_text, an_object
from runwright.trace.model import JSON, Message, ModelError

STATUS = re.compile(r"\bAPI Error:? ?\(?(?:[a-z ]*?)(\d{3})\b")


def failed(line: Line, agent: str | None, parent: str) -> Turn | None:
    """The failed call that a line tells of, if it does."""
    if line.kind == "assistant" and line.fields.get("isApiErrorMessage") is True:
        return _turn(line, _shown(line), agent, parent)
    if line.kind == "system" and line.fields.get("subtype") == "api_error":
        return _turn(line, _attempt(line), agent, parent)
    return None


def _turn(line: Line, error: ModelError, agent: str | None, parent: str) -> Turn:
    return Turn(
        message=Message(role="assistant"),
        error=error,
        key=f"error {line.uuid or line.place}",
        began=line.at,
        agent=agent,
        parent=parent,
        ext={"source": line.place},
    )


def _shown(line: Line) -> ModelError:
    text = "".join(a_text(part.get("text")) for part in line.parts)
    found = STATUS.search(text)
    return ModelError(
        message=text or "the call failed",
        status=int(found.group(1)) if found else None,
        kind=a_text(line.fields.get("error")) or None,
    )


def _attempt(line: Line) -> ModelError:
    error = line.fields.get("error")
    told = an_object(error)
    inner: JSON = error
    for _ in range(4):
        inner = an_object(inner).get("error", inner)
    status = told.get("status")
    after = a_number(line.fields.get("retryInMs"))
    return ModelError(
        message=a_text(an_object(inner).get("message")) or a_text(inner) or a_text(told.get("message")) or "it failed",
        status=status if isinstance(status, int) and not isinstance(status, bool) and 100 <= status < 600 else None,
        kind=a_text(an_object(inner).get("type")) or None,
        body=told.get("error"),
        retry_after=after / 1000 if after > 0 else None,
    )
