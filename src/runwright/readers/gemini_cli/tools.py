"""Tool calls as Gemini CLI keeps them: with status, result, and what it showed of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from runwright.readers.assembled import Found, seconds_of
from runwright.readers.blocks import call, result
from runwright.readers.exact import compact
from runwright.readers.lenient import a_text, an_object, objects
from runwright.readers.written import written
from runwright.trace.model import (
    JSON,
    Outcome,
    SideEffect,
    SideEffectRecord,
    TextBlock,
    ToolCallBlock,
    ToolError,
    ToolRecord,
    ToolResultBlock,
)

Object = dict[str, JSON]
ENDED = ("success", "error", "cancelled")


class Called(NamedTuple):
    """A call of a message, with an id, and what the model was told of it; None where the file does not hold that."""

    asked: Object
    result: ToolResultBlock | None

    @property
    def ended(self) -> bool:
        """Whether the model was told something of it."""
        return self.asked.get("status") in ENDED or self.result is not None


def called_in(message: Object, identity: str) -> tuple[Called, ...]:
    """The calls of a message; one without an id goes by its place."""
    calls = ({**each, "id": a_text(each.get("id")) or f"{identity}:{at}"}
             for at, each in enumerate(objects(message.get("toolCalls"))))  # fmt: skip
    return tuple(Called(each, _result_of(each)) for each in calls)


def block_of(asked: Object) -> ToolCallBlock:
    """The call as the reply had it."""
    return call(a_text(asked.get("id")), a_text(asked.get("name")), asked.get("args"))


def _result_of(asked: Object) -> ToolResultBlock | None:
    """What the model was told of a call; None where the file does not hold it."""
    responses = _responses(asked)
    if not responses:
        return None
    identity, name = a_text(asked.get("id")), a_text(asked.get("name"))
    told = responses[0].get("response")
    if isinstance(told, dict):
        return ToolResultBlock(call_id=identity, content=(TextBlock(text=compact(told)),), extra={"name": name})
    return result(identity, told)[0]


def unseen_result_of(asked: Object) -> ToolResultBlock:
    """What the model was told of a call that ended, where the file does not hold it."""
    return ToolResultBlock(call_id=a_text(asked.get("id")), extra={"name": a_text(asked.get("name"))})


def records_of(asked: Object, reply: str, agent: str | None, place: str) -> Iterator[Found]:
    """The record of a call, and the file that it wrote."""
    key = f"call {a_text(asked.get('id'))}"
    at = seconds_of(asked.get("timestamp"))
    yield Found(record=_tool(asked, agent, place), key=key, parent=reply, began=at)
    effect = _written(asked) if asked.get("status") == "success" else None
    if effect is not None:
        record = SideEffectRecord(id="", side_effect=effect, agent=agent, ext={"source": place})
        yield Found(record=record, parent=key, cause=key, began=at)


def _tool(asked: Object, agent: str | None, place: str) -> ToolRecord:
    responses, status = _responses(asked), a_text(asked.get("status"))
    outcome, error = _outcome(status, responses)
    unknown = (*(() if responses else ("$.result",)), *(() if status in ENDED else ("$.outcome",)))
    return ToolRecord(
        id="",
        name=a_text(asked.get("name")),
        arguments=asked.get("args"),
        result=_output(responses[0].get("response")) if responses else None,
        outcome=outcome,
        error=error,
        call_id=a_text(asked.get("id")) or None,
        agent=agent,
        fidelity="partial" if unknown else "reconstructed",
        unknown=unknown,
        ext={"source": place},
    )


def _responses(asked: Object) -> list[Object]:
    """The function responses among the parts of a result."""
    told = asked.get("result")
    parts = objects(told) if isinstance(told, list) else objects([told])
    return [an_object(part["functionResponse"]) for part in parts if isinstance(part.get("functionResponse"), dict)]


def _output(response: JSON) -> JSON:
    """What the tool returned: the CLI puts it under a name of its own."""
    fields = an_object(response)
    only = next(iter(fields)) if len(fields) == 1 else ""
    return fields[only] if only in ("output", "error") else response


def _outcome(status: str, responses: list[Object]) -> tuple[Outcome, ToolError | None]:
    if status not in ("error", "cancelled"):
        return "ok", None
    told = an_object(responses[0].get("response")).get("error") if responses else None
    message = told if isinstance(told, str) and told else status
    return ("denied", ToolError(message=message, type="cancelled")) if status == "cancelled" else (
        "error", ToolError(message=message)
    )  # fmt: skip


def _written(asked: Object) -> SideEffect | None:
    """The file of a shown diff."""
    shown = an_object(asked.get("resultDisplay"))
    if "fileDiff" not in shown:
        return None
    given = an_object(asked.get("args"))
    named = (shown.get("filePath"), given.get("file_path"), given.get("absolute_path"), shown.get("fileName"))
    path = next((each for each in named if isinstance(each, str) and each), "")
    before, after, diff = shown.get("originalContent"), shown.get("newContent"), shown.get("fileDiff")
    created = shown.get("isNewFile") is True or ("originalContent" in shown and before is None)
    return written(
        path,
        "create" if created else "edit",
        before=before if isinstance(before, str) and not created else None,
        after=after if isinstance(after, str) else None,
        diff=diff if isinstance(diff, str) else None,
    )
