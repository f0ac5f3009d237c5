"""The fingerprint of a file is that of its trace, whichever way it is taken."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from msgspec.structs import replace
from scripts.stability.traces import traces

from runwright.errors import IncompleteTrace, TraceError
from runwright.fingerprint import fingerprint, fingerprint_of_file, stream
from runwright.fingerprint.calls import digested, same_arguments
from runwright.fingerprint.lines import summary_of_lines
from runwright.trace import JSON, McpRecord, Record, ToolRecord, Trace, dumps_trace, loads_trace
from runwright.trace.holds import NotSure
from runwright.trace.small import small_trace

KEPT = dict(traces())


def variants(trace: Trace) -> list[Trace]:
    """The trace, and what is left of it without some records, without call ids, and with other lanes' order."""
    found = [trace]
    for seed in range(3):
        chance = random.Random(seed)
        records = [each for each in trace.records if chance.random() < 0.8]
        ids = {each.id for each in records}
        found.append(replace(trace, records=tuple(cut(each, ids, bool(seed % 2)) for each in records)))
    return found


def cut(record: Record, ids: set[str], unnamed: bool) -> Record:
    """The record without edges to those that are gone, and, if wanted, without the id of its call."""
    kept = {name: tuple(each for each in getattr(record, name) if each in ids) for name in ("after", "after_inferred")}
    parent = record.parent if record.parent in ids else None
    made = replace(record, parent=parent, **kept)
    return replace(made, call_id=None) if unnamed and isinstance(made, ToolRecord | McpRecord) else made


@pytest.mark.parametrize("name", KEPT)
def test_three_ways(name: str, tmp_path: Path) -> None:
    for at, trace in enumerate(variants(KEPT[name])):
        data = dumps_trace(trace)
        file = tmp_path / f"{at}.jsonl"
        file.write_bytes(data)
        meant = fingerprint(loads_trace(data))
        assert fingerprint_of_file(file) == meant
        try:
            found = summary_of_lines(small_trace(data))
        except NotSure:
            continue
        assert json.dumps(found) == json.dumps({each: getattr(meant, each) for each in found})


def test_a_trace_that_goes_on_from_far_back_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = []
    whole = stream.read_trace
    monkeypatch.setattr(stream, "HELD", 1)
    monkeypatch.setattr(stream, "read_trace", lambda path, **more: reads.append(path) or whole(path, **more))
    for name, trace in KEPT.items():
        file = tmp_path / f"{name}.jsonl"
        file.write_bytes(dumps_trace(trace))
        assert fingerprint_of_file(file) == fingerprint(trace), name
    assert 0 < len(reads) < len(KEPT)


def test_a_file_that_is_not_whole_has_none(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    data = dumps_trace(next(iter(KEPT.values())))
    unsealed = b"".join(data.splitlines(keepends=True)[:-1])
    for broken in (data[:-30], unsealed, data.replace(b'"fidelity"', b'"fidelitY"')):
        file.write_bytes(broken)
        with pytest.raises(TraceError) as caught:
            fingerprint_of_file(file)
        assert isinstance(caught.value, IncompleteTrace) == (b"fidelitY" not in broken)
    with pytest.raises(TraceError, match="cannot be read"):
        fingerprint_of_file(tmp_path / "none.jsonl")


ALIKE: tuple[tuple[JSON, JSON, bool], ...] = (
    ({"a": 1}, {"a": 1.0}, True),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
    ({}, None, True),
    ([], {}, True),
    ({"a": "x" * 99}, {"a": "x" * 99}, True),
    ({"a": 1}, {"a": True}, False),
    ({"a": 1}, {"a": "1"}, False),
    ({"a": "x" * 99}, {"a": "x" * 98}, False),
    ({"a": 1}, None, False),
    ({"a": None}, {}, False),
    (float("nan"), 1, False),
)


@pytest.mark.parametrize(("one", "other", "same"), ALIKE)
def test_arguments_that_are_held_by_their_digest_are_as_those_that_are_not(one: JSON, other: JSON, same: bool) -> None:
    assert same_arguments(one, other) is same
    if one and other and one == one:
        assert same_arguments(digested(one), other) is same
        assert same_arguments(one, digested(other)) is same
        assert same_arguments(digested(one), digested(other)) is same
