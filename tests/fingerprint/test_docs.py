"""What the page on fingerprints shows is what the code does."""

from __future__ import annotations

import re
from typing import get_args

from runwright.fingerprint import FACTS, Fingerprint, fingerprint
from runwright.fingerprint.distance import WEIGHTS
from runwright.trace import EFFECT_KINDS, OutcomeClass
from tests.fingerprint.runs import Ask, Turn, rendered
from tests.samples import ROOT

PAGE = (ROOT / "docs" / "reference" / "fingerprint.md").read_text(encoding="utf-8")
A, B = Turn((Ask("a"),), "a"), Turn((Ask("b"),), "b")
RUNS = {
    "a, then b": (A, B),
    "a, then a again": (A, A),
    "a three times or more": (A,) * 5,
    "a and b in one reply": (Turn((Ask("a"), Ask("b"))),),
    "a and a in one reply": (Turn((Ask("a"), Ask("a"))),),
    "a, b, a, b": (A, B) * 2,
    "a, b, a, b, a, b or more": (A, B) * 4,
}


def rows(header: str) -> dict[str, str]:
    """The table under this header: the first column, and the second."""
    _, rest = PAGE.split(f"| {header} |", 1)
    lines = rest.split("\n\n", 1)[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]
    return {cell[0]: cell[1].rstrip(" |") if len(cell) > 1 else "" for cell in cells}


def test_repeats() -> None:
    told = {run: shown.strip("`") for run, shown in rows("the run | is written").items()}
    assert told == {run: ", ".join(fingerprint(rendered(turns)).tool_sequences[0]) for run, turns in RUNS.items()}


def test_fields_facts_and_outcomes() -> None:
    fields = rows("field | what it holds")
    assert [name.strip("`") for name in fields] == list(Fingerprint.__struct_fields__)
    facts = {re.findall(r"`(\w+)`", cell)[0] for cell in rows("fact | known when | needed for")}
    assert facts | {*EFFECT_KINDS} == set(FACTS)
    outcomes = [name.strip("`") for name in rows("class | what decides it")]
    assert outcomes == list(get_args(OutcomeClass))


def test_weights() -> None:
    told = rows("part | its distance | weight")
    _, table = PAGE.split("| part | its distance | weight |", 1)
    weights = [float(line.rstrip("| ").rsplit("|", 1)[1]) for line in table.split("\n\n", 1)[0].splitlines()[2:]]
    assert dict(zip([name.strip("`") for name in told], weights, strict=True)) == WEIGHTS
