"""Fingerprints as a person reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from runwright.fingerprint.agree import Agreement
from runwright.fingerprint.model import Fingerprint, as_json, fingerprint_digest
from runwright.trace import JSON

Named = tuple[str, Fingerprint]


def grouped(prints: Sequence[Named]) -> list[tuple[Fingerprint, tuple[str, ...]]]:
    """The fingerprints, each once, with the names of the traces that have it; its basis is what all of them know."""
    groups: dict[str, tuple[Fingerprint, tuple[str, ...]]] = {}
    for name, each in prints:
        first, names = groups.setdefault(fingerprint_digest(each), (each, ()))
        shared = tuple(fact for fact in first.basis if fact in each.basis)
        groups[fingerprint_digest(each)] = (replace(first, basis=shared), (*names, name))
    return list(groups.values())


def fingerprints_json(prints: Sequence[Named]) -> JSON:
    """What `runwright fingerprint --json` prints."""
    return {
        "fingerprints": [
            {"digest": fingerprint_digest(each), "traces": list(names), "fingerprint": as_json(each)}
            for each, names in grouped(prints)
        ]
    }


def fingerprints_text(prints: Sequence[Named]) -> str:
    """The groups, one after the other."""
    return "\n".join("".join(f"{line}\n" for line in _lines(each, names)) for each, names in grouped(prints))


def _lines(each: Fingerprint, names: Sequence[str]) -> Iterator[str]:
    yield fingerprint_digest(each)
    yield f"  traces             {', '.join(names)}"
    yield from _field("tools", each.tools)
    yield from _field("tool_sequences", [", ".join(sequence) for sequence in each.tool_sequences])
    yield from _field("endpoints", each.endpoints)
    yield from _field("models", each.models)
    yield from _field("side_effect_kinds", each.side_effect_kinds)
    yield from _field("graph_hash", [each.graph_hash])
    yield from _field("outcome_class", [each.outcome_class])
    yield from _field("basis", [", ".join(each.basis)] if each.basis else [])


def _field(name: str, values: Sequence[str]) -> Iterator[str]:
    for at, value in enumerate(values or ["-"]):
        yield f"  {name if at == 0 else '':17}  {value}"


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
