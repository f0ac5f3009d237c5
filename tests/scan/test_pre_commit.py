"""The hook's definition is as pre-commit wants it, and its entry runs as pre-commit runs it: with files behind it."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
import yaml

from runwright.cli.app import main
from tests.samples import ROOT
from tests.secrets.planted import TYPED

[HOOK] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())


def test_the_definition() -> None:
    assert HOOK.keys() == {"id", "name", "description", "entry", "language", "types", "require_serial"}
    assert (HOOK["language"], HOOK["types"]) == ("python", ["text"])


@pytest.mark.parametrize(("words", "status"), [("hello", 0), (f"use {TYPED['gitlab'][1]}", 1)])
def test_the_entry(words: str, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.txt", "b c.txt"):
        Path(name).write_text(words)
    program, *given = shlex.split(HOOK["entry"])
    assert program == "runwright"
    assert main([*given, "a.txt", "b c.txt"]) == status
