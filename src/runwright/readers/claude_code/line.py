"""One line of a session file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from runwright.readers.assembled import seconds_of
from runwright.readers.input import Input
from runwright.readers.lenient import a_text, an_object, objects
from runwright.readers.lines import json_lines
from runwright.readers.reading import Reading
from runwright.secrets.shortened import shortened
from runwright.trace.model import JSON

SPEAKERS = ("user", "assistant")
KEPT = (*SPEAKERS, "system", "summary", "attachment", "progress")
"""Types of lines that something is taken from."""


class Line(msgspec.Struct, frozen=True):
    """A line with what places it among the others: ids, branch, subagent, session and time.

    `parts` are the content blocks of its message, `results` those that hand back tool results.
    """

    fields: dict[str, JSON]
    place: str
    file: str
    kind: str
    uuid: str
    parent: str
    logical: str
    side: bool
    agent: str
    session: str
    at: float | None
    message: dict[str, JSON]
    parts: Sequence[dict[str, JSON]]
    results: Sequence[dict[str, JSON]]

    @property
    def reply(self) -> str:
        """What the lines of one reply share."""
        return a_text(self.message.get("id")) or self.uuid or self.place


def lines_of(files: Sequence[Input], reading: Reading) -> Iterator[Line]:
    """The lines of these files; what is no object, or of an unknown type, is a loss."""
    for file in files:
        for located in json_lines(file, reading):
            fields = located.value
            if not isinstance(fields, dict):
                reading.lose("malformed", "a line that is no JSON object", located.place)
                continue
            kind = a_text(fields.get("type"))
            if kind not in KEPT:
                reading.lose("dropped", f"lines of the type {shortened(kind, 60)!r}", located.place)
            if kind in KEPT or "uuid" in fields:  # the others may follow it
                yield _line(fields, kind, located.place, file.name)


def _line(fields: dict[str, JSON], kind: str, place: str, file: str) -> Line:
    message = an_object(fields.get("message"))
    parts = objects(message.get("content"))
    return Line(
        fields=fields,
        place=place,
        file=file,
        kind=kind,
        uuid=a_text(fields.get("uuid")),
        parent=a_text(fields.get("parentUuid")),
        logical=a_text(fields.get("logicalParentUuid")),
        side=fields.get("isSidechain") is True,
        agent=a_text(fields.get("agentId")),
        session=a_text(fields.get("sessionId")),
        at=seconds_of(fields.get("timestamp")),
        message=message,
        parts=parts,
        results=[each for each in parts if each.get("type") == "tool_result"],
    )
