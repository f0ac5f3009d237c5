"""What agents of libraries sent to a model, against what the adapters said of them and of changed ones.

`scripts/agents/prove --keep` made the files with the libraries themselves.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from runwright.drift import AgentSpec, Comparison
from runwright.readers import read_foreign
from tests.drift.made import drift
from tests.samples import ROOT

FOLDERS = sorted((ROOT / "tests" / "fixtures" / "agents").iterdir())
TOLD = {
    "autogen": {"system_prompt", "model", "parameters", "tools"},
    "crewai": {"model", "parameters", "tools"},
    "langgraph": {"system_prompt", "model", "parameters", "tools"},
    "openai_agents": {"system_prompt", "model", "parameters", "tools"},
    "pydantic_ai": {"system_prompt", "model", "parameters", "tools"},
}
"""The facts of each that were compared."""


def against(folder: Path, said: str) -> Comparison:
    spec = msgspec.json.decode((folder / said).read_bytes(), type=AgentSpec)
    return drift(read_foreign([folder / "sent.jsonl"]), spec)


def test_every_library_is_here() -> None:
    assert {each.name for each in FOLDERS} == TOLD.keys()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda each: each.name)
def test_an_agent_is_what_it_sent_and_a_changed_one_is_not(folder: Path) -> None:
    same = against(folder, "said.json")
    assert (same.verdict, same.differences) == ("SAME", ())
    assert {each.split(".")[1] for each in same.compared} == TOLD[folder.name]
    changed = against(folder, "changed.json")
    assert changed.verdict == "DRIFTED"
    paths = [each.path for each in changed.differences]
    assert "$.tools.lookup_order.parameters.properties.limit.type" in paths
    assert all(path.startswith("$.tools.lookup_order.") for path in paths)
