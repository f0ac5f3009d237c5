"""The measurement: which planted secrets are found, and which harmless texts are taken for one."""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from scripts.gate import benign, planted, samples, scanners

from runwright.trace.model import JSON

SCANNERS = ("Runwright", "detect-secrets", "detect-secrets, leaves", "Fixtura")
TYPED, NAMED, PRECISE = 0.99, 0.9, 0.001
"""The targets: recall of typed and of named secrets, false alarms for each harmless item."""


class Score(NamedTuple):
    """How many of so many."""

    found: int
    of: int

    @property
    def share(self) -> float:
        """The part of one."""
        return self.found / self.of if self.of else 0.0

    def __str__(self) -> str:
        return f"{100 * self.share:.4g} %"


class Measured(NamedTuple):
    """Every count, by scanner."""

    kinds: dict[str, dict[str, Score]]
    positions: dict[str, dict[str, Score]]
    groups: dict[str, dict[str, Score]]
    benign: dict[str, dict[str, Score]]
    judged: Counter[str]
    missed: list[planted.Item]


def measure(
    values: int = planted.VALUES, harmless: int = benign.SIZE, peers: bool = True, real: bool = True
) -> Measured:
    """Plant, scan and count. The peers take minutes, the real samples half of one."""
    items = list(planted.items(values))
    texts = list(benign.items(harmless))
    found = {"Runwright": [scanners.runwright_removes(item.value, item.core) for item in items]}
    alarms = {"Runwright": [scanners.runwright_finds(item.value) for item in texts]}
    if peers:
        for name, (hits, false) in _peers(items, texts).items():
            found[name], alarms[name] = hits, false
    missed = [item for item, hit in zip(items, found["Runwright"], strict=True) if not hit]
    return Measured(
        _scores([item.kind for item in items], found),
        _scores([item.position for item in items], found),
        _scores(["typed" if item.typed else "named" for item in items], found),
        _scores([item.kind for item in texts], alarms),
        _samples() if real else Counter(),
        missed,
    )


def _peers(items: Sequence[planted.Item], texts: Sequence[benign.Harmless]) -> dict[str, tuple[list[bool], list[bool]]]:
    secret: list[JSON] = [item.value for item in items]
    harmless: list[JSON] = [item.value for item in texts]
    with tempfile.TemporaryDirectory() as folder:
        cleaned = scanners.fixtura_redacts([*secret, *harmless], Path(folder))
    gone = [not scanners.readable(new, item.core) for new, item in zip(cleaned, items, strict=False)]
    changed = [new != old for new, old in zip(cleaned[len(secret) :], harmless, strict=True)]
    both = [*secret, *harmless]
    lines, leaves = scanners.detect_secrets_finds(both), scanners.detect_secrets_on_leaves(both)
    cut = len(secret)
    return {
        "detect-secrets": (lines[:cut], lines[cut:]),
        "detect-secrets, leaves": (leaves[:cut], leaves[cut:]),
        "Fixtura": (gone, changed),
    }


def _scores(labels: Sequence[str], hits: dict[str, list[bool]]) -> dict[str, dict[str, Score]]:
    table: dict[str, dict[str, Score]] = defaultdict(dict)
    for scanner, found in hits.items():
        total, counted = Counter(labels), Counter(label for label, hit in zip(labels, found, strict=True) if hit)
        for label in dict.fromkeys(labels):
            table[label][scanner] = Score(counted[label], total[label])
    return dict(table)


def _samples() -> Counter[str]:
    folder = samples.samples_dir()
    if folder is None:
        return Counter()
    return Counter(each.verdict or "not judged" for each in samples.judged(folder))


def failures(measured: Measured) -> list[str]:
    """What is not at its target."""
    faults = []
    typed, named = (measured.groups[group]["Runwright"] for group in ("typed", "named"))
    for kind, score in measured.kinds.items():
        if kind in planted.TYPED and score["Runwright"].share < TYPED:
            faults.append(f"{kind}: recall {score['Runwright']}")
    for position, score in measured.positions.items():
        if score["Runwright"].share < NAMED:
            faults.append(f"{position}: recall {score['Runwright']}")
    if typed.share < TYPED or named.share < NAMED:
        faults.append(f"recall {typed} of typed keys, {named} of named values")
    alarms = sum(score["Runwright"].found for score in measured.benign.values())
    items = sum(score["Runwright"].of for score in measured.benign.values())
    if alarms > PRECISE * items:
        faults.append(f"{alarms} false alarms in {items} items")
    if measured.judged["not judged"] or measured.judged["no secret"]:
        faults.append(f"real samples: {dict(measured.judged)}")
    return faults
