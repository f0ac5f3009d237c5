"""From the notes of a trace to its fingerprint, as plain JSON."""

from __future__ import annotations

import json

from blake3 import blake3

from runwright.fingerprint.basis import basis
from runwright.fingerprint.calls import union
from runwright.fingerprint.ending import ending
from runwright.fingerprint.fold import counted
from runwright.fingerprint.graph import graph_of
from runwright.fingerprint.hashing import graph_hash
from runwright.fingerprint.note import Http
from runwright.fingerprint.sequences import sequences
from runwright.fingerprint.shape import tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict

    from runwright.fingerprint.note import Noted
    from runwright.trace.ends import OutcomeClass

    class Summary(TypedDict):
        """A fingerprint's fields, as plain JSON; tuples stand for lists."""

        tools: tuple[str, ...]
        tool_sequences: tuple[tuple[str, ...], ...]
        endpoints: tuple[str, ...]
        models: tuple[str, ...]
        side_effect_kinds: tuple[str, ...]
        graph_hash: str
        outcome_class: OutcomeClass
        basis: tuple[str, ...]
        version: int


VERSION = 1
"""The version of the fingerprints that are made."""


def summary(noted: Noted) -> Summary:
    """The fields of the fingerprint, in the schema's order."""
    calls = union(noted.notes)
    graph = graph_of(noted.notes, calls)
    outcome = ending(noted, graph)
    known = basis(noted, graph, calls, outcome)
    return {
        "tools": tuple(sorted({written for call in calls for written in tool(call.name, call.shapes)})),
        "tool_sequences": sequences(graph),
        "endpoints": counted([note.endpoint for note in noted.notes if type(note) is Http] or noted.targets),
        "models": tuple(sorted({exchange.model for exchange in noted.exchanges if exchange.model})),
        "side_effect_kinds": counted(noted.effects),
        "graph_hash": graph_hash(graph, known),
        "outcome_class": outcome or "unknown",
        "basis": tuple(sorted(known)),
        "version": VERSION,
    }


def summary_digest(of: Summary) -> str:
    """`blake3:<hex>` over the canonical form of everything but the basis.

    A fingerprint has no floats, and no keys but ASCII ones: written so, it is in canonical form.
    """
    told = {name: value for name, value in of.items() if name != "basis"}
    written = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return f"blake3:{blake3(written.encode()).hexdigest()}"
