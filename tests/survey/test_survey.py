"""Files, folders, patterns, links and flows: every run once, and whatever cannot be read is told."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from runwright.errors import UsageError
from runwright.survey import chosen_files, survey
from runwright.trace import as_cassette, dumps_trace
from tests.drift.made import trace
from tests.readers.exports import forbid
from tests.samples import ROOT

FIXTURES = ROOT / "tests" / "fixtures"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    put("runs/a.jsonl", "One.")
    put("runs/deep/b.jsonl", "Two.")
    (tmp_path / "runs" / "README.md").write_text("no trace")
    (tmp_path / "runs" / ".hidden.jsonl").write_text("no trace")
    return tmp_path


def put(name: str, prompt: str) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(dumps_trace(trace(prompt=prompt)))
    return path


def names(*paths: str) -> list[str]:
    return [name for name, _ in survey([Path(each) for each in paths]).traces]


@pytest.mark.usefixtures("folder")
def test_a_file_counts_once_however_often_it_is_named() -> None:
    both = ["runs/a.jsonl", "runs/deep/b.jsonl"]
    assert names("runs") == both
    assert names("runs", "runs/", "./runs", "runs/a.jsonl", str(Path("runs").absolute())) == both
    assert names("runs/*.jsonl", "runs/a.jsonl") == both[:1]
    assert names("runs/**/*.jsonl") == both
    assert names("r*") == both


@pytest.mark.usefixtures("folder")
def test_links_lead_to_what_they_name() -> None:
    Path("link.jsonl").symlink_to("runs/a.jsonl")
    Path("folder").symlink_to("runs")
    Path("runs/around").symlink_to(Path("runs").absolute())
    os.link("runs/a.jsonl", "hard.jsonl")
    assert names("folder") == ["folder/a.jsonl", "folder/deep/b.jsonl"]
    assert names("runs", "folder", "link.jsonl", "hard.jsonl") == ["runs/a.jsonl", "runs/deep/b.jsonl"]
    Path("aside").mkdir()
    Path("aside/more").symlink_to(Path("runs/deep").absolute())
    assert names("aside") == ["aside/more/b.jsonl"]


@pytest.mark.usefixtures("folder")
def test_a_link_to_nowhere_and_a_folder_that_cannot_be_listed_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("runs/deep/broken.jsonl").symlink_to("nowhere")
    forbid("runs/shut", monkeypatch)
    found = survey([Path("runs")])
    assert [name for name, _ in found.traces] == ["runs/a.jsonl", "runs/deep/b.jsonl"]
    assert [each.name for each in found.unread] == ["runs/deep/broken.jsonl", "runs/shut"]


@pytest.mark.usefixtures("folder")
def test_copies_and_cassettes_of_a_run_count_once_and_are_told() -> None:
    shutil.copy("runs/a.jsonl", "runs/copy.jsonl")
    Path("runs/run.cassette.jsonl").write_bytes(dumps_trace(as_cassette(trace(prompt="Two."))))
    found = survey([Path("runs")])
    assert [name for name, _ in found.traces] == ["runs/a.jsonl", "runs/deep/b.jsonl"]
    assert found.notes == (
        "runs/copy.jsonl: the same bytes as runs/a.jsonl",
        "runs/run.cassette.jsonl: the same run as runs/deep/b.jsonl",
    )
    assert found.files == 4


@pytest.mark.usefixtures("folder")
def test_what_cannot_be_read_is_told_and_the_rest_goes_on() -> None:
    Path("runs/cut.jsonl").write_bytes(Path("runs/a.jsonl").read_bytes()[:-40])
    Path("runs/noise.jsonl").write_bytes(b"\xff\x00 noise")
    Path("runs/empty.json").write_bytes(b"")
    found = survey([Path("runs")])
    assert [name for name, _ in found.traces] == ["runs/a.jsonl", "runs/deep/b.jsonl"]
    assert sorted(each.name for each in found.unread) == ["runs/cut.jsonl", "runs/empty.json", "runs/noise.jsonl"]


ENDINGS = (
    *("jsonl", "ndjson", "json", "yaml", "yml", "trace", "har", "flows", "mitm", "eval", "traj"),
    *("pb", "bin", "binpb", "otlp", "parquet", "log", "jsonl.gz", "json.zst"),
)
OTHERS = ("a.md", "a.py", "a.proposal.json", "a.cassette.jsonl.new", "suite.yaml", "suite.yml", "a.jsonl~", "jsonl")


def test_what_is_called_like_a_trace_is_taken_from_a_folder_and_anything_that_is_named(tmp_path: Path) -> None:
    for name in (*(f"a.{ending}" for ending in ENDINGS), *OTHERS):
        (tmp_path / name).write_text("{}")
    assert {each.name for each in chosen_files([tmp_path])} == {f"a.{ending}" for ending in ENDINGS}
    named = [tmp_path / name for name in OTHERS]
    assert chosen_files(named) == tuple(named)


@pytest.mark.usefixtures("folder")
def test_paths_that_are_not_there() -> None:
    with pytest.raises(UsageError, match="no such file"):
        chosen_files([Path("nowhere.jsonl")])
    assert chosen_files([Path("none/*.jsonl")]) == ()
    assert survey([Path("none/*.jsonl")]).traces == ()


@pytest.mark.usefixtures("folder")
def test_flows_stand_for_their_cassettes() -> None:
    put("cassettes/refund.cassette.jsonl", "Three.")
    Path("flows").mkdir()
    flow = (
        "flow: 1\nname: refund\napp: agent\nagent: {command: 'run ${UNSET_HERE}', tools: real}\nsteps: [{prompt: Hi}]\n"
    )
    Path("flows/refund.flow.yaml").write_text(flow)
    Path("flows/lost.flow.yaml").write_text(flow)
    Path("flows/bad.flow.yaml").write_text("flow: [")
    Path("flows/refund.proposal.json").write_text("{")
    found = survey([Path("flows")])
    assert [name for name, _ in found.traces] == ["flows/refund.flow.yaml"]
    assert [(each.name, each.error.slug) for each in found.unread] == [
        ("flows/bad.flow.yaml", "bad-flow"),
        ("flows/lost.flow.yaml", "unreadable-input"),
    ]
    assert [flow.name for flow in found.flows] == ["refund", "refund"]
    assert names("flows/refund.flow.yaml", "cassettes") == ["cassettes/refund.cassette.jsonl"]


def test_files_that_are_read_together() -> None:
    found = survey([FIXTURES / "story"])
    assert len(found.traces) == 1
    assert found.files == 2
    assert found.unread == ()


def test_files_with_several_runs() -> None:
    found = survey([FIXTURES / "langfuse"])
    assert found.unread == ()
    assert all("#" in name or "langfuse" in name for name, _ in found.traces)
