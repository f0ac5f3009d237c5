"""Fingerprints as a person reads them, and as JSON: those that are equal once, with the names of their traces."""

from __future__ import annotations

from runwright.fingerprint.summary import summary_digest

TYPE_CHECKING = False  # the module typing takes longer to load than a small trace to read
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from runwright.fingerprint.summary import Summary
    from runwright.trace.model import JSON

    Group: TypeAlias = tuple[str, Summary, tuple[str, ...]]
    """A digest, the fingerprint that has it, and the names of its traces."""


def groups_of(found: Sequence[tuple[str, Summary]]) -> list[Group]:
    """The fingerprints, each once; its basis is what all of its traces know."""
    groups: dict[str, tuple[Summary, tuple[str, ...]]] = {}
    for name, each in found:
        digest = summary_digest(each)
        first, names = groups.get(digest, (each, ()))
        shared = tuple(fact for fact in first["basis"] if fact in each["basis"])
        groups[digest] = ({**first, "basis": shared}, (*names, name))
    return [(digest, first, names) for digest, (first, names) in groups.items()]


def summaries_json(found: Sequence[tuple[str, Summary]]) -> JSON:
    """What `runwright fingerprint --json` prints."""
    return {
        "fingerprints": [
            {"digest": digest, "traces": list(names), "fingerprint": each}  # type: ignore[dict-item] # it is JSON
            for digest, each, names in groups_of(found)
        ]
    }


def summaries_text(found: Sequence[tuple[str, Summary]]) -> str:
    """The groups, one after the other."""
    return "\n".join("".join(f"{line}\n" for line in _lines(group)) for group in groups_of(found))


def _lines(group: Group) -> Iterator[str]:
    digest, each, names = group
    yield digest
    yield f"  traces             {', '.join(names)}"
    yield from _field("tools", each["tools"])
    yield from _field("tool_sequences", [", ".join(sequence) for sequence in each["tool_sequences"]])
    yield from _field("endpoints", each["endpoints"])
    yield from _field("models", each["models"])
    yield from _field("side_effect_kinds", each["side_effect_kinds"])
    yield from _field("graph_hash", [each["graph_hash"]])
    yield from _field("outcome_class", [each["outcome_class"]])
    yield from _field("basis", [", ".join(each["basis"])] if each["basis"] else [])


def _field(name: str, values: Sequence[str]) -> Iterator[str]:
    for at, value in enumerate(values or ["-"]):
        yield f"  {name if at == 0 else '':17}  {value}"
