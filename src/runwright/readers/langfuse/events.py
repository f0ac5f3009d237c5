"""The batches that Langfuse's clients send: events that create observations and update them, as rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from runwright.readers.langfuse.row import Object, Row, text_field
from runwright.readers.lenient import a_text, an_object, objects
from runwright.readers.reading import Reading
from runwright.secrets.shortened import shortened
from runwright.trace.model import JSON

SENT = re.compile(rb'"type"\s*:\s*"(?:trace|span|generation|event|observation)-(?:create|update)"')
EVENT = re.compile(r"(trace|span|generation|event|observation)-(?:create|update)")
OF_ITS_OWN = ("trace", "observation")
"""Kinds of events whose body tells its type, or needs none."""

ASKED = "requestedModel"
"""The model of the event that created a generation; a later one names that of the reply."""


def is_batch(document: Object) -> bool:
    """Whether it is the body of a request with events."""
    held = objects(document.get("batch"))
    return bool(held) and all("type" in each and "body" in each for each in held[:1])


def events_of(document: Object, place: str, reading: Reading) -> Iterator[Row]:
    """What each event of a batch tells of its trace or observation: a part of the row."""
    for number, event in enumerate(objects(document.get("batch"))):
        body, where = an_object(event.get("body")), f"{place}: event {number}"
        kind = EVENT.fullmatch(a_text(event.get("type")))
        if kind is None:
            reading.lose("dropped", f"events of the type {shortened(a_text(event.get('type')), 40) or 'none'}", where)
        elif not text_field(body, "id"):
            reading.lose("malformed", "an event about nothing that has an id", where)
        else:
            yield Row(
                body if kind.group(1) in OF_ITS_OWN else {**body, "type": kind.group(1).upper()}, where, part=True
            )


def joined(parts: Iterable[Row]) -> tuple[Row, ...]:
    """Each trace and observation with all that its events tell; what is told later counts, unless it tells nothing."""
    found: dict[tuple[str, str], Row] = {}
    for part in parts:
        key = (text_field(part.fields, "traceId"), text_field(part.fields, "id"))
        known = found.get(key)
        found[key] = _both(known, part) if known else part
    return tuple(found.values())


def _both(known: Row, more: Row) -> Row:
    told = {key: each for key, each in more.fields.items() if each not in (None, "", {}, [])}
    model: JSON = known.fields.get(ASKED) or known.fields.get("model")
    asked = {ASKED: model} if model else {}
    return msgspec.structs.replace(known, fields={**known.fields, **told, **asked})
