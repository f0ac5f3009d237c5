"""Importing many: the worst of what was met is the exit, and what was refused is not written."""

from __future__ import annotations

import json
import tracemalloc
from functools import partial
from pathlib import Path

import pytest

from runwright.cli import importing
from runwright.cli.app import main
from runwright.readers.many import read_many
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


CHAT = [{"role": "user", "content": "Where is A-17?"}, {"role": "assistant", "content": "It is late. " * 40}]


def chats(path: Path, number: int) -> int:
    lines = [json.dumps({"messages": [*CHAT, {"role": "user", "content": str(at)}]}) for at in range(number)]
    path.write_text("\n".join(lines))
    return number


def test_memory_does_not_grow_with_a_file_of_lines(folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    into, out = folders
    monkeypatch.setattr(importing, "read_many", partial(read_many, bound=20_000))
    peaks: dict[int, list[int]] = {40: [], 320: []}
    for turn, number in enumerate((320, 40, 320, 40, 320)):  # the first fills what is kept for good
        chats(into / "chats.jsonl", number)
        here = out / str(turn)
        tracemalloc.start()
        try:
            importing.import_many([into], None, here, redact=False, summed_up=False)
            peaks[number].append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
        assert len(list(here.iterdir())) == number
    assert min(peaks[320]) < 2 * min(peaks[40])


def test_runs_without_a_name_are_numbered(folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    into, out = folders
    chats(into / "chats.jsonl", 90)
    (out / "chats-2.jsonl").write_text("there before")
    monkeypatch.setattr(importing, "read_many", partial(read_many, bound=20_000))
    assert main(["import", str(into), "--out", str(out)]) == 0
    assert {path.name for path in out.iterdir()} == {"chats.jsonl"} | {f"chats-{at}.jsonl" for at in range(2, 92)}
    assert (out / "chats-2.jsonl").read_text() == "there before"
