"""The converted example of this repository: what the fixtures give today, green as committed, red for the bug."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.test_transcripts import variant
from tests.e2e.replaying import runwright
from tests.samples import ROOT

FLOW = "flows/regressions/refund-twice.flow.yaml"
CASSETTE = "cassettes/regressions/refund-twice.cassette.jsonl"
STORY = ROOT / "tests" / "fixtures" / "story"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The committed flow, cassette and agent in a project of their own."""
    (tmp_path / "pyproject.toml").write_text("")
    for name in (FLOW, CASSETTE, "scripts/story/agent.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_it_replays_green_as_committed() -> None:
    assert "PASS, not judged after m2" in runwright(ROOT, "run", FLOW).stdout


def test_the_agent_as_production_ran_it_is_red(copy: Path) -> None:
    (copy / "scripts/story/agent.py").write_text(variant("buggy"))
    assert "issue_refund was called twice" in runwright(copy, "run", FLOW, status=1).stdout


def test_an_agent_that_regresses_earlier_is_red_with_its_field(copy: Path) -> None:
    (copy / "scripts/story/agent.py").write_text(variant("regressed"))
    assert "$.request.messages[3].content[0].content[0].text" in runwright(copy, "run", FLOW, status=1).stdout


def test_converting_the_export_again_gives_the_committed_bytes(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    files = [str(STORY / "spans.jsonl"), str(STORY / "logs.jsonl")]
    agent = ("--agent", "python scripts/story/agent.py", "--tools", "real")
    asserts = ("--assert", "assert_tool_call: {tool: issue_refund, times: 1}")
    runwright(tmp_path, "convert", *files, "--out", "flows/regressions/refund-twice", *agent, "--until", "m2", *asserts)
    assert (tmp_path / f"{CASSETTE}.new").read_bytes() == (ROOT / CASSETTE).read_bytes()
    assert (tmp_path / f"{FLOW}.new").read_bytes() == (ROOT / FLOW).read_bytes()
