"""The shape of an agent's run: one JSON document with what crossed each boundary."""

from __future__ import annotations

import msgspec

from runwright.dialects.fields import list_at, object_at, refuse
from runwright.errors import ReaderError
from runwright.readers.flowproof.conversation import deliveries_of, with_deliveries
from runwright.readers.flowproof.effects import egress_records, observed_effects
from runwright.readers.flowproof.kept import header_ext
from runwright.readers.flowproof.keys import left_out
from runwright.readers.flowproof.mcp import mcp_records
from runwright.readers.flowproof.numbered import numbered
from runwright.readers.flowproof.turn import Turns
from runwright.readers.header import header_of
from runwright.readers.input import Input, digest_of
from runwright.readers.lines import file_name
from runwright.readers.reading import Reading
from runwright.readers.speech import with_speech
from runwright.trace import with_edges
from runwright.trace.model import (
    JSON,
    FaultRecord,
    ModelRecord,
    Origin,
    Record,
    Trace,
)

DOCUMENT_KEYS = frozenset({"app", "mocks", "cassette", "mcp", "egress", "side_effects"})
VERSIONED = ("format", "version", "schema_version")


def document_trace(source: Input, value: JSON) -> Trace:
    """The trace of a document; DialectError names the place of a value of the wrong kind."""
    reading = Reading()
    document = object_at(value, "$")
    _check_kind(document, file_name(source))
    exchanges = _exchanges(document, reading)
    observed = observed_effects(document.get("side_effects"), reading)
    records = numbered(
        [
            *exchanges,
            *mcp_records(document.get("mcp"), reading),
            *egress_records(document.get("egress"), reading),
            *observed.records,
            *_unread(document, reading),
        ]
    )
    spoken = _spoken(document, records, reading)
    header = header_of(
        spoken,
        losses=reading.losses(),
        source=Origin(format="flowproof", tool="flowproof", digest=digest_of([source])),
        agent=None,
    )
    observation = {**header.observation, **observed.observation}
    header = msgspec.structs.replace(header, ext=header_ext(document, exchanges), observation=observation)
    return Trace(header=header, records=with_edges(spoken))


def _check_kind(document: dict[str, JSON], name: str) -> None:
    for key in VERSIONED:
        if key in document:
            hint = "documents of agent runs carry no version so far: this one may mean something else"
            raise ReaderError(f"$.{key} is {document[key]!r}, which this reader does not know", place=name, hint=hint)
    app = document.get("app")
    if app != "agent":
        hint = "the document shape is read for 'app: agent' only"
        raise ReaderError(f"a document of app {app!r}, not of an agent's run", place=f"{name}: $.app", hint=hint)


def _exchanges(document: dict[str, JSON], reading: Reading) -> list[ModelRecord]:
    cassette = object_at(document.get("cassette"), "$.cassette")
    left_out(cassette, ("turns", "deliveries"), "$.cassette", reading)
    turns = list_at(cassette.get("turns"), "$.cassette.turns")
    if not turns:
        raise refuse("$.cassette.turns", "no model exchange in it")
    read = Turns(reading)
    return [read.exchange_of(turn, f"$.cassette.turns[{at}]") for at, turn in enumerate(turns)]


def _spoken(document: dict[str, JSON], records: tuple[Record, ...], reading: Reading) -> tuple[Record, ...]:
    """The records with what the user and the agent said: as the deliveries tell, else as the requests show."""
    cassette = object_at(document["cassette"], "$.cassette")
    deliveries = deliveries_of(cassette, reading)
    return with_deliveries(records, deliveries) if deliveries else with_speech(records)


def _unread(document: dict[str, JSON], reading: Reading) -> list[FaultRecord]:
    """A fault for each part of the document that this reader does not know: nobody can say what it shows."""
    unread = sorted(document.keys() - DOCUMENT_KEYS)
    for key in unread:
        reading.lose("unsupported", f"the part {key!r} of the document", f"$.{key}")
    return [
        FaultRecord(id="", kind="observer_failed", detail=f"the part {key!r} of the recording is not read")
        for key in unread
    ]
