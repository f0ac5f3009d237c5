"""The files below a folder: each once, and folders that lead round are walked once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runwright.errors import UsageError
from runwright.readers.many import files_below, files_of


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders that are listed, in their order; so many that they must lead round are a fault."""
    found: list[str] = []
    walk = os.walk

    def walked(*given: Any, **more: Any) -> Iterator[Any]:
        for each in walk(*given, **more):
            found.append(each[0])
            assert len(found) < 100, found
            yield each

    monkeypatch.setattr(os, "walk", walked)
    return found


def test_links_that_lead_round_are_followed_once(tmp_path: Path, listed: list[str]) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    for path in (tmp_path / "one.jsonl", deep / "two.jsonl"):
        path.write_text("{}")
    (deep / "up").symlink_to(tmp_path)
    (deep / "also").symlink_to(tmp_path)
    (tmp_path / "beside").symlink_to(tmp_path / "a")
    assert files_below(tmp_path) == [deep / "two.jsonl", tmp_path / "one.jsonl"]
    names = [str(Path(each).relative_to(tmp_path)) for each in listed]
    assert names == [".", "a", "a/b", "a/b/also", "a/b/up", "beside"]  # a folder met again is not looked into


def test_a_folder_behind_two_links_gives_its_files_once(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "x.jsonl").write_text("{}")
    (tmp_path / "runs").mkdir()
    for name in ("one", "two"):
        (tmp_path / "runs" / name).symlink_to(kept)
    assert files_below(tmp_path / "runs") == [tmp_path / "runs" / "one" / "x.jsonl"]


def test_what_is_hidden_and_what_might_never_end_is_left_out(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for name in (".git/x.jsonl", ".hidden.jsonl", "shown.jsonl"):
        (tmp_path / name).write_text("{}")
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "lost.jsonl").symlink_to("nowhere")
    assert files_below(tmp_path) == [tmp_path / "lost.jsonl", tmp_path / "shown.jsonl"]


@pytest.mark.parametrize(("name", "said"), [("empty", "there is no file in it"), ("none", "no file of that name")])
def test_a_folder_without_files_is_not_said_to_be_none(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError) as raised:
        files_of([tmp_path / name])
    assert raised.value.message == said
