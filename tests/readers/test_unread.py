"""A line that cannot be read may have held anything: the run has a fault, and is never the same as the whole one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from runwright.errors import RunwrightError
from runwright.fingerprint import agree, fingerprint
from runwright.readers import Input, runs_of
from runwright.readers.foreign import sniff
from runwright.readers.reading import Reading, unread
from runwright.trace.model import FaultRecord, Trace
from tests.readers.exports import FIXTURES

LOGS = (
    "claude_code/5e551011-0000-4000-8000-000000000001.jsonl",
    "claude_code/5e551011-0000-4000-8000-000000000001/subagents/agent-a11ce.jsonl",
    "codex/exec.jsonl",
    "codex/legacy.jsonl",
    "codex/rollout.jsonl",
    "gemini_cli/session-2026-11-30T12-00-9e319e31.jsonl",
    "gemini_cli/shop.responses",
    "langfuse/enriched/observations_v2.jsonl",
    "langfuse/legacy/observations/20261130.jsonl",
    "langsmith/runs.jsonl",
    "model_log/orders.jsonl",
    "openai_agents/trace.jsonl",
    "phoenix/table.jsonl",
    "story/spans.jsonl",
)
CUT = 15
FAULTS = ("truncation", "observer_failed", "dropped_spans")


def runs(path: Path, data: bytes) -> list[Trace]:
    """The runs of a file, read as what it was before it was damaged."""
    return [run.trace for run in runs_of([Input(path.name, data)], sniff(path.read_bytes()))]


def garbled(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The file once for each of its lines, with the end of that line cut off."""
    lines = data.rstrip(b"\n").split(b"\n")
    for at, line in enumerate(lines):
        yield at + 1, b"\n".join([*lines[:at], line[:-CUT], *lines[at + 1 :]])


@pytest.mark.parametrize("name", LOGS)
def test_no_line_can_be_cut_without_a_fault(name: str) -> None:
    path = FIXTURES / name
    whole = runs(path, path.read_bytes())
    judged = 0
    for number, data in garbled(path.read_bytes()):
        try:
            found = runs(path, data)
        except RunwrightError:  # nothing was left to read
            continue
        for trace in found:
            judged += 1
            faults = [each for each in trace.records if isinstance(each, FaultRecord) and each.kind in FAULTS]
            assert len({each.id for each in trace.records}) == len(trace.records)
            assert faults, f"line {number}"
            verdicts = {agree(fingerprint(trace), fingerprint(each)).verdict for each in whole}
            assert "SAME" not in verdicts, f"line {number}"
    assert judged


def test_all_that_is_malformed_is_one_fault() -> None:
    reading = Reading()
    assert unread(reading.losses()) == ()
    reading.lose("dropped", "pictures", "a:1")
    assert unread(reading.losses()) == ()
    for line in (4, 9):
        reading.lose("malformed", "a line is no JSON", f"a:{line}")
    reading.lose("malformed", "a span without ids", "a:11")
    (fault,) = unread(reading.losses())
    assert fault.kind == "truncation"
    assert fault.detail == "3 lines or entries of the source could not be read, the first at a:4"
    assert fault.hides == ("model", "tool", "mcp", "http", "side_effect")


def test_equal_losses_of_lines_are_one_at_the_first_place() -> None:
    path = FIXTURES / "codex/rollout.jsonl"
    lines = path.read_bytes().rstrip(b"\n").split(b"\n")
    (trace,) = runs(path, b"\n".join([*lines[:-3], b"{", b'{"a":', b"no"]))
    (loss,) = [each for each in trace.header.losses if each.kind == "malformed"]
    assert (loss.detail, loss.where, loss.count) == ("a line is no JSON", f"rollout.jsonl:{len(lines) - 2}", 3)
