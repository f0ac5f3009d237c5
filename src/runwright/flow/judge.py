"""Judging: all of a flow's assertions in turn, each against the evidence of the run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from runwright.flow.assertions import (
    Assertion,
    NoEgress,
    NoSecretLeak,
    NoSideEffect,
    NoToolCall,
    OutcomeIs,
    Reply,
    SideEffectMust,
    ToolCall,
)
from runwright.flow.difference import FieldDifference
from runwright.flow.evidence import Evidence
from runwright.flow.judge_calls import hides_calls, judge_no_tool_call, judge_tool_call, unclaimed
from runwright.flow.judge_effects import judge_no_effect, judge_side_effect
from runwright.flow.judge_egress import judge_no_egress
from runwright.flow.judge_words import judge_outcome, judge_reply, judge_secrets
from runwright.flow.prose import prose
from runwright.flow.spec import Flow, Step
from runwright.flow.state import Found, State
from runwright.flow.strict_effects import STRICT_EFFECTS, EffectsCompared, judge_strict
from runwright.flow.until import undecidable
from runwright.trace.model import Trace

STRICT = "strict: every tool call is claimed by an assertion"


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """An assertion as prose, what became of it, and why; `served` where that rests on served text alone.

    `nearest` is what came closest to it, and `differences` how that differs from what was wanted, or recorded.
    """

    assertion: str
    state: State
    detail: str = ""
    served: bool = False
    nearest: str = ""
    differences: tuple[FieldDifference, ...] = ()


def judge(assertion: Assertion, evidence: Evidence, *, turn: int | None = None, after: int = 0) -> Judgement:
    """One assertion on the evidence of a whole run; `after` is how many calls earlier assertions have passed."""
    found = _found(assertion, evidence, turn, after)
    return _judgement(prose(assertion), found)


def judge_flow(
    flow: Flow, evidence: Evidence, cassette: Trace, *, whole: bool, compared: EffectsCompared | None = None
) -> tuple[Judgement, ...]:
    """Every assertion of the flow. Calls must come in the order of their assertions, as a subsequence.

    With `whole` false the run was cut short: what more of it could have changed is not judged.
    """
    judgements: list[Judgement] = []
    passed = 0
    for step in flow.steps:
        why = undecidable(step.assertion, flow.replay.until, cassette) if flow.replay.until else None
        if why is not None:
            judgements.append(Judgement(assertion=_text(step), state="invalid", detail=why))
            continue
        if whole and (unsure := _unsure(step, flow, evidence)):
            judgements.append(Judgement(assertion=_text(step), state="not_judged", detail=unsure))
            continue
        found = _found(step.assertion, evidence, step.turn, passed)
        passed = max(passed, found.passed)
        found = found if whole else _cut_short(found, step.assertion)
        judgements.append(_judgement(_text(step), found))
    return (*judgements, *_strict(flow, evidence, whole=whole), *_effects(flow, compared, whole=whole))


def assertion_texts(flow: Flow) -> tuple[str, ...]:
    """Every assertion of the flow as its judgement names it, whether or not it can be judged."""
    return (*map(_text, flow.steps), *([STRICT] if flow.strict else []), *([STRICT_EFFECTS] if _compares(flow) else []))


def _unsure(step: Step, flow: Flow, evidence: Evidence) -> str:
    """Why it cannot be told what belongs to the delivery that the assertion is about; empty where it can."""
    told = isinstance(step.assertion, Reply) and evidence.surroundings.said  # each delivery was answered by itself
    if step.turn is None or told or evidence.deliveries == len(flow.turns):
        return ""
    return f"the requests show {evidence.deliveries} of the flow's {len(flow.turns)} deliveries"


def _judgement(assertion: str, found: Found) -> Judgement:
    return Judgement(
        assertion=assertion,
        state=found.state,
        detail=found.detail,
        served=found.served,
        nearest=found.nearest,
        differences=found.differences,
    )


def _text(step: Step) -> str:
    return prose(step.assertion) if step.turn is None else f"{prose(step.assertion)} (delivery {step.turn + 1})"


def _found(assertion: Assertion, evidence: Evidence, turn: int | None, after: int) -> Found:
    match assertion:
        case ToolCall():
            return judge_tool_call(assertion, evidence, turn, after)
        case NoToolCall():
            return judge_no_tool_call(assertion, evidence, turn)
        case SideEffectMust():
            return judge_side_effect(assertion, evidence)
        case NoSideEffect():
            return judge_no_effect(assertion, evidence)
        case NoEgress():
            return judge_no_egress(evidence)
        case NoSecretLeak():
            return judge_secrets(assertion, evidence)
        case Reply():
            return judge_reply(assertion, evidence, turn)
        case OutcomeIs():
            return judge_outcome(assertion, evidence)


def _cut_short(found: Found, assertion: Assertion) -> Found:
    """The finding of a run that did not reach its end: only what no continuation could change stands."""
    if found.state == "capability" or found.too_many or found.state == _for_good(assertion):
        return found
    return replace(
        found, state="not_judged", detail=f"not reached; so far: {found.detail}" if found.detail else "not reached"
    )


def _for_good(assertion: Assertion) -> State | None:
    """The state that the assertion cannot leave once it has it, however the run goes on."""
    if isinstance(assertion, (SideEffectMust, ToolCall)) and assertion.at_most is None:
        return "held"
    return "failed" if isinstance(assertion, (NoToolCall, NoSideEffect, NoEgress, NoSecretLeak)) else None


def _strict(flow: Flow, evidence: Evidence, *, whole: bool) -> Iterable[Judgement]:
    if not flow.strict:
        return
    loose = unclaimed(flow.steps, evidence)
    state: State = "failed" if loose else "held" if whole and not hides_calls(evidence) else "not_judged"
    detail = f"nothing claims {', '.join(loose)}" if loose else ""
    yield Judgement(assertion=STRICT, state=state, detail=detail)


def _compares(flow: Flow) -> bool:
    return flow.effects is not None and flow.effects.compare is not None


def _effects(flow: Flow, compared: EffectsCompared | None, *, whole: bool) -> Iterable[Judgement]:
    """Side effects against the recorded ones; a flow without an agent has none but those."""
    if not _compares(flow):
        return
    found = judge_strict(compared) if flow.agent else Found(state="held", detail="the recording's own")
    cut = not whole and found.state != "capability"
    yield _judgement(STRICT_EFFECTS, replace(found, state="not_judged", detail="not reached") if cut else found)


def states(judgements: Sequence[Judgement], state: State) -> list[Judgement]:
    """The judgements of one state, in order."""
    return [each for each in judgements if each.state == state]
