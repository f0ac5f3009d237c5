"""Assertions on side effects that a recorded run suggests: of each target the net effect, as a replay would see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import NamedTuple

from runwright.flow.effect_fields import FILES, OPS
from runwright.match.volatile import REDACTED, template
from runwright.trace.model import EFFECT_KINDS, JSON, EffectKind, Record, SideEffect, SideEffectRecord, Trace

SHORT = 60
"""Characters of a content that a suggestion states."""
MOST = 12
"""Targets that are suggested; of more it is said how many."""
WATCHED = ("enforced", "observed")
OUTSIDE = "/outside/"
NEEDS: dict[EffectKind, str] = {
    "sap_transaction": "CAPABILITY: nothing observes it at replay",
    "db_change": "CAPABILITY unless effects.databases names the database",
}


class SuggestedEffect(NamedTuple):
    """An assertion as the flow would state it, the records it rests on, and what to know about it."""

    assertion: dict[str, JSON]
    cites: tuple[str, ...]
    why: str


def suggested_effects(trace: Trace, head: Sequence[Record], until: str | None) -> Iterator[SuggestedEffect]:
    """The effects up to where the flow can decide, and the watched kinds of which there was none."""
    reached = [each for each in head if isinstance(each, SideEffectRecord)]
    later = {_key(each.side_effect) for each in trace.effects[len(reached) :]} if until else set()
    found = [each for group in _by_target(reached) if (each := _suggestion(trace, group, later)) is not None]
    for n, each in enumerate(found[:MOST], start=1):
        more = len(found) - MOST
        yield each._replace(why=f"{each.why}; {more} more targets are not listed") if n == MOST and more > 0 else each
    yield from _none(trace)


def _by_target(effects: Iterable[SideEffectRecord]) -> list[list[SideEffectRecord]]:
    """The effects that a replay sees as one: of a file all, of what is no file each that is not the same once more."""
    groups: dict[tuple[str, ...], list[SideEffectRecord]] = {}
    for each in effects:
        groups.setdefault(_key(each.side_effect), []).append(each)
    return list(groups.values())


def _key(effect: SideEffect) -> tuple[str, ...]:
    if effect.kind in FILES:
        return ("file", effect.target)
    return (effect.kind, effect.target, effect.op or "")


def _suggestion(trace: Trace, group: Sequence[SideEffectRecord], later: set[tuple[str, ...]]) -> SuggestedEffect | None:
    """The net effect on one target; None where it left none, or none whose name the next run knows."""
    first, last = group[0].side_effect, group[-1].side_effect
    target = _target(last.target, trace)
    if target is None or (last.kind == "fs_delete" and first.op == "create") or _is_moved_on(trace, group):
        return None
    how = trace.header.observation.get(last.kind, "imported")
    assertion: dict[str, JSON] = {"kind": last.kind}
    assertion["target"] = f"{last.op} {target}" if last.kind == "http_request" and last.op else target
    if how in WATCHED and len(group) == 1 and last.op in OPS.get(last.kind, ()):
        assertion["op"] = last.op
    content = last.after.content if last.after else None
    if content is not None and _is_plain(content) and _key(last) not in later:
        assertion["after"] = {"content": {"equals": content}}
    return SuggestedEffect({"assert_side_effect": assertion}, tuple(each.id for each in group), _why(group, how))


def _why(group: Sequence[SideEffectRecord], how: str) -> str:
    last = group[-1].side_effect
    causes = dict.fromkeys(each.side_effect.caused_by for each in group if each.side_effect.caused_by)
    cause = f", caused by {', '.join(causes)}" if causes else ""
    needs = f"; {NEEDS[last.kind]}" if last.kind in NEEDS else ""
    return f"{', '.join(each.id for each in group)} ({how}){cause}{needs}"


def _is_moved_on(trace: Trace, group: Sequence[SideEffectRecord]) -> bool:
    """Whether a move among other changes leaves open what a replay would see where."""
    if trace.header.observation.get(group[-1].side_effect.kind) in WATCHED:
        return False  # a net effect by then
    target = group[0].side_effect.target
    moves = [each.side_effect for each in trace.effects if each.side_effect.kind == "fs_rename"]
    ends = [end for each in moves for end in (each.target, each.detail.get("to"))]
    alone = len(group) == 1 and group[0].side_effect.kind == "fs_rename"
    return target in ends and not (alone and ends.count(target) == 1)


def _target(target: str, trace: Trace) -> str | None:
    """The target as a glob that the next run's would fit; None where nothing of it is known before."""
    if target.startswith(OUTSIDE) or REDACTED.search(target):
        return None
    folder = trace.header.ext.get("cwd")
    if isinstance(folder, str) and target.startswith(f"{folder.rstrip('/')}/"):
        target = target[len(folder.rstrip("/")) + 1 :]
    elif target.startswith(("/", "~")):
        target = f"**/{target.rpartition('/')[2]}"
    parts = template(target)
    free = [f"{each.form.removeprefix('port:')}:*" if each.shape == "port" else "*" for each in parts.tokens]
    return "".join(chain.from_iterable(zip_longest(parts.literals, free, fillvalue="")))


def _is_plain(content: str) -> bool:
    """Whether the next run may be expected to write just this, and a person to read it in one line."""
    return len(content) <= SHORT and not template(content).tokens and not REDACTED.search(content)


def _none(trace: Trace) -> Iterator[SuggestedEffect]:
    """The watched kinds that did not happen; all kinds of files are one line."""
    happened = {record.side_effect.kind for record in trace.effects}
    how = trace.header.observation
    none = [kind for kind in EFFECT_KINDS if how.get(kind) in WATCHED and kind not in happened]
    if set(FILES) <= set(none):
        yield SuggestedEffect({"assert_no_side_effect": {"kind": "fs"}}, (), f"{how[FILES[0]]}, and none happened")
        none = [kind for kind in none if kind not in FILES]
    for kind in none:
        yield SuggestedEffect({"assert_no_side_effect": {"kind": kind}}, (), f"{how[kind]}, and none happened")
