"""The shape of an agent's run: one JSON document with what crossed each boundary."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

import msgspec

from runwright.dialects.fields import list_at, object_at, refuse
from runwright.errors import ReaderError
from runwright.readers.flowproof.conversation import deliveries_of, with_deliveries
from runwright.readers.flowproof.effects import EGRESS_TERMS, egress_records, observed_effects
from runwright.readers.flowproof.keys import left_out
from runwright.readers.flowproof.mcp import mcp_mocks, mcp_records
from runwright.readers.flowproof.turn import exchange_of
from runwright.readers.header import header_of
from runwright.readers.input import Input, digest_of
from runwright.readers.lines import file_name
from runwright.readers.reading import Reading
from runwright.readers.speech import with_speech
from runwright.trace import with_edges
from runwright.trace.model import (
    ID_LETTER,
    JSON,
    FaultRecord,
    Header,
    ModelRecord,
    Observation,
    Origin,
    Record,
    Trace,
    lane_of,
)

DOCUMENT_KEYS = frozenset({"app", "mocks", "cassette", "mcp", "egress", "side_effects"})
VERSIONED = ("format", "version", "schema_version")
TERMS = (*EGRESS_TERMS, "observation")
"""Under which terms a boundary was watched: kept as they are told."""

MOCKS = "mocks"
"""The key under `header.ext.flowproof` that holds the tool results the recording stood in with."""


def document_trace(source: Input, value: JSON) -> Trace:
    """The trace of a document; DialectError names the place of a value of the wrong kind."""
    reading = Reading()
    document = object_at(value, "$")
    _check_kind(document, file_name(source))
    exchanges = _exchanges(document, reading)
    observed = observed_effects(document.get("side_effects"), reading)
    records = _numbered(
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
    return Trace(header=_header(header, document, observed.observation), records=with_edges(spoken))


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
    return [exchange_of(turn, f"$.cassette.turns[{at}]", reading) for at, turn in enumerate(turns)]


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


def _header(header: Header, document: dict[str, JSON], observation: dict[str, Observation]) -> Header:
    kept: dict[str, JSON] = {}
    mocks = object_at(document.get("mocks", {}), "$.mocks")
    if mocks:
        kept[MOCKS] = mocks
    served = mcp_mocks(document.get("mcp"))
    if served:
        kept["mcp_mocks"] = served
    for name in ("egress", "side_effects"):
        terms = {key: each for key, each in object_at(document.get(name, {}), f"$.{name}").items() if key in TERMS}
        if terms:
            kept[name] = terms
    ext: dict[str, JSON] = {"flowproof": kept} if kept else {}
    return msgspec.structs.replace(header, ext=ext, observation={**header.observation, **observation})


def _numbered(records: Iterable[Record]) -> tuple[Record, ...]:
    """The records with ids in the order of their lanes."""
    counters = {lane: count(1) for lane in ID_LETTER}
    return tuple(_with_id(record, counters) for record in records)


def _with_id(record: Record, counters: dict[str, count[int]]) -> Record:
    lane = lane_of(record)
    return msgspec.structs.replace(record, id=f"{ID_LETTER[lane]}{next(counters[lane])}")


def mocks_of(header: Header) -> dict[str, JSON]:
    """The tool results that the recording stood in with, by tool."""
    kept = header.ext.get("flowproof")
    mocks = kept.get(MOCKS) if isinstance(kept, dict) else None
    return dict(mocks) if isinstance(mocks, dict) else {}
