"""Every transcript still tells the truth."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.transcript import mismatch, prepare, steps
from tests.samples import ROOT

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))


def variant(name: str) -> str:
    spec = importlib.util.spec_from_file_location("variants", ROOT / "scripts" / "story" / "variants.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    source: str = getattr(module, name)()
    return source


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(path: Path, project: Path, run: Run) -> None:
    for name in ("spans.jsonl", "logs.jsonl"):
        shutil.copy(ROOT / "tests" / "fixtures" / "story" / name, project)
    commands = 0
    for step in steps(path):
        if not step.command.startswith("runwright"):
            prepare(step.command, project, variant)
            continue
        command, _, kept = step.command.partition(" > ")
        done = run(command, step.status, fresh=not commands)
        if kept:
            (project / kept).write_text(done.stdout)
        shown = "" if kept else done.stdout
        fault = mismatch(step.expected, [*shown.splitlines(), *done.stderr.splitlines()])
        assert not fault, f"{path.name}:{step.line}: $ {step.command}\n{fault}"
        commands += 1
    assert commands


@pytest.mark.parametrize(
    ("expected", "printed", "holds"),
    [
        (["a", "b"], ["a", "b"], True),
        (["a ... c"], ["a b c"], True),
        (["a", "...", "z"], ["a", "b", "c", "z"], True),
        (["a"], ["a", "b"], False),
        (["a", "b"], ["a"], False),
        (["a ... c"], ["a b d"], False),
        ([], ["noise"], False),
    ],
)
def test_a_transcript_that_does_not_hold_is_noticed(expected: list[str], printed: list[str], holds: bool) -> None:
    assert (mismatch(expected, printed) == "") is holds
