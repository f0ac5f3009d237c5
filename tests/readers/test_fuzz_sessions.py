"""The sessions of coding agents are written line by line: no change of any line is more than a typed error."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable

import pytest

from runwright.errors import RunwrightError
from runwright.readers import READERS, Input, runs_of
from runwright.trace import dumps_trace, loads_trace
from tests.readers.test_fuzz_formats import KINDS, ODD, _places
from tests.samples import ROOT

CASES = 10_000 if os.environ.get("RUNWRIGHT_FUZZ") else 150
FIXTURES = ROOT / "tests" / "fixtures"
SEEDS: dict[str, tuple[str, ...]] = {
    "claude_code": ("5e551011-0000-4000-8000-000000000001.jsonl",),
    "gemini_cli": ("session-2026-11-30T12-00-9e319e31.jsonl", "session-old.json", "shop.responses"),
    "codex": ("rollout.jsonl", "legacy.jsonl", "exec.jsonl"),
}


def dropped(data: bytes, luck: random.Random) -> bytes:
    lines = data.splitlines()
    return b"\n".join(line for line in lines if luck.random() > 0.1)


def repeated(data: bytes, luck: random.Random) -> bytes:
    lines = data.splitlines()
    at = luck.randrange(len(lines))
    return b"\n".join([*lines[:at], *lines[luck.randrange(len(lines)) :], *lines[at:]])


def changed_line(data: bytes, luck: random.Random) -> bytes:
    """Values somewhere in some lines replaced, dropped, or taken from another line."""
    lines = data.splitlines()
    for _ in range(luck.randrange(1, 6)):
        at = luck.randrange(len(lines))
        try:
            value, other = json.loads(lines[at]), json.loads(luck.choice(lines))
        except ValueError:
            continue
        if not _places(value):
            continue
        parent, key = luck.choice(_places(value))
        if luck.random() < 0.3:
            del parent[key]
        else:
            parent[key] = luck.choice([*ODD, *(holder[name] for holder, name in _places(other))])
        lines[at] = json.dumps(value).encode("utf-8", "surrogatepass")
    return b"\n".join(lines)


EVERY: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    *KINDS, dropped, repeated, changed_line, changed_line, changed_line, changed_line,
)  # fmt: skip


@pytest.mark.parametrize(("format", "name"), [(format, name) for format, names in SEEDS.items() for name in names])
def test_mutations_of_a_session(format: str, name: str) -> None:
    luck = random.Random(name)
    seed = (FIXTURES / format / name).read_bytes()
    read = 0
    for number in range(CASES):
        data = luck.choice(EVERY)(seed, luck)
        try:
            runs = runs_of([Input("fuzz", data)], format)
        except RunwrightError:
            continue
        read += 1
        for run in runs:
            assert loads_trace(dumps_trace(run.trace)) == run.trace, number
    assert read > CASES / 4


@pytest.mark.parametrize(("format", "name"), [(format, name) for format, names in SEEDS.items() for name in names])
def test_a_session_is_of_its_format_alone(format: str, name: str) -> None:
    head = (FIXTURES / format / name).read_bytes()[:65536]
    assert {reader for reader in READERS if READERS[reader].sniff(head)} == {format}
