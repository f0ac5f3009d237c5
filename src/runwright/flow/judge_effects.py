"""Assertions on side effects; nothing is certified that nobody watched."""

from __future__ import annotations

from collections.abc import Sequence

from runwright.flow.assertions import EffectWord, NoSideEffect, SideEffectMust
from runwright.flow.effect_fields import kinds_of, matched
from runwright.flow.evidence import Effect, Evidence
from runwright.flow.near_effect import nearest_effect
from runwright.flow.state import Found, failed, held
from runwright.flow.targets import SERVER, concerns, server_of, shown
from runwright.trace.model import EffectKind

WATCHED = ("enforced", "observed")
SHOWN = 5


def judge_side_effect(assertion: SideEffectMust, evidence: Evidence) -> Found:
    """Effects of the kind, on targets that the glob names, as often as said."""
    low, high = assertion.at_least, assertion.at_most
    fitting, unsure = _fitting(assertion, evidence)
    if high is not None and len(fitting) > high:
        return Found(state="failed", detail=f"{_times(len(fitting))}: {listed(fitting)}", too_many=True)
    if len(fitting) >= low and high is None:
        return held(listed(fitting))
    if unsure and (len(fitting) < low or (high is not None and len(fitting) + len(unsure) > high)):
        return _untold(unsure)
    found = uncertain(evidence, assertion.kind, assertion.target)
    if found is not None:
        return found
    return held(listed(fitting)) if len(fitting) >= low else _too_few(assertion, evidence, fitting)


def judge_no_effect(assertion: NoSideEffect, evidence: Evidence) -> Found:
    """No effect of the kind but those excepted, while somebody watched."""
    fitting, unsure = _fitting(assertion, evidence)
    if fitting:
        return failed(listed(fitting))
    if unsure:
        return _untold(unsure)
    return uncertain(evidence, assertion.kind, assertion.target) or held()


def uncertain(evidence: Evidence, word: EffectWord, target: str | None) -> Found | None:
    """Why an effect of the kind that was not seen may have happened there; None where it would have been seen."""
    unwatched = [kind for kind in kinds_of(word) if evidence.observation.get(kind) not in WATCHED]
    if unwatched:
        how = evidence.observation.get(unwatched[0], "not_observed").replace("_", " ")
        return Found(state="capability", detail=f"{unwatched[0]} is {how} here: that none was seen proves nothing")
    if word == "db_change" and (database := _unnamed(evidence, target)):
        return Found(state="capability", detail=f"{database} is not observed here: effects.databases does not name it")
    return behind_a_fault(word) if hidden(evidence, *kinds_of(word)) else None


def _unnamed(evidence: Evidence, target: str | None) -> str:
    """The database of a server that the target is in, where nobody looked at that; empty where somebody did."""
    server = server_of(target)
    if server is None or (evidence.servers if server == SERVER else server in evidence.servers):
        return ""
    return server.removesuffix("/")


def hidden(evidence: Evidence, *kinds: EffectKind) -> bool:
    """Whether a fault may hide an effect of one of the kinds."""
    return bool({"side_effect", *kinds} & set(evidence.hidden))


def behind_a_fault(word: EffectWord) -> Found:
    """The finding where a fault may hide an effect."""
    return Found(state="not_judged", detail=f"a fault in the live run may hide {word}")


def listed(effects: Sequence[Effect]) -> str:
    """The effects on one line, each with its id."""
    more = f" and {len(effects) - SHOWN} more" if len(effects) > SHOWN else ""
    return "; ".join(f"{shown(each.effect)} ({each.id})" for each in effects[:SHOWN]) + more


def _fitting(assertion: SideEffectMust | NoSideEffect, evidence: Evidence) -> tuple[list[Effect], list[Effect]]:
    """The effects that the assertion is about, and those of which it cannot be told."""
    about = [
        (each, matched(assertion.where, each.effect))
        for each in _of_kind(assertion, evidence)
        if concerns(assertion.target, assertion.excepted, each.effect)
    ]
    return [each for each, fits in about if fits], [each for each, fits in about if fits is None]


def _of_kind(assertion: SideEffectMust | NoSideEffect, evidence: Evidence) -> list[Effect]:
    return [each for each in evidence.effects if each.effect.kind in kinds_of(assertion.kind)]


def _too_few(assertion: SideEffectMust, evidence: Evidence, fitting: Sequence[Effect]) -> Found:
    others = [each for each in _of_kind(assertion, evidence) if each not in fitting]
    near = nearest_effect(assertion, [each for each in evidence.effects if each not in fitting])
    detail = f"{_times(len(fitting))}: {listed(fitting)}" if fitting else f"seen instead: {listed(others)}"
    if not fitting and not others:
        detail = f"no {assertion.kind} was seen"
    return failed(detail, *near) if near else failed(detail)


def _untold(unsure: Sequence[Effect]) -> Found:
    return Found(state="not_judged", detail=f"what it asks of {listed(unsure)} was not kept")


def _times(count: int) -> str:
    return f"it happened {({1: 'once', 2: 'twice'}).get(count, f'{count} times')}"
