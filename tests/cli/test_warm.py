"""A command in a process that has imported everything is the command that it is in one that has not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.cli import warm

LINES = (
    ["--version"],
    ["formats", "--json"],
    ["scan", "a.env", "--json"],
    ["scan", "nowhere"],
    ["drift", "log.jsonl", "--agent", "desk:spec"],
    ["--no-such-option"],
)
DESK = """import os, sys, atexit
atexit.register(print, "gone")
print(os.getcwd(), os.environ["WHERE"], "OTHER" in os.environ, sys.stdin.read())
spec = {"system_prompt": "Be brief."}
"""


def test_both_say_and_do_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.env").write_text("DB_PASSWORD=hunter2\n")
    (tmp_path / "desk.py").write_text(DESK)
    (tmp_path / "log.jsonl").write_text(json.dumps({"request": {"model": "m", "messages": []}, "error": {"status": 5}}))
    given = {"PATH": os.environ["PATH"], "WHERE": "here"}
    for words in LINES:
        alone = subprocess.run(
            [sys.executable, "-m", "runwright", *words],
            cwd=tmp_path, env=given, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
        found = warm.run(words, tmp_path, given)
        assert (found.returncode, found.stdout, found.stderr) == (alone.returncode, alone.stdout, alone.stderr), words


def test_no_command_leaves_anything_to_the_next(tmp_path: Path) -> None:
    path = tmp_path / "here"
    path.mkdir()
    first = warm.run(["scan", "a.env"], path, {"PATH": "", "MARK": "1"})
    again = warm.run(["scan", "a.env"], path, {"PATH": ""})
    assert (first.returncode, first.stderr) == (again.returncode, again.stderr)
    path.rmdir()
    assert warm.run(["--version"], tmp_path, {}).returncode == 0
