"""Assertions on side effects and on the network; nothing is certified that nobody watched."""

from __future__ import annotations

from runwright.flow.assertions import NoSideEffect, SideEffectMust
from runwright.flow.evidence import Effect, Evidence
from runwright.flow.state import Found, failed, held
from runwright.flow.targets import names, shown
from runwright.trace.model import EffectKind

WATCHED = ("enforced", "observed")
SHOWN = 5


def judge_side_effect(assertion: SideEffectMust, evidence: Evidence) -> Found:
    """An effect of the kind, on a target that the glob names."""
    same = [each for each in evidence.effects if each.effect.kind == assertion.kind]
    fitting = [each for each in same if assertion.target is None or names(assertion.target, each.effect)]
    if fitting:
        return held(_listed(fitting))
    if not _watched(evidence, assertion.kind):
        return _unwatched(evidence, assertion.kind)
    if _hidden(evidence, assertion.kind):
        return _behind_a_fault(assertion.kind)
    return failed(f"seen instead: {_listed(same)}" if same else f"no {assertion.kind} was seen")


def judge_no_effect(assertion: NoSideEffect, evidence: Evidence) -> Found:
    """No effect of the kind but those excepted, while somebody watched."""
    bad = [
        each
        for each in evidence.effects
        if each.effect.kind == assertion.kind
        and (assertion.target is None or names(assertion.target, each.effect))
        and not any(names(glob, each.effect) for glob in assertion.excepted)
    ]
    if bad:
        return failed(_listed(bad))
    if not _watched(evidence, assertion.kind):
        return _unwatched(evidence, assertion.kind)
    return _behind_a_fault(assertion.kind) if _hidden(evidence, assertion.kind) else held()


def judge_no_egress(evidence: Evidence) -> Found:
    """The network was held, and nothing was refused."""
    surroundings = evidence.surroundings
    if surroundings.blocked:
        return failed(f"tried to reach {', '.join(surroundings.blocked[:SHOWN])}")
    if surroundings.egress != "enforced":
        return Found(state="capability", detail="the agent's network was not held, so nothing certifies it")
    return _behind_a_fault("http_request") if _hidden(evidence, "http_request") else held()


def _watched(evidence: Evidence, kind: EffectKind) -> bool:
    return evidence.observation.get(kind) in WATCHED


def _unwatched(evidence: Evidence, kind: EffectKind) -> Found:
    how = evidence.observation.get(kind, "not_observed").replace("_", " ")
    return Found(state="capability", detail=f"{kind} is {how} here: that none was seen proves nothing")


def _hidden(evidence: Evidence, kind: EffectKind) -> bool:
    return bool({"side_effect", kind} & set(evidence.hidden))


def _behind_a_fault(kind: EffectKind) -> Found:
    return Found(state="not_judged", detail=f"a fault in the live run may hide {kind}")


def _listed(effects: list[Effect]) -> str:
    more = f" and {len(effects) - SHOWN} more" if len(effects) > SHOWN else ""
    return "; ".join(f"{shown(each.effect)} ({each.id})" for each in effects[:SHOWN]) + more
