"""Fingerprints as a person reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

import msgspec

from runwright.fingerprint.agree import Agreement
from runwright.fingerprint.model import Fingerprint, as_json
from runwright.fingerprint.shown import groups_of, summaries_json, summaries_text
from runwright.trace import JSON

if TYPE_CHECKING:
    from runwright.fingerprint.summary import Summary

Named = tuple[str, Fingerprint]


def grouped(prints: Sequence[Named]) -> list[tuple[Fingerprint, tuple[str, ...]]]:
    """The fingerprints, each once, with the names of the traces that have it; its basis is what all of them know."""
    return [(msgspec.convert(each, Fingerprint), names) for _, each, names in groups_of(_plain(prints))]


def fingerprints_json(prints: Sequence[Named]) -> JSON:
    """What `runwright fingerprint --json` prints."""
    return summaries_json(_plain(prints))


def fingerprints_text(prints: Sequence[Named]) -> str:
    """The groups, one after the other."""
    return summaries_text(_plain(prints))


def _plain(prints: Sequence[Named]) -> list[tuple[str, Summary]]:
    return [(name, cast("Summary", as_json(each))) for name, each in prints]


def agreements_json(judged: Sequence[tuple[str, Agreement]]) -> JSON:
    """What `runwright fingerprint --against --json` prints."""
    return {
        "judged": [
            {
                "trace": name,
                "verdict": each.verdict,
                "differences": [
                    {"field": one.field, "recorded": one.recorded, "live": one.live} for one in each.differences
                ],
                "compared": list(each.compared),
                "not_compared": list(each.not_compared),
            }
            for name, each in judged
        ]
    }


def agreements_text(judged: Sequence[tuple[str, Agreement]]) -> str:
    """The verdict of each trace, then a line for each field that differs, then what was not compared."""
    return "".join(f"{line}\n" for name, each in judged for line in _judged(name, each))


def _judged(name: str, each: Agreement) -> Iterator[str]:
    over = f", over {', '.join(each.compared)}" if each.compared else ": nothing is known on both sides"
    yield f"{each.verdict}  {name}{over}"
    if each.verdict == "UNVERIFIED" and each.compared:
        yield "  nothing of what the runs did is known on both sides"
    for difference in each.differences:
        yield f"  {difference}"
    for reason in each.not_compared:
        yield f"  not compared: {reason}"
