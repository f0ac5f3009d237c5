"""The lines of a rollout: in an envelope with a time, or, in older files, bare."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from runwright.readers.assembled import seconds_of
from runwright.readers.lenient import a_text, an_object
from runwright.readers.lines import Located
from runwright.readers.reading import Reading
from runwright.secrets.shortened import shortened
from runwright.trace.model import JSON

ENVELOPES = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")


class Event(msgspec.Struct, frozen=True):
    """A line: its kind, what it holds, and when it was written."""

    kind: str
    payload: dict[str, JSON]
    place: str
    at: float | None


def events(lines: list[Located], reading: Reading) -> Iterator[Event]:
    """The lines of both shapes as events; those of no known kind are losses."""
    for line in lines:
        fields = line.value
        if not isinstance(fields, dict):
            reading.lose("malformed", "a line that is no JSON object", line.place)
            continue
        kind, at = a_text(fields.get("type")), seconds_of(fields.get("timestamp"))
        if "payload" in fields:
            if kind in ENVELOPES:
                yield Event(kind, an_object(fields["payload"]), line.place, at)
            else:
                reading.lose("dropped", f"lines of the type {shortened(kind, 60)!r}", line.place)
        elif kind or "role" in fields:
            yield Event("response_item", fields, line.place, at)
        elif "id" in fields:
            yield Event("session_meta", fields, line.place, at)
        elif fields.get("record_type") != "state":
            reading.lose("dropped", "lines of no known type", line.place)
