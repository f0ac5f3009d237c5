"""Assertions on what the agent said, what it let out, and how the run ended."""

from __future__ import annotations

from runwright.flow.assertions import NoSecretLeak, OutcomeIs, Reply
from runwright.flow.evidence import Evidence
from runwright.flow.matchers import Where, satisfies
from runwright.flow.sent import SHORTEST, forms_of
from runwright.flow.state import Found, failed, held
from runwright.trace.shortened import shortened

SHOWN = 160
RECORDED = "rests on the recorded reply alone: the agent itself printed nothing"
UNDIVIDED = "rests on the recorded reply alone: what the agent printed is not divided among the deliveries"


def judge_reply(assertion: Reply, evidence: Evidence, turn: int | None) -> Found:
    """The agent's own output decides; a served text can refute, and proves nothing."""
    if turn is not None and evidence.surroundings.said:
        return _divided(assertion, evidence, turn)
    if turn is not None and len(evidence.replies) > 1:
        return _delivery(assertion, evidence, turn)
    reply = evidence.reply
    if reply is None:
        return _recorded("nothing was said") if satisfies(assertion.where, "") else failed("nothing was said")
    holds = satisfies(assertion.where, reply.text.strip())
    if reply.source == "own" and "message" in evidence.hidden and not (holds and _only_adds(assertion.where)):
        return Found(state="not_judged", detail="the output was cut")
    if reply.source == "recorded":
        return _recorded(RECORDED) if holds else _refuted(f"the recorded reply is {_shown(reply.text)}")
    return held() if holds else failed(f"the reply is {_shown(reply.text)}")


def _divided(assertion: Reply, evidence: Evidence, turn: int) -> Found:
    """One delivery of an agent that answers each on its own."""
    said = evidence.surroundings.said
    own = said[turn].strip() if turn < len(said) else ""
    holds = satisfies(assertion.where, own)
    if "message" in evidence.hidden and not (holds and _only_adds(assertion.where)):
        return Found(state="not_judged", detail="the output was cut")
    return held() if holds else failed(f"the reply to delivery {turn + 1} is {_shown(own)}")


def _delivery(assertion: Reply, evidence: Evidence, turn: int) -> Found:
    """One delivery of several: the output is not divided among them, so the served text must agree with it."""
    served = evidence.replies[turn] if turn < len(evidence.replies) else ""
    own = evidence.reply.text if evidence.reply and evidence.reply.source == "own" else None
    recorded = satisfies(assertion.where, served.strip())
    said = own is not None and satisfies(assertion.where, own.strip())
    if recorded and said:
        return held()
    if not recorded and not said:
        detail = f"the reply to delivery {turn + 1} is {_shown(served)}"
        return failed(detail) if own is not None else _refuted(detail)
    if said:
        return _recorded("the agent's output says it, the served text does not")
    if own is not None and _only_adds(assertion.where):
        return failed(f"nothing that the agent printed says it: {_shown(own)}")
    return _recorded(RECORDED if own is None else UNDIVIDED)


def _only_adds(where: Where) -> bool:
    """Whether more text could not make the clauses fail."""
    return all(each.test.op == "contains" and not each.test.negated for clauses in where for each in clauses)


def _recorded(detail: str) -> Found:
    return Found(state="unverified", detail=detail, served=True)


def _refuted(detail: str) -> Found:
    return Found(state="failed", detail=detail, served=True)


def judge_secrets(assertion: NoSecretLeak, evidence: Evidence) -> Found:
    """None of the values, in any usual form, stands in a text that left the agent. The values are never shown."""
    leaks, unknown = [], []
    for name in assertion.names:
        value = evidence.surroundings.environment.get(name, "")
        if not value:
            unknown.append(f"{name} is not set, so the agent had nothing to leak")
        elif len(value) < SHORTEST:
            unknown.append(f"{name} is shorter than {SHORTEST} characters and cannot be told from other text")
        else:
            leaks += _leaks(name, value, evidence)
    if leaks:
        return failed("; ".join(leaks))
    if "message" in evidence.hidden:
        unknown.append("the output was cut")
    return Found(state="not_judged", detail="; ".join(unknown)) if unknown else held()


def _leaks(name: str, value: str, evidence: Evidence) -> list[str]:
    forms = forms_of(value)
    places: dict[str, str] = {}
    for sent in evidence.sent:
        found = next((how for form, how in forms.items() if form in sent.text), None)
        if found is not None:
            places.setdefault(sent.place, found)
    return [f"{name} is in {place}" + ("" if how == "as it is" else f", {how}") for place, how in places.items()]


def judge_outcome(assertion: OutcomeIs, evidence: Evidence) -> Found:
    """How the live run ended; an ending that only the served replies decide proves nothing about the agent."""
    if evidence.outcome != assertion.outcome:
        return failed(f"the outcome is {evidence.outcome}")
    if assertion.outcome in ("refused", "model_error", "truncated"):
        return _recorded("the recorded replies alone decide this outcome")
    return held()


def _shown(text: str) -> str:
    return shortened(repr(text.strip()), SHOWN)
