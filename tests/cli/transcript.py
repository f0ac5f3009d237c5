"""Readable transcripts of the command line, and checking that they still hold.

    $ runwright validate t.jsonl        a command, run in a scratch project
    t.jsonl: CLEAN, 6 records           its standard output, then its standard error
    [exit 0]

`...` inside a line stands for any text, a line `...` for any lines. `$ agent fixed` puts a variant of the story's
agent in place; `$ write NAME 'text'`, `$ replace NAME 'old' 'new'`, `$ append NAME 'text'` and `$ delete NAME` change a
file. `$ runwright ... > NAME` keeps the standard output in a file instead.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

EXIT = re.compile(r"\[exit (\d+)\]")
ANY_LINES = "..."


class Step(NamedTuple):
    """A command, what it prints and its exit status."""

    command: str
    expected: list[str]
    status: int
    line: int


def steps(path: Path) -> Iterator[Step]:
    """The steps of a transcript; text before the first command says what it is about."""
    command, expected, at = "", [], 0
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        found = EXIT.fullmatch(line)
        if line.startswith("$ "):
            assert not command, f"{path.name}:{at}: no [exit N] after {command!r}"
            command, expected, at = line[2:], [], number
            if not command.startswith("runwright"):
                yield Step(command, [], 0, at)
                command = ""
        elif found:
            assert command, f"{path.name}:{number}: an exit status without a command"
            yield Step(command, expected, int(found[1]), at)
            command = ""
        elif command:
            expected.append(line)
    assert not command, f"{path.name}:{at}: no [exit N] after {command!r}"


def mismatch(expected: list[str], printed: list[str]) -> str:
    """What differs, or nothing."""
    pattern = "".join(".*?" if line == ANY_LINES else _line(line) for line in expected)
    text = "".join(f"{line.rstrip()}\n" for line in printed)
    if re.fullmatch(pattern, text, re.DOTALL):
        return ""
    return "expected:\n" + "\n".join(expected) + "\nprinted:\n" + text


def _line(line: str) -> str:
    return r"[^\n]*".join(re.escape(part) for part in line.rstrip().split("...")) + "\n"


def prepare(command: str, project: Path, variant: Callable[[str], str]) -> None:
    """Do a step that is no command line of ours."""
    word, name, *texts = shlex.split(command)
    texts = [text.replace("\\n", "\n") for text in texts]
    path = project / name
    if word == "agent":
        (project / "agent.py").write_text(variant(name))
    elif word == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts[0])
    elif word == "delete":
        path.unlink()
    elif word == "append":
        path.write_text(path.read_text() + texts[0])
    elif word == "replace":
        assert texts[0] in path.read_text(), f"{texts[0]!r} is not in {name}"
        path.write_text(path.read_text().replace(texts[0], texts[1]))
    else:
        raise AssertionError(f"unknown step {command!r}")
