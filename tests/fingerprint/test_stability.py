"""Fingerprints that were kept stay what they are; scripts/stability/everywhere shows it for other releases too."""

from __future__ import annotations

import json

import pytest
from scripts.stability.check import PRINTS, TRACES, kept, main, taken, text_of
from scripts.stability.traces import traces

from runwright.trace import dumps_trace

REMEDY = "a fingerprint changed: if it had to, python -m scripts.stability.traces --prints, and read the diff"


def test_each_kept_trace_has_the_fingerprint_that_was_kept() -> None:
    now, then = json.loads(json.dumps(taken())), kept()
    assert list(now) == list(then)
    assert len(then) == 50
    for name, found in now.items():
        assert found == then[name], f"{name}: {REMEDY}"
    assert main() == 0


def test_the_file_is_as_it_would_be_written() -> None:
    assert PRINTS.read_text(encoding="utf-8") == text_of(taken())


def test_the_traces_are_those_of_the_script() -> None:
    assert {path.stem: path.read_bytes() for path in TRACES.glob("*.jsonl")} == {
        name: dumps_trace(trace) for name, trace in traces()
    }


def test_they_are_runs_of_many_kinds() -> None:
    """All but those that are one run seen in several ways have digests of their own."""
    digests = [each["digest"] for each in kept().values()]  # type: ignore[index,call-overload]
    assert len(set(digests)) >= 40
    facts = {fact for each in kept().values() for fact in each["basis"]}  # type: ignore[index,call-overload,union-attr]
    assert facts >= {"agents", "nesting", "flat", "concurrency", "endpoints", "fs_write", "tool_outcomes"}
    outcomes = {each["outcome_class"] for each in kept().values()}  # type: ignore[index,call-overload]
    assert len(outcomes) == 9


def test_a_change_is_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    then = {**kept()}
    then["no-call"] = {}
    del then["twice"]
    monkeypatch.setattr("scripts.stability.check.kept", lambda: then)
    assert main() == 1
    out = capsys.readouterr().out
    assert [line.strip() for line in out.splitlines()[1:]] == ["no-call", "twice"]
