"""The shape of all other runs: JSON Lines, a header and then a step a line. SAP steps and API probes are kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from runwright.dialects.fields import object_at, text_at
from runwright.errors import DialectError, ReaderError
from runwright.readers.exact import NotJson, parse_json
from runwright.readers.flowproof.keys import left_out
from runwright.readers.flowproof.numbered import numbered
from runwright.readers.flowproof.probe import is_probe, probe_record
from runwright.readers.flowproof.sap import SapSession
from runwright.readers.header import header_of
from runwright.readers.input import Input, digest_of, text_body
from runwright.readers.lines import file_name
from runwright.readers.reading import Reading
from runwright.secrets.shortened import shortened
from runwright.trace import with_edges
from runwright.trace.model import JSON, FaultRecord, Origin, Record, Trace

FORMAT = "flowproof-trace"
VERSION = 1
SAP = "sap-com"
KEPT = ("trace_id", "spec", "app", "apps", "env")
"""Header fields that `header.ext.flowproof` keeps."""

HEADER_FIELDS = ("format", "version", "recorded_at", *KEPT)
STEP_FIELDS = ("id", "intent", "surface", "action", "selectors", "sync", "artifacts")
HIDES = ("side_effect", "http")
NOT_KEPT = "the other selectors, the waits and the pictures of steps"


class Step(NamedTuple):
    """A step, where it stands, and the adapter that drove it."""

    body: dict[str, JSON]
    place: str
    adapter: str


def steps_trace(source: Input) -> Trace:
    """The trace of a file of steps. ReaderError for a format, a version or an application that is not read."""
    reading, name = Reading(), file_name(source)
    lines = text_body(source.data).split(b"\n")
    header = _header(lines[0], name)
    faults: list[FaultRecord] = []
    steps = list(_steps(lines, name, _adapters(header), reading, faults))
    records = numbered([*_records(steps, reading), *faults])
    if all(isinstance(record, FaultRecord) for record in records):
        raise _nothing(header, name)
    reading.lose("dropped", NOT_KEPT)
    left_out(header, HEADER_FIELDS, f"{name}:1: $", reading)
    made = header_of(
        records,
        losses=reading.losses(),
        source=Origin(format="flowproof", tool="flowproof", version=str(VERSION), digest=digest_of([source])),
        agent=None,
        started_at=_moment(header.get("recorded_at")),
    )
    watched = {**made.observation, "sap_transaction": "imported"} if _has_sap(header) else made.observation
    kept: dict[str, JSON] = {"flowproof": {key: header[key] for key in KEPT if header.get(key) is not None}}
    made = msgspec.structs.replace(made, ext=kept, observation=watched)
    return Trace(header=made, records=with_edges(records))


def _header(line: bytes, name: str) -> dict[str, JSON]:
    place = f"{name}:1"
    try:
        value = parse_json(line, lambda _: None)
    except NotJson as error:
        raise ReaderError(f"no JSON: {shortened(str(error), 200)}", place=place) from error
    header = value if isinstance(value, dict) else {}
    if header.get("format") != FORMAT:
        hint = f"the format read is {FORMAT!r}"
        raise ReaderError(f"a trace of format {header.get('format')!r}", place=f"{place}: $.format", hint=hint)
    version = header.get("version")
    if version != VERSION or isinstance(version, bool):
        hint = f"version {VERSION} is read; upgrade runwright for a newer one"
        raise ReaderError(f"version {version!r} of {FORMAT} is not known", place=f"{place}: $.version", hint=hint)
    return header


def _adapters(header: Mapping[str, JSON]) -> dict[str, str]:
    """The adapter of each surface; that of a run with one application stands under the empty name."""
    apps = header.get("apps")
    found = {name: _adapter(app) for name, app in apps.items()} if isinstance(apps, dict) else {}
    return {**found, "": _adapter(header.get("app"))}


def _adapter(app: JSON) -> str:
    found = app.get("adapter") if isinstance(app, dict) else None
    return found if isinstance(found, str) else "unknown"


def _has_sap(header: Mapping[str, JSON]) -> bool:
    return SAP in _adapters(header).values()


def _steps(
    lines: list[bytes], name: str, adapters: Mapping[str, str], reading: Reading, faults: list[FaultRecord]
) -> Iterator[Step]:
    """The steps that can be read; each line that cannot is a loss, and a fault because it may hide anything."""
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        place = f"{name}:{number}"
        try:
            body = object_at(_exact(line), "$")
            left_out(body, STEP_FIELDS, f"{place}: $", reading)
            surface = text_at(body.get("surface", ""), "$.surface")
            object_at(body.get("action"), "$.action")
        except (NotJson, DialectError) as error:
            reading.lose("malformed", shortened(str(error), 300), place)
            faults.append(FaultRecord(id="", kind="truncation", detail=f"line {place} is no step", hides=HIDES))
            continue
        yield Step(body, place, adapters.get(surface, "unknown"))


def _exact(line: bytes) -> JSON:
    changes: list[str] = []
    value = parse_json(line, changes.append)
    if changes:
        raise NotJson(f"cannot be kept as it was: {changes[0]}")
    return value


def _records(steps: list[Step], reading: Reading) -> Iterator[Record]:
    session = SapSession()
    for step in steps:
        action = object_at(step.body["action"], "$.action")
        if is_probe(action):
            record: Record | None = probe_record(action, step.place, reading)
        elif step.adapter == SAP:
            record = session.effect_of(step.body, step.place, reading)
        else:
            told = f"a step on an application of adapter {step.adapter!r}: only SAP steps and API probes are kept"
            reading.lose("unsupported", told, step.place)
            record = None
        if record is not None:
            yield msgspec.structs.replace(record, t=_began(step.body))


def _began(step: Mapping[str, JSON]) -> float | None:
    """Seconds into the recording, where the step has a picture of it."""
    artifacts = step.get("artifacts")
    recording = artifacts.get("recording") if isinstance(artifacts, dict) else None
    start = recording.get("start_ms") if isinstance(recording, dict) else None
    return start / 1000 if isinstance(start, int) and not isinstance(start, bool) and start >= 0 else None


def _nothing(header: Mapping[str, JSON], name: str) -> ReaderError:
    app = header.get("app")
    called = app.get("name") if isinstance(app, dict) else None
    adapters = ", ".join(dict.fromkeys(_adapters(header).values()))
    return ReaderError(
        f"no step of it can be kept: a run of app {called!r} (adapter {adapters})",
        place=name,
        hint="SAP steps, API probes and the documents of agent runs are read",
    )


def _moment(value: JSON) -> str | None:
    """The time in UTC, as our header wants it."""
    try:
        when = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    if when is None or when.tzinfo is None:
        return None
    return when.astimezone(UTC).isoformat().replace("+00:00", "Z")
