"""Real traffic as flows: whatever an agent sends, no mutant of it survives matching and none breaks the proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import yaml
from msgspec.structs import replace

from runwright.dialects import dialect_for_path, parse_stream_body
from runwright.errors import DialectError
from runwright.flow import AgentSpec, Flow, Word
from runwright.run import RunOptions
from runwright.run.prove import ProveOptions, prove
from runwright.trace import with_edges
from runwright.trace.model import Header, ModelRecord, Trace
from tests.dialects.test_samples import body_of
from tests.samples import samples_dir

FLOW = Flow(
    path=Path("real.flow.yaml"),
    name="real",
    agent=AgentSpec(command=("agent",), tools="real"),
    cassette=Path("real.cassette.jsonl"),
)
LIMIT = 30
"""Mutants a cassette: of every kind at least one."""


def recorded() -> Iterator[Trace]:
    """The model calls of each VCR cassette, as one run."""
    for path in sorted((samples_dir() / "vcr").rglob("*.y*ml")):
        calls = yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader).get("interactions", [])
        records = [made for n, call in enumerate(calls, 1) if (made := exchange_of(f"m{n}", call)) is not None]
        if records:
            yield Trace(header=Header(kind="cassette", trace_id="real"), records=with_edges(records))


def exchange_of(id: str, call: dict) -> ModelRecord | None:
    """The exchange that a recorded HTTP call is; None where it called no model, or one in a way that is refused."""
    dialect = dialect_for_path(call["request"]["uri"])
    if dialect is None:
        return None
    try:
        request, streamed = dialect.decode_request(body_of(call["request"]))
        record = ModelRecord(id=id, request=request, streamed=streamed, fidelity="raw")
        return answered(record, dialect, body_of(call["response"]))
    except DialectError:  # how many those are, and why, the dialects' own tests count
        return None


def answered(record, dialect, body) -> ModelRecord:
    if isinstance(body, str):
        return replace(record, response=dialect.decode_stream(list(parse_stream_body(body).values))[0])
    if "error" in body:
        return replace(record, error=dialect.decode_error(400, body))
    return replace(record, response=dialect.decode_response(body))


def test_no_mutant_of_real_traffic_survives_matching() -> None:
    fates, survived, proved = Counter(), [], 0
    for trace in recorded():
        report = prove(FLOW, trace, ProveOptions(run=RunOptions(environment={}), limit=LIMIT))
        assert report.unmutated.word is Word.PASS, report.unmutated.summary
        proved += 1
        fates.update(each.fate for each in report.tried)
        survived += [each for each in report.of("survived") if each.mutant.kind != "reply"]
    assert survived == []
    assert proved > 90
    assert fates["killed"] > 1_500
    assert fates["unjudged"] == 0
