"""A fingerprint as a value, its digest, and the words of its basis."""

from __future__ import annotations

from typing import Literal, TypeAlias, cast, get_args

import msgspec

from runwright.fingerprint.summary import VERSION as VERSION
from runwright.trace import JSON, OutcomeClass, digest
from runwright.trace.model import EFFECT_KINDS, EffectKind

Shown: TypeAlias = Literal[
    "agents",
    "arguments",
    "concurrency",
    "endpoints",
    "exchanges",
    "flat",
    "models",
    "nesting",
    "order",
    "outcome",
    "tool_outcomes",
    "tools",
]
Fact: TypeAlias = "Shown | EffectKind"
FACTS: tuple[Fact, ...] = (*get_args(Shown), *EFFECT_KINDS)


class Fingerprint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a run did, without its words, ids and times (schema/fingerprint-v1.schema.json).

    `basis` names the facts that the trace could know; it is no part of the digest.
    """

    tools: tuple[str, ...]
    tool_sequences: tuple[tuple[str, ...], ...]
    endpoints: tuple[str, ...]
    models: tuple[str, ...]
    side_effect_kinds: tuple[str, ...]
    graph_hash: str
    outcome_class: OutcomeClass
    basis: tuple[Fact, ...]
    version: int = VERSION


def as_json(print_of: Fingerprint) -> dict[str, JSON]:
    """The fingerprint as plain JSON, fields in the schema's order."""
    return cast("dict[str, JSON]", msgspec.to_builtins(print_of))


def fingerprint_digest(print_of: Fingerprint) -> str:
    """`blake3:<hex>` over the canonical form of everything but the basis: equal behaviour, equal digest."""
    return digest({name: value for name, value in as_json(print_of).items() if name != "basis"})
