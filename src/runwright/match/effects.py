"""Recorded side effects against live ones: one to one, in no order, by everything that both sides know of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from runwright.match.bindings import Bindings, Trial
from runwright.match.compare import Comparison
from runwright.match.difference import Difference
from runwright.match.normal import as_json
from runwright.match.scope import Scope
from runwright.match.text import Flag
from runwright.match.volatile import REDACTED, template
from runwright.trace.model import JSON, EffectState, SideEffect, SideEffectRecord

OUTSIDE = "/outside/"
"""How names of files outside of the workspace begin; the rest of them is new in every run."""
DETAILS: Mapping[str, tuple[str, ...]] = {
    "http_request": ("template", "status", "request"),
    "db_change": ("columns",),
}
FILE_DETAILS = ("to", "leads", "led", "replaced", "type", "mode", "attributes")
"""What an observer adds that is the run's doing: neither who owns a file, nor the calls that changed it."""

LOOKED = 100
"""How many effects that look alike are compared with one."""

_ALL = Scope(unknown=(), adopted=(), open=False)
_Key: TypeAlias = tuple[str, ...]


class Apart(NamedTuple):
    """A recorded effect that no live one is, a live one that was not recorded, or two that differ in some fields."""

    recorded: SideEffectRecord | None
    live: SideEffectRecord | None
    differences: tuple[Difference, ...] = ()


class EffectMatch(NamedTuple):
    """What became of two lanes: pairs that agree, by their ids, and what is apart, in the order of the lanes."""

    agreed: tuple[tuple[str, str], ...]
    apart: tuple[Apart, ...]


def match_effects(
    recorded: Sequence[SideEffectRecord], live: Sequence[SideEffectRecord], bindings: Bindings, flag: Flag
) -> EffectMatch:
    """Pair the lanes; whatever agrees is bound in `bindings`.

    Effects whose targets are the same on both sides come first: what they bind tells who is who among the others.
    """
    bindings.know(text for each in recorded for text in _texts(each.side_effect))
    pairs = _Pairs(list(recorded), list(live))
    there, here = ({each.id: _signature(each.side_effect) for each in lane} for lane in (recorded, live))

    def fits(one: SideEffectRecord, other: SideEffectRecord) -> bool:
        return not _cannot_agree(there[one.id], here[other.id]) and _agree(one, other, bindings, flag)

    for key in (_as_it_is, _by_name, _by_shape_and_content, _by_shape):
        pairs.join(key, fits)
    pairs.join(_redacted, fits, _by_kind)
    agreed = tuple((one.id, other.id) for one, other in pairs.joined)
    near = _Pairs(pairs.recorded, pairs.live)
    for key in (_by_name, _by_target, _by_shape, _by_content):
        near.join(key, lambda _one, _other: True)
    apart = [Apart(one, other, _differences(one, other, bindings, flag)) for one, other in near.joined]
    apart += [Apart(each, None) for each in near.recorded]
    apart += [Apart(None, each) for each in near.live]
    return EffectMatch(agreed, tuple(sorted(apart, key=_place(recorded, live))))


class _Pairs:
    """Two lanes that are paired step by step; `recorded` and `live` are what is left of them."""

    def __init__(self, recorded: list[SideEffectRecord], live: list[SideEffectRecord]) -> None:
        self.recorded, self.live = recorded, live
        self.joined: list[tuple[SideEffectRecord, SideEffectRecord]] = []

    def join(
        self,
        key: Callable[[SideEffect], _Key | None],
        fits: Callable[[SideEffectRecord, SideEffectRecord], bool],
        live_key: Callable[[SideEffect], _Key | None] | None = None,
    ) -> None:
        """Pair each recorded effect with the first free live one of the same key that fits."""
        free: defaultdict[_Key, list[SideEffectRecord]] = defaultdict(list)
        for each in self.live:
            if (name := (live_key or key)(each.side_effect)) is not None:
                free[name].append(each)
        left = []
        for each in self.recorded:
            name = key(each.side_effect)
            candidates = free[name] if name is not None else []
            found = next((n for n, other in enumerate(candidates[:LOOKED]) if fits(each, other)), None)
            if found is None:
                left.append(each)
            else:
                self.joined.append((each, candidates.pop(found)))
        taken = {other.id for _, other in self.joined}
        self.recorded, self.live = left, [each for each in self.live if each.id not in taken]


def _as_it_is(effect: SideEffect) -> _Key | None:
    if effect.target.startswith(OUTSIDE):
        return None
    digests = (each.digest if each and each.digest else "" for each in (effect.before, effect.after))
    return (effect.kind, effect.target, effect.op or "", *digests, str(effect.detail.get("request", "")))


def _by_name(effect: SideEffect) -> _Key | None:
    return None if effect.target.startswith(OUTSIDE) else (effect.kind, effect.target)


def _by_shape(effect: SideEffect) -> _Key | None:
    """The target with what is new in every run left out."""
    return effect.kind, template(_settled(effect.target)).blank


def _by_shape_and_content(effect: SideEffect) -> _Key | None:
    state = effect.after or effect.before
    content = template(state.content).blank if state and state.content is not None else ""
    size = str(state.size) if state and effect.target.startswith(OUTSIDE) else ""
    return effect.kind, template(_settled(effect.target)).blank, effect.op or "", content, size


def _redacted(effect: SideEffect) -> _Key | None:
    """A target that holds a redacted secret is only told by comparing."""
    return _by_kind(effect) if REDACTED.search(effect.target) else None


def _by_kind(effect: SideEffect) -> _Key:
    return (effect.kind,)


def _by_target(effect: SideEffect) -> _Key | None:
    return None if effect.target.startswith(OUTSIDE) else (effect.target,)


def _by_content(effect: SideEffect) -> _Key | None:
    state = effect.after or effect.before
    return None if state is None or state.digest is None else (effect.kind, effect.op or "", state.digest)


def _place(
    recorded: Sequence[SideEffectRecord], live: Sequence[SideEffectRecord]
) -> Callable[[Apart], tuple[bool, int]]:
    """The order of the recorded lane, then what only the live one has in its own."""
    there = {each.id: n for n, each in enumerate(recorded)}
    here = {each.id: n for n, each in enumerate(live)}

    def place(apart: Apart) -> tuple[bool, int]:
        if apart.recorded is not None:
            return False, there[apart.recorded.id]
        return True, here[apart.live.id] if apart.live else 0

    return place


# --- two effects -----------------------------------------------------------------------------------


def _agree(recorded: SideEffectRecord, live: SideEffectRecord, bindings: Bindings, flag: Flag) -> bool:
    """Whether nothing differs; if so what they bind is kept."""
    trial = Trial(bindings)
    if next(_compared(recorded, live, bindings, trial, flag), None) is not None:
        return False
    trial.commit()
    return True


def _signature(effect: SideEffect) -> tuple[object, ...]:
    """What of an effect can only be equal, None where it may differ or is not known: it settles most comparisons."""
    details = (effect.detail.get(name) for name in DETAILS.get(effect.kind, ()) if name != "template")
    found: list[object] = [effect.op, *(str(each) if each is not None else None for each in details)]
    for state in (effect.before, effect.after):
        content, size = (state.content, state.size) if state else (None, None)
        found.append(None if content is None else _fixed(content))
        found.append(size if state and state.digest is None else None)
    return tuple(found)


def _cannot_agree(recorded: tuple[object, ...], live: tuple[object, ...]) -> bool:
    return any(
        one is not None and other is not None and one != other for one, other in zip(recorded, live, strict=True)
    )


def _fixed(text: str) -> str | None:
    """The text, unless it holds what may differ."""
    return None if template(text).tokens or REDACTED.search(text) else text


def _differences(
    recorded: SideEffectRecord, live: SideEffectRecord, bindings: Bindings, flag: Flag
) -> tuple[Difference, ...]:
    found = _compared(recorded, live, bindings, Trial(bindings), flag)
    return tuple({each.path: each for each in found}.values())


def _compared(
    recorded: SideEffectRecord, live: SideEffectRecord, bindings: Bindings, trial: Trial, flag: Flag
) -> Iterator[Difference]:
    one, other = recorded.side_effect, live.side_effect
    return Comparison(_ALL, (), bindings, trial, flag).values(_comparable(one, other), _comparable(other, one))


def _comparable(effect: SideEffect, other: SideEffect) -> JSON:
    """What of an effect is compared with another: what both know."""
    plain: dict[str, JSON] = {"kind": effect.kind, "target": _settled(effect.target)}
    if effect.op is not None and other.op is not None:
        plain["op"] = effect.op
    if effect.caused_by is not None and other.caused_by is not None:
        plain["caused_by"] = effect.caused_by
    by_diff = effect.diff is not None and other.diff is not None and not _told(effect.after, other.after)
    plain["before"] = _state(effect.before, other.before)
    plain["after"] = _presence(effect.after) if by_diff else _state(effect.after, other.after)
    if by_diff:
        plain["diff"] = effect.diff
    return {**plain, "detail": _detail(effect, other)}


def _told(one: EffectState | None, other: EffectState | None) -> bool:
    """Whether content or digests tell that two states are the same, or what differs."""
    if one is None or other is None:
        return False
    return (one.content is not None and other.content is not None) or _same(one, other)


def _same(one: EffectState, other: EffectState) -> bool:
    return one.digest is not None and one.digest == other.digest


def _state(state: EffectState | None, other: EffectState | None) -> JSON:
    """The content where both have it, else digest and size where both have those."""
    if state is None or other is None or _same(state, other):
        return _presence(state)
    if state.content is not None and other.content is not None:
        return {"content": state.content}
    known = {"digest": (state.digest, other.digest), "size": (state.size, other.size)}
    return {key: mine for key, (mine, theirs) in known.items() if mine is not None and theirs is not None}


def _presence(state: EffectState | None) -> JSON:
    return None if state is None else {}


def _detail(effect: SideEffect, other: SideEffect) -> JSON:
    names = DETAILS.get(effect.kind, FILE_DETAILS if effect.kind.startswith("fs_") else tuple(effect.detail))
    told = {
        name: as_json(_settled_detail(name, effect.detail[name]))
        for name in names
        if name in effect.detail and (name in other.detail or effect.kind.startswith("fs_"))
    }
    return dict(sorted(told.items()))


def _settled_detail(name: str, value: JSON) -> JSON:
    if isinstance(value, dict):
        return {key: _settled_detail(name, each) for key, each in value.items()}
    if not isinstance(value, str):
        return value
    return value[:2] if name == "mode" else _settled(value)  # the rest is the mask of whoever runs it


def _settled(target: str) -> str:
    """A target without the part of it that is chosen anew for every run."""
    return OUTSIDE if target.startswith(OUTSIDE) else target


def _texts(effect: SideEffect) -> Iterator[str]:
    yield effect.target
    for text in (effect.diff, *(each.content for each in (effect.before, effect.after) if each)):
        if text is not None:
            yield text
