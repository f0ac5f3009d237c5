"""Tool calls with what came of them, and the files that they wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from runwright.readers.assembled import Found
from runwright.readers.claude_code.line import Line
from runwright.readers.lenient import a_list, a_text, an_object, objects
from runwright.readers.written import written
from runwright.trace.model import JSON, Outcome, SideEffect, SideEffectRecord, ToolError, ToolRecord

Object = dict[str, JSON]
DENIED = ("The user doesn't want to ", "Permission to use ", "Claude requested permissions ", "User rejected ")
INTERRUPTED = "[Request interrupted by user"
TAG = re.compile(r"</?tool_use_error>")
SHORT = 80
"""Characters of a detail of a tool's own result that are kept beside the text that the model got."""
TOLD = (
    "filePath",
    "content",
    "oldString",
    "newString",
    "originalFile",
    "userModified",
    "replaceAll",
    "stdout",
    "stderr",
)
"""Details that the arguments, the result or the side effect hold."""


class Asked(msgspec.Struct, frozen=True):
    """A tool call: where it stands, what its record is called, whose it is and the reply that it came from."""

    at: int
    part: Object
    line: Line
    key: str
    agent: str | None

    @property
    def parent(self) -> str:
        """The key of the reply."""
        return f"reply {self.line.reply}"


def tool_of(call: Asked, result: Object | None = None, answer: Line | None = None) -> Found:
    """The record of a call, with its result if the file holds one."""
    part = call.part
    own = answer.fields.get("toolUseResult") if answer is not None and len(answer.results) == 1 else None
    outcome, error = _outcome(result or {}, own)
    record = ToolRecord(
        id="",
        name=a_text(part.get("name")),
        arguments=part.get("input"),
        result=None if result is None else _content(result.get("content")),
        error=error,
        outcome=outcome,
        call_id=a_text(part.get("id")) or None,
        fidelity="partial" if result is None else "reconstructed",
        unknown=("$.result", "$.outcome") if result is None else (),
        agent=call.agent,
        ext={"source": call.line.place, **_details(own)},
    )
    ended = answer.at if answer else None
    return Found(record=record, key=call.key, parent=call.parent, began=call.line.at, ended=ended)


def effect_of(answer: Line, call: Asked) -> Iterator[Found]:
    """The file that a call wrote, as its result tells it."""
    effect = _written(an_object(answer.fields.get("toolUseResult"))) if len(answer.results) == 1 else None
    if effect is not None:
        record = SideEffectRecord(id="", side_effect=effect, agent=call.agent, ext={"source": answer.place})
        yield Found(record=record, parent=call.key, cause=call.key, began=answer.at)


def _content(content: JSON) -> JSON:
    """What the model got: its text where it is one text."""
    parts = objects(content)
    if len(parts) == 1 and parts[0].get("type") == "text":
        return parts[0].get("text")
    return content


def _outcome(result: Object, own: JSON) -> tuple[Outcome, ToolError | None]:
    said = _text(result.get("content"))
    if said.startswith(INTERRUPTED) or an_object(own).get("interrupted") is True:
        return "error", ToolError(message=said or "interrupted", type="interrupted")
    if result.get("is_error") is not True:
        return "ok", None
    if said.startswith(DENIED) or a_text(own).removeprefix("Error: ").startswith(DENIED):
        return "denied", ToolError(message=said, type="denied")
    kind = "tool_use_error" if TAG.match(said) else None
    return "error", ToolError(message=TAG.sub("", said), type=kind)


def _text(content: JSON) -> str:
    return a_text(content) or "\n".join(a_text(part.get("text")) for part in objects(content))


def _details(own: JSON) -> Object:
    """What the tool's own result says in a word: exit states, counts, durations."""
    short = {key: each for key, each in an_object(own).items() if key not in TOLD and _is_short(each)}
    return {"tool_result": short} if short else {}


def _is_short(value: JSON) -> bool:
    return isinstance(value, (bool, int, float)) or (isinstance(value, str) and 0 < len(value) <= SHORT)


# --- files ---------------------------------------------------------------------------------------


def _written(own: Object) -> SideEffect | None:
    notebook = own.get("notebook_path")
    if isinstance(notebook, str) and "updated_file" in own:
        before, after = own.get("original_file"), own.get("updated_file")
        return written(notebook, "edit", before=_or_none(before), after=_or_none(after))
    path = own.get("filePath")
    if not isinstance(path, str) or not ("structuredPatch" in own or own.get("type") in ("create", "update")):
        return None
    before = _or_none(own.get("originalFile", own.get("originalFileContents")))
    diff = _diff(own.get("structuredPatch"))
    if "content" in own:
        op = "create" if own.get("type") == "create" else "edit"
        return written(path, op, before=before, after=_or_none(own["content"]), diff=diff)
    edits = objects(own.get("edits")) or [own]
    created = not before and all(_old(edit) == "" for edit in edits)
    return written(path, "create" if created else "edit", before=before, after=_edited(before, edits, own), diff=diff)


def _old(edit: Object) -> str | None:
    return _or_none(edit.get("old_string", edit.get("oldString")))


def _edited(before: str | None, edits: list[Object], own: Object) -> str | None:
    """The file after its edits; None where that does not follow from what is told."""
    if before is None or own.get("userModified") is True:
        return None
    for edit in edits:
        old, new = _old(edit), edit.get("new_string", edit.get("newString"))
        everywhere = edit.get("replace_all", edit.get("replaceAll")) is True
        if not isinstance(old, str) or not isinstance(new, str) or old not in before:
            return None
        before = new if old == "" else before.replace(old, new, -1 if everywhere else 1)
    return before


def _diff(patch: JSON) -> str | None:
    """The hunks as a unified diff."""
    hunks = [_hunk(each) for each in objects(patch)]
    return "\n".join(hunks) + "\n" if hunks and all(hunks) else None


def _hunk(hunk: Object) -> str:
    numbers = [hunk.get(key) for key in ("oldStart", "oldLines", "newStart", "newLines")]
    lines = a_list(hunk.get("lines"))
    if not all(isinstance(each, int) for each in numbers) or not all(isinstance(each, str) for each in lines):
        return ""
    start, count, new_start, new_count = numbers
    return "\n".join((f"@@ -{start},{count} +{new_start},{new_count} @@", *map(str, lines)))


def _or_none(value: JSON) -> str | None:
    return value if isinstance(value, str) else None
