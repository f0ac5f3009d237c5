"""A scratch project, and commands run in it as a user runs them."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "shop"\nversion = "1"\n')
    return tmp_path


@pytest.fixture
def run(project: Path) -> Run:
    """Run one command line in the project; its exit status is asserted."""

    def command(line: str, status: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
        words = shlex.split(line)
        assert words[0] == "runwright"
        kept = {
            name: value for name, value in os.environ.items() if name not in ("CI", "OPENAI_API_KEY", "OPENAI_BASE_URL")
        }
        kept["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
        done = subprocess.run(
            [sys.executable, "-m", "runwright", *words[1:]],
            cwd=project, env={**kept, **environment}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == status, f"exit {done.returncode}, not {status}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr
        return done

    return command
