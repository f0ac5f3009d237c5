"""What the agent did outside: the destinations it was refused, and the changes that a supervisor saw it attempt."""

from __future__ import annotations

from typing import NamedTuple

from runwright.dialects.fields import count_at, kind_of, list_at, object_at, optional_text_at, text_at
from runwright.readers.flowproof.keys import left_out
from runwright.readers.reading import Reading
from runwright.trace.model import (
    EFFECT_KINDS,
    JSON,
    EffectKind,
    FaultRecord,
    Observation,
    PolicyRecord,
    Record,
    SideEffect,
    SideEffectRecord,
)

EGRESS = "egress"
EGRESS_TERMS = ("containment", "allowed")
SEEN: tuple[EffectKind, ...] = ("fs_write", "fs_delete", "fs_rename", "fs_truncate", "http_request")
"""The kinds that the supervisor traps; it calls every one on files `fs_write`, and its `op` says which it is."""

OPERATIONS: dict[str, EffectKind] = {
    "unlink": "fs_delete",
    "unlinkat": "fs_delete",
    "rmdir": "fs_delete",
    "rename": "fs_rename",
    "renameat": "fs_rename",
    "renameat2": "fs_rename",
    "truncate": "fs_truncate",
    "ftruncate": "fs_truncate",
}
DETAIL = ("target_note", "flags")
RESERVED = ("before", "after", "diff")
FIELDS = ("kind", "target", "op", "at_ms", *DETAIL, *RESERVED)
BLIND = "writes that append, create exclusively or overwrite without truncating; what is listed are attempts"


class Observed(NamedTuple):
    """The records of the lane, without ids, and how each kind of effect was watched."""

    records: list[Record]
    observation: dict[str, Observation]


def egress_records(value: JSON, reading: Reading) -> list[PolicyRecord]:
    """A denial for each destination that the containment refused."""
    if value is None:
        return []
    egress = object_at(value, "$.egress")
    left_out(egress, (*EGRESS_TERMS, "blocked"), "$.egress", reading)
    return [
        _denied(each, f"$.egress.blocked[{at}]", reading)
        for at, each in enumerate(list_at(egress.get("blocked"), "$.egress.blocked"))
    ]


def _denied(value: JSON, place: str, reading: Reading) -> PolicyRecord:
    event = object_at(value, place)
    left_out(event, ("destination", "protocol", "at_ms"), place, reading)
    destination = text_at(event.get("destination"), f"{place}.destination")
    protocol = text_at(event.get("protocol"), f"{place}.protocol")
    return PolicyRecord(
        id="", policy=EGRESS, verdict="deny", reason=f"{destination} ({protocol})", t=_seconds(event, place)
    )


def observed_effects(value: JSON, reading: Reading) -> Observed:
    """The effects in their order, a fault for each failure of the supervisor; nothing where nobody watched."""
    if value is None:
        return Observed([], {})
    lane = object_at(value, "$.side_effects")
    left_out(lane, ("observation", "effects", "faults"), "$.side_effects", reading)
    text_at(lane.get("observation"), "$.side_effects.observation")
    reading.lose("not_captured", BLIND, "$.side_effects")
    records: list[Record] = []
    for at, each in enumerate(list_at(lane.get("effects"), "$.side_effects.effects")):
        records.append(_effect(object_at(each, place := f"$.side_effects.effects[{at}]"), place, reading))
    for at, each in enumerate(list_at(lane.get("faults"), "$.side_effects.faults")):
        records.append(_fault(text_at(each, f"$.side_effects.faults[{at}]")))
    return Observed(records, dict.fromkeys(SEEN, "imported"))


def _effect(effect: dict[str, JSON], place: str, reading: Reading) -> Record:
    left_out(effect, FIELDS, place, reading)
    kind, op = text_at(effect.get("kind"), f"{place}.kind"), optional_text_at(effect.get("op"), f"{place}.op")
    known = next((each for each in EFFECT_KINDS if each == kind), None)
    if known is None:
        reading.lose("unsupported", f"an effect of kind {kind!r}", place)
        return _fault(f"an effect of kind {kind!r} is not read")
    for name in RESERVED:
        if effect.get(name) is not None:
            reading.lose("dropped", f"{name!r} of an effect: {kind_of(effect[name])} of no known form", place)
    details: dict[str, JSON] = {name: effect[name] for name in DETAIL if effect.get(name) is not None}
    return SideEffectRecord(
        id="",
        t=_seconds(effect, place),
        side_effect=SideEffect(
            kind=OPERATIONS.get(op or "", known) if known == "fs_write" else known,
            target=_target(effect, place),
            op=op,
            detail=details,
        ),
    )


def _target(effect: dict[str, JSON], place: str) -> str:
    """The target; where it was withheld, the note that says why stands for it."""
    target = optional_text_at(effect.get("target"), f"{place}.target")
    note = optional_text_at(effect.get("target_note"), f"{place}.target_note")
    return target or f"({note or 'unknown target'})"


def _fault(detail: str) -> FaultRecord:
    return FaultRecord(id="", kind="observer_failed", detail=detail, hides=("side_effect",))


def _seconds(event: dict[str, JSON], place: str) -> float:
    """Seconds since the agent was started."""
    return max(0, count_at(event.get("at_ms"), f"{place}.at_ms")) / 1000
