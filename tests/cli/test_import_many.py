"""Importing many: the worst of what was met is the exit, and what was refused is not written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runwright.cli.app import main
from tests.readers.exports import call, export, fixture

LOG = fixture("orders.jsonl", folder="model_log")[0].data
KEY = "sk-proj-" + "Zx9Qw3Er5Ty7Ui1Op2As4Df6" * 2
SECRET = json.dumps(export(call(1, said=f"the key is {KEY}"))).encode()


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    return tmp_path / "in", tmp_path / "out"


def test_an_unreadable_file_before_one_with_a_secret(folders: tuple[Path, Path]) -> None:
    into, out = folders
    (into / "a.txt").write_text("no format at all")
    (into / "b.json").write_bytes(SECRET)
    assert main(["import", str(into), "--out", str(out)]) == 2
    assert list(out.iterdir()) == []


def test_only_a_secret(folders: tuple[Path, Path]) -> None:
    into, out = folders
    (into / "b.json").write_bytes(SECRET)
    assert main(["import", str(into), "--out", str(out)]) == 1
    assert list(out.iterdir()) == []


def test_a_trace_whose_seal_is_broken_is_not_written_again(folders: tuple[Path, Path]) -> None:
    into, out = folders
    (into / "log.jsonl").write_bytes(LOG)
    assert main(["import", str(into / "log.jsonl"), "--out", "whole.jsonl"]) == 0
    lines = Path("whole.jsonl").read_bytes().splitlines(keepends=True)
    (into / "cut.jsonl").write_bytes(b"".join(lines[:-1]))
    assert main(["import", str(into), "--out", str(out)]) == 2
    assert [path.name for path in out.iterdir()] == ["log.jsonl"]


def test_a_run_is_not_chosen_of_many(folders: tuple[Path, Path]) -> None:
    into, out = folders
    (into / "log.jsonl").write_bytes(LOG)
    assert main(["import", str(into), "--out", str(out), "--trace-id", "x"]) == 2
    assert list(out.iterdir()) == []
