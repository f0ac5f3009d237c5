"""The measurement as the tables of docs/reference/secret-gate.md."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.gate.measure import SCANNERS, Measured, Score
from scripts.gate.planted import TYPED


def markdown(measured: Measured) -> str:
    """The measured part of the page."""
    return "\n".join((*_summary(measured), "", *_kinds(measured), "", *_positions(measured), "", *_benign(measured)))


def _summary(measured: Measured) -> Iterator[str]:
    yield from _head("")
    for group, words in (("typed", "typed keys found"), ("named", "values found that only a name gives away")):
        yield _row(words, measured.groups[group])
    scores = {name: _total([row[name] for row in measured.benign.values() if name in row]) for name in SCANNERS}
    yield _row("false alarms", scores)
    precision = {
        name: f"{_total([row[name] for row in measured.groups.values()]).found / max(1, _alarmed(measured, name)):.3f}"
        for name in SCANNERS
        if name in measured.groups["typed"]
    }
    yield _row("precision, on both sets together", precision)
    yield ""
    judged = ", ".join(f"{count} {word}" for word, count in sorted(measured.judged.items())) or "none on this machine"
    yield f"Findings in the real samples, each judged by a reader: {judged}."


def _alarmed(measured: Measured, name: str) -> int:
    planted = _total([row[name] for row in measured.groups.values()]).found
    return planted + _total([row[name] for row in measured.benign.values()]).found


def _kinds(measured: Measured) -> Iterator[str]:
    yield from _head("kind, found of 20 values in 10 positions")
    for kind, scores in measured.kinds.items():
        yield _row(kind if kind in TYPED else f"{kind}, by its name", scores)


def _positions(measured: Measured) -> Iterator[str]:
    yield from _head("position, found of all kinds")
    for position, scores in measured.positions.items():
        yield _row(position, scores)


def _benign(measured: Measured) -> Iterator[str]:
    yield from _head("harmless, taken for a secret")
    for kind, scores in measured.benign.items():
        yield _row(kind, scores)


def _head(first: str) -> Iterator[str]:
    yield f"| {first} | {' | '.join(SCANNERS)} |"
    yield "|---" * (len(SCANNERS) + 1) + "|"


def _row(first: str, scores: dict[str, Score] | dict[str, str]) -> str:
    return f"| {first} | {' | '.join(str(scores.get(name, '')) for name in SCANNERS)} |"


def _total(scores: list[Score]) -> Score:
    return Score(sum(score.found for score in scores), sum(score.of for score in scores))
