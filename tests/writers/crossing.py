"""Writing a trace, reading it back, and taking away on both sides what the writer said it loses."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import orjson
import pytest

from runwright.errors import ReaderError
from runwright.readers import READERS, Input, read_foreign
from runwright.trace import Trace, lane_of, loads_trace, parse_path, plain
from runwright.trace.jsonl import dumps_trace
from runwright.writers import WRITERS, Written

LOST = object()


def crossed(trace: Trace, form: str) -> Written:
    """What is read back equals the trace, but for the places that the losses name: asserted."""
    written = WRITERS[form].write(trace)
    places = places_of(written)
    mine = [each for each in trace.records if () not in places.get(each.id, [])]
    if not mine or (READERS[form].models and not any(lane_of(each) == "model" for each in mine)):
        with pytest.raises(ReaderError):
            read_foreign([Input("it", written.data)], form)
        return written
    assert READERS[form].sniff(written.data[:65536])
    (run,) = READERS[form].read([Input("it", written.data)])
    loads_trace(dumps_trace(run.trace))
    anew = ("message", "tool") if form == "atif" else ("message",)
    theirs = [each for each in run.trace.records if lane_of(each) not in anew]
    mine = in_written_order(mine, form, written.data)
    assert [lane_of(each) for each in mine] == [lane_of(each) for each in theirs]
    renamed = {one.id: other.id for one, other in zip(mine, theirs, strict=True)}
    for one, other in zip(mine, theirs, strict=True):
        lost = places.get(one.id, [])
        given = without(placed(plain(one), trace), [*lost, ("ext", "source")])
        found = placed(plain(other), run.trace)
        if "parent" in given:
            given["parent"] = renamed.get(given["parent"], given["parent"])
        found["ext"] = {key: each for key, each in found.get("ext", {}).items() if key in one.ext}
        assert given == without(found, lost), one.id
    header, read = plain(trace.header), plain(run.trace.header)
    for field in ("kind", "lineage", "ext", "agent"):
        if (field,) not in places.get("header", []):
            assert header.get(field) == read.get(field), field
    return written


def places_of(written: Written) -> dict[str, list[tuple[Any, ...]]]:
    """The paths that are lost, by the id of their record; an empty one where it is the record."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    for loss in written.losses:
        assert loss.where
        id, _, path = loss.where.partition(": ")
        found.setdefault(id, []).append(parse_path(path) if path else ())
    return found


def in_written_order(records: list[Any], form: str, data: bytes) -> list[Any]:
    """Archives are sorted by time, a record without one behind the one before it; trajectories by conversation."""
    if form == "atif":
        ids = [step["extra"]["record"] for step in _steps(orjson.loads(data)) if "extra" in step]
        return sorted(records, key=lambda each: ids.index(each.id))
    if form not in ("har", "otlp"):
        return records
    latest, timed = 0.0, []
    for record in records:
        latest = record.t if record.t is not None else latest
        timed.append((latest, record))
    return [record for _, record in sorted(timed, key=lambda each: each[0])]


def _steps(document: Any) -> list[Any]:
    inner = [step for each in document.get("subagent_trajectories", []) for step in _steps(each)]
    return [*document["steps"], *inner]


def placed(record: dict[str, Any], trace: Trace) -> dict[str, Any]:
    """The record with its times as moments, in microseconds."""
    start = 0.0
    if trace.header.started_at:
        start = datetime.fromisoformat(trace.header.started_at).astimezone(UTC).timestamp()
    for field, base in (("t", start), ("duration", 0.0)):
        if field in record:
            record[field] = round((record[field] + base) * 1e5)
    return {"ext": {}, **record}


def without(value: Any, paths: list[tuple[Any, ...]]) -> Any:
    """The value without what these paths name, and without what is then empty: a default that is written out."""
    for path in paths:
        at = value
        for part in path[:-1]:
            at = (
                at[part] if (isinstance(at, dict) and part in at) or (isinstance(at, list) and part < len(at)) else None
            )
        if isinstance(at, dict):
            at.pop(path[-1], None)
        elif isinstance(at, list) and path[-1] < len(at):
            at[path[-1]] = None
    return _settled(value)


def _settled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _settled(each) for key, each in value.items() if key != "ext" or each}
    return [_settled(each) for each in value] if isinstance(value, list) else value
