"""A scratch project, and commands run in it as a user runs them."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli import warm

FRESH = ("observe",)
"""Commands that are always run by a process that starts from nothing: what else it is matters to them."""

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "shop"\nversion = "1"\n')
    return tmp_path


@pytest.fixture
def run(project: Path) -> Run:
    """Run one command line in the project; its exit status is asserted.

    `fresh` is for a process that starts from nothing, as a user's does; others have imported everything already.
    """

    def command(
        line: str, status: int = 0, *, fresh: bool = False, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        words = shlex.split(line)
        assert words[0] == "runwright"
        kept = {
            name: value for name, value in os.environ.items() if name not in ("CI", "OPENAI_API_KEY", "OPENAI_BASE_URL")
        }
        kept["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
        given = {**kept, **environment}
        if fresh or words[1] in FRESH:
            done = subprocess.run(
                [sys.executable, "-m", "runwright", *words[1:]],
                cwd=project, env=given, capture_output=True, text=True, check=False,
            )  # fmt: skip
        else:
            done = warm.run(words[1:], project, given)
        assert done.returncode == status, f"exit {done.returncode}, not {status}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr
        return done

    return command
