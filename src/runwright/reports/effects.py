"""What an agent did to the world, as a report tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TypeGuard

from runwright.reports.model import EffectsReport
from runwright.reports.shown import plural
from runwright.trace.model import (
    EFFECT_KINDS,
    JSON,
    EffectState,
    FaultRecord,
    PolicyRecord,
    SideEffect,
    SideEffectRecord,
    Trace,
)
from runwright.trace.visible import visible

MOST = 100
"""Effects that a report lists; of more it says how many."""
LINES = 8
"""Effects that a report for reading lists."""
CONTAIN = "contain"
WATCHED = ("enforced", "observed")


def effects_of(trace: Trace) -> EffectsReport | None:
    """The summary of a live side; None where nobody looked and nothing was seen or refused."""
    refused = tuple(
        visible(each.reason or "")
        for each in trace.records
        if isinstance(each, PolicyRecord) and each.policy == CONTAIN and each.verdict == "deny"
    )
    watched = [kind for kind, how in trace.header.observation.items() if how in WATCHED]
    if not (watched or refused or trace.effects):
        return None
    told = trace.header.ext.get("observe")
    told = told if isinstance(told, dict) else {}
    return EffectsReport(
        counts=dict(Counter(each.side_effect.kind for each in trace.effects)),
        seen=tuple(map(effect_line, trace.effects[:MOST])),
        more=max(len(trace.effects) - MOST, 0),
        watched=tuple(watched),
        unchanged=_count(told.get("unchanged")),
        left_out=_numbers(told.get("filtered")),
        not_seen=tuple(visible(each.detail) for each in trace.records if _hides_effects(each)),
        refused=refused,
    )


def effect_line(record: SideEffectRecord) -> str:
    """`e1 fs_write append out/a.csv, 3 -> 6 bytes`: one effect on one line, whatever its target is called."""
    effect = record.side_effect
    parts = (record.id, effect.kind, effect.op or "", effect.target)
    to = effect.detail.get("to") or effect.detail.get("leads")
    arrow = f" -> {to}" if isinstance(to, str) else ""
    return visible(" ".join(part for part in parts if part) + arrow + "".join(_extras(effect)))


def summary_lines(effects: EffectsReport) -> Iterator[str]:
    """The counts, then a line for each effect, then what is beside them."""
    none = "none seen" if effects.watched else "not looked for"
    counted = ", ".join(f"{number} {kind}" for kind, number in effects.counts.items()) or none
    beside = [f"{number} {rule}" for rule, number in effects.left_out.items()]
    left_out = f"; left out: {', '.join(beside)}" if beside else ""
    unchanged = f"; {plural(effects.unchanged, 'file')} written and unchanged" if effects.unchanged else ""
    yield f"side effects: {counted}{unchanged}{left_out}"
    yield from (f"  {each}" for each in effects.seen[:LINES])
    hidden = len(effects.seen[LINES:]) + effects.more
    if hidden:
        yield f"  and {hidden} more"
    yield from (f"  not seen: {each}" for each in effects.not_seen[:LINES])
    yield from (f"  refused: {each}" for each in effects.refused[:LINES])
    if len(effects.refused) > LINES:
        yield f"  and {len(effects.refused) - LINES} more refused"


def _extras(effect: SideEffect) -> Iterator[str]:
    sizes = [str(each.size) for each in (effect.before, effect.after) if each is not None and each.size is not None]
    if sizes and not _same(effect.before, effect.after):
        yield f", {' -> '.join(sizes)} bytes"
    status = effect.detail.get("status")
    if isinstance(status, int):
        yield f", status {status}"
    columns = effect.detail.get("columns")
    if isinstance(columns, list):
        yield f", {', '.join(map(str, columns))}"


def _same(before: EffectState | None, after: EffectState | None) -> bool:
    return before is not None and after is not None and before.digest == after.digest and before.size == after.size


def _hides_effects(record: object) -> TypeGuard[FaultRecord]:
    return isinstance(record, FaultRecord) and bool({"side_effect", *EFFECT_KINDS} & set(record.hides))


def _count(value: JSON) -> int:
    return len(value) if isinstance(value, list) else 0


def _numbers(value: JSON) -> dict[str, int]:
    told = value if isinstance(value, dict) else {}
    return {rule: number for rule, number in told.items() if isinstance(number, int)}
