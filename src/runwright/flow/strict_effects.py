"""`effects: strict`: whether the side effects of a replay are those of its recording."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from msgspec import UNSET, UnsetType, structs

from runwright.flow.difference import FieldDifference
from runwright.flow.gather import RECORDED, hidden_in
from runwright.flow.judge_effects import SHOWN, WATCHED
from runwright.flow.near_effect import short
from runwright.flow.spec import Flow
from runwright.flow.state import Found, failed
from runwright.flow.targets import concerns, shown
from runwright.match import Apart, Matcher, Missing
from runwright.trace.model import (
    EFFECT_KINDS,
    JSON,
    EffectKind,
    McpRecord,
    Record,
    SideEffect,
    SideEffectRecord,
    ToolRecord,
    Trace,
)

STRICT_EFFECTS = "effects: strict"
MOST = 100
"""Fields that are told of all that differs; the finding says how many effects do."""


@dataclass(frozen=True, kw_only=True)
class EffectsCompared:
    """What comparing two lanes of side effects found.

    `apart` is what must be the same and is not; `unsure` is what a fault may explain, or whose time nobody knows;
    `hidden` are kinds of which a fault may hide one that happened. `later` is what was not reached, or came after a
    later miss; `agreed` counts the pairs. `lacking` are kinds that the recording watched and this run did not,
    `unrecorded` those that the recording did not watch. `stale` are the globs of `effects.ignore` that named no effect
    of either side.
    """

    apart: tuple[Apart, ...] = ()
    unsure: tuple[Apart, ...] = ()
    hidden: tuple[EffectKind, ...] = ()
    later: tuple[Apart, ...] = ()
    agreed: int = 0
    compared: tuple[EffectKind, ...] = ()
    lacking: tuple[EffectKind, ...] = ()
    unrecorded: tuple[EffectKind, ...] = ()
    stale: tuple[str, ...] = ()


def compare_effects(flow: Flow, cassette: Trace, live: Trace, matcher: Matcher) -> EffectsCompared | None:
    """The live side effects against those of the cassette; None where the flow does not ask for it.

    `matcher` has served all it will: what stood for what in the requests stands for it in the effects too.
    """
    if flow.effects is None or flow.effects.compare is None:
        return None
    kinds, everything = _watched(cassette), (*cassette.effects, *live.effects)
    compared = tuple(kind for kind in kinds if kind in _watched(live))
    there, here = (_lane(each, compared, flow.effects.ignore) for each in (cassette, live))
    found = matcher.effects(there, here)
    late = _late(flow, cassette, live) if matcher.missed is not None and matcher.missed.later else _never
    apart = [part for each in found.apart for part in _unmixed(each, late)]
    told = EffectsCompared(
        agreed=len(found.agreed),
        hidden=tuple(kind for kind in compared if {"side_effect", kind} & set(hidden_in(live))),
        later=tuple(filter(late, apart)),
        compared=compared,
        lacking=tuple(kind for kind in kinds if kind not in compared),
        unrecorded=tuple(
            dict.fromkeys(each.side_effect.kind for each in everything if each.side_effect.kind not in kinds)
        ),
        stale=tuple(glob for glob in flow.effects.ignore if not _names_any(glob, everything)),
    )
    parted = _parted(told, [each for each in apart if not late(each)], hidden_in(cassette))
    if not any(each.t is not None for each in live.models):
        return parted  # lines tell what came after what
    untimed = [each for each in parted.later if each.live is not None and each.live.t is None]
    later = tuple(each for each in parted.later if each not in untimed)
    return replace(parted, later=later, unsure=(*parted.unsure, *untimed))


def judge_strict(compared: EffectsCompared | None) -> Found:
    """What the comparison says; nothing that was not compared is the same."""
    if compared is None:
        return Found(state="capability", detail="nothing compared the side effects")
    if compared.apart:
        return failed(_told(compared.apart), differences=tuple(islice(_all_fields(compared.apart), MOST)))
    if compared.lacking:
        return Found(state="capability", detail=f"not observed here: {', '.join(compared.lacking)}")
    if not compared.compared:
        return Found(state="capability", detail="the recording did not observe side effects: there are none to compare")
    if compared.unsure:
        detail = f"a fault, or when it happened, may explain: {_told(compared.unsure)}"
        return Found(state="not_judged", detail=detail, differences=tuple(islice(_all_fields(compared.unsure), MOST)))
    if compared.hidden:
        return Found(state="not_judged", detail=f"a fault in the live run may hide {', '.join(compared.hidden)}")
    return Found(state="held", detail=f"{compared.agreed} as recorded")


def not_reached(compared: EffectsCompared | None) -> Iterator[str]:
    """The side effects that a later miss leaves open, each on one line."""
    for each in compared.later if compared else ():
        yield f"{shown(_of(each))} ({'' if each.recorded else 'live '}{_ids(each)})"


def effect_notes(compared: EffectsCompared | None) -> Iterator[str]:
    """What of the side effects the verdict does not rest on."""
    if compared is not None and compared.compared and compared.unrecorded:
        yield f"side effects not compared, as the recording did not observe them: {', '.join(compared.unrecorded)}"


# --- what is compared ------------------------------------------------------------------------------


def _watched(trace: Trace) -> tuple[EffectKind, ...]:
    return tuple(kind for kind in EFFECT_KINDS if trace.header.observation.get(kind) in WATCHED)


def _lane(trace: Trace, kinds: Sequence[EffectKind], ignored: Sequence[str]) -> list[SideEffectRecord]:
    causes = _causes(trace)
    return [
        structs.replace(each, side_effect=structs.replace(effect, caused_by=causes.get(effect.caused_by or "")))
        for each in trace.effects
        if (effect := each.side_effect).kind in kinds and concerns(None, ignored, effect)
    ]


def _causes(trace: Trace) -> dict[str, str]:
    """Each record that can cause an effect by what it is called in both runs: its exchange, its call."""
    found = {each.id: str(each.ext.get(RECORDED, each.id)) for each in trace.models}
    calls = {each.id: each.call_id for each in trace.records if isinstance(each, (ToolRecord, McpRecord))}
    return found | {id: call for id, call in calls.items() if call is not None}


def _names_any(glob: str, effects: Iterable[SideEffectRecord]) -> bool:
    return any(concerns(glob, (), each.side_effect) for each in effects)


def _parted(told: EffectsCompared, apart: Sequence[Apart], hidden_there: Sequence[str]) -> EffectsCompared:
    """What is apart for sure, and what a fault may explain: the other side of it may have been hidden."""

    def may_be(each: Apart) -> bool:
        kind = _of(each).kind
        hidden_here = kind in told.hidden
        return (each.recorded is not None and hidden_here) or (
            each.live is not None and bool({"side_effect", kind} & set(hidden_there))
        )

    unsure = tuple(filter(may_be, apart))
    return replace(told, apart=tuple(each for each in apart if each not in unsure), unsure=unsure)


def _of(apart: Apart) -> SideEffect:
    record = apart.recorded or apart.live
    if record is None:
        raise ValueError("neither recorded nor live")
    return record.side_effect


# --- a later miss ----------------------------------------------------------------------------------


def _never(_: Apart) -> bool:
    return False


def _late(flow: Flow, cassette: Trace, live: Trace) -> Callable[[Apart], bool]:
    """Whether something of a pair lies behind what is strict: behind `until`, and behind what was served for it."""
    models = [each.id for each in cassette.models]
    strict = frozenset(models[: models.index(flow.replay.until) + 1] if flow.replay.until in models else models)
    there = _behind(cassette.records, lambda each: each.id in strict)
    here = _behind(live.records, lambda each: each.ext.get(RECORDED) in strict)
    return lambda each: (
        (each.recorded is not None and each.recorded.id in there) or (each.live is not None and each.live.id in here)
    )


def _unmixed(apart: Apart, late: Callable[[Apart], bool]) -> Iterator[Apart]:
    """Two effects on other targets by themselves where only one of them is late: the other is not excused by it."""
    alone = [Apart(apart.recorded, None), Apart(None, apart.live)]
    if apart.recorded is None or apart.live is None or _one_target(apart) or late(alone[0]) == late(alone[1]):
        yield apart
    else:
        yield from alone


def _one_target(apart: Apart) -> bool:
    """Whether both are on one target."""
    return len({each.side_effect.target for each in (apart.recorded, apart.live) if each is not None}) == 1


def _behind(records: Sequence[Record], is_strict: Callable[[Record], bool]) -> frozenset[str]:
    """The ids of the records behind the last strict one."""
    last = max((n for n, each in enumerate(records) if is_strict(each)), default=-1)
    return frozenset(each.id for each in records[last + 1 :])


# --- in words --------------------------------------------------------------------------------------


def _told(apart: Sequence[Apart]) -> str:
    parts = (
        ("differ", "differs", [each for each in apart if each.recorded and each.live]),
        ("did not happen", "did not happen", [each for each in apart if each.live is None]),
        ("were not recorded", "was not recorded", [each for each in apart if each.recorded is None]),
    )
    return "; ".join(
        f"{len(found)} {many if len(found) > 1 else one}: {_listed(found)}" for many, one, found in parts if found
    )


def _listed(apart: Sequence[Apart]) -> str:
    more = f" and {len(apart) - SHOWN} more" if len(apart) > SHOWN else ""
    return ", ".join(f"{shown(_of(each))} ({_ids(each)})" for each in apart[:SHOWN]) + more


def _ids(apart: Apart) -> str:
    return " -> ".join(each.id for each in (apart.recorded, apart.live) if each is not None)


def _all_fields(apart: Sequence[Apart]) -> Iterator[FieldDifference]:
    for each in apart:
        yield from _fields(each)


def _fields(apart: Apart) -> Iterator[FieldDifference]:
    """Each field that differs, under the effect's name; of one that stands alone what was done."""
    name = shown(_of(apart))
    if apart.recorded is None or apart.live is None:
        done = _of(apart).op or _of(apart).kind
        alone = {"live": done} if apart.recorded is None else {"recorded": done}
        yield FieldDifference(path=name, **alone)
    for each in apart.differences:
        path = each.path.removeprefix("$").removeprefix(".")
        yield FieldDifference(path=f"{name} {path}".rstrip(), recorded=_side(each.recorded), live=_side(each.live))


def _side(value: JSON | Missing) -> JSON | UnsetType:
    return UNSET if isinstance(value, Missing) else short(value)
