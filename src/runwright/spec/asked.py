"""Asks an agent what it is built from, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

import runwright
from runwright.drift import AgentSpec
from runwright.errors import AgentSpecError

TIMEOUT = 60.0
"""Seconds that an agent may take to be imported and to answer."""

STANDARD_ERROR = 2

_START = "import sys; sys.path.append(sys.argv.pop(1)); from runwright.spec.child import main; main()"


def ask(name: str, *, timeout: float = TIMEOUT) -> AgentSpec:
    """The specification that `module:attribute` gives; AgentSpecError where it gives none.

    The module is imported in another process, from the current directory; what it prints goes to standard error, and
    nothing that it does to its process touches this one.
    """
    with TemporaryDirectory(prefix="runwright-spec-") as folder:
        file = Path(folder) / "answer.json"
        home = str(Path(runwright.__file__).resolve().parent.parent)
        # -P: a file of the current directory named like one of Python's own modules is not what we import
        command = [sys.executable, "-P", "-c", _START, home, name, str(file)]
        try:
            done = subprocess.run(  # noqa: S603  the user names the module, and importing it is what was asked for
                command, stdin=subprocess.DEVNULL, stdout=STANDARD_ERROR, timeout=timeout, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise AgentSpecError(f"it did not answer within {timeout:g} seconds", place=name) from error
        if not file.exists():
            raise AgentSpecError(f"its process ended with status {done.returncode} before it answered", place=name)
        return _read(file.read_text(encoding="utf-8"))


def _read(answer: str) -> AgentSpec:
    told = json.loads(answer)
    if "error" in told:
        raise AgentSpecError(told["error"]["message"], place=told["error"]["place"], hint=told["error"]["hint"])
    return msgspec.convert(told["spec"], AgentSpec)
