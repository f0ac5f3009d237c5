"""One check taken out at a time: what a mistake in it would do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any, TypeAlias, get_args

import pytest

from runwright.flow import judge_calls, matchers
from runwright.flow.state import held
from runwright.match import effects, matcher
from runwright.run import one

judge = import_module("runwright.flow.judge")  # the package has a function of that name

Gut: TypeAlias = Callable[[pytest.MonkeyPatch], None]


def _always_held(name: str) -> Gut:
    def gut(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(judge, name, lambda *_: held())

    return gut


def _assertion(name: str, **weaker: Any) -> Gut:
    """The assertion is judged as if it said less."""

    def gut(patch: pytest.MonkeyPatch) -> None:
        whole = getattr(judge, name)
        patch.setattr(judge, name, lambda assertion, *rest: whole(replace(assertion, **weaker), *rest))

    return gut


def _in_order(patch: pytest.MonkeyPatch) -> None:
    whole = judge.judge_tool_call
    patch.setattr(
        judge, "judge_tool_call", lambda assertion, evidence, turn, _after: whole(assertion, evidence, turn, 0)
    )


def _requested_counts(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(judge_calls, "_counts", lambda *_: True)


def _strict(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(judge, "_strict", lambda *_, **__: ())


def _matcher(op: str) -> Gut:
    """The test of one matcher holds of everything; negated or not."""

    def gut(patch: pytest.MonkeyPatch) -> None:
        whole = matchers.Test.holds
        patch.setattr(matchers.Test, "holds", lambda test, found: test.op == op or whole(test, found))

    return gut


def _fact(**changed: Any) -> Gut:
    """The verdict is decided as if the run had not shown this."""

    def gut(patch: pytest.MonkeyPatch) -> None:
        whole = one.decide
        patch.setattr(one, "decide", lambda flow, facts: whole(flow, replace(facts, **changed)))

    return gut


def _agent(**changed: Any) -> Gut:
    def gut(patch: pytest.MonkeyPatch) -> None:
        whole = one.decide

        def decide(flow: Any, facts: Any) -> Any:
            agent = replace(facts.agent, **changed) if facts.agent else None
            return whole(flow, replace(facts, agent=agent))

        patch.setattr(one, "decide", decide)

    return gut


def _miss(patch: pytest.MonkeyPatch) -> None:
    """A miss is not noticed, nor what it kept from being asked for."""
    whole = one.decide

    def decide(flow: Any, facts: Any) -> Any:
        return whole(flow, replace(facts, miss=None, left_over=()) if facts.miss else facts)

    patch.setattr(one, "decide", decide)


def _expect(patch: pytest.MonkeyPatch) -> None:
    whole = one.decide
    patch.setattr(one, "decide", lambda flow, facts: whole(replace(flow, expect="pass"), facts))


def _alone(side: str) -> Gut:
    """An effect that only one of the two lanes has is not noticed."""

    def gut(patch: pytest.MonkeyPatch) -> None:
        whole = matcher.match_effects

        def match(*given: Any) -> Any:
            found = whole(*given)
            return found._replace(apart=tuple(each for each in found.apart if getattr(each, side) is not None))

        patch.setattr(matcher, "match_effects", match)

    return gut


def _effect_field(name: str) -> Gut:
    """A field of a side effect is not compared."""

    def gut(patch: pytest.MonkeyPatch) -> None:
        whole = effects._comparable
        patch.setattr(effects, "_cannot_agree", lambda *_: False)  # the short cut to the same answer
        patch.setattr(effects, "_comparable", lambda *given: {**whole(*given), name: None})

    return gut


GUTS: dict[str, Gut] = {
    "assert_tool_call": _always_held("judge_tool_call"),
    "assert_tool_call: at least": _assertion("judge_tool_call", at_least=1),
    "assert_tool_call: at most": _assertion("judge_tool_call", at_most=None),
    "assert_tool_call: where": _assertion("judge_tool_call", where=()),
    "assert_tool_call: result": _assertion("judge_tool_call", result=()),
    "assert_tool_call: in order": _in_order,
    "assert_tool_call: answered, not only requested": _requested_counts,
    "assert_no_tool_call": _always_held("judge_no_tool_call"),
    "assert_side_effect": _always_held("judge_side_effect"),
    "assert_side_effect: target": _assertion("judge_side_effect", target=None),
    "assert_side_effect: except": _assertion("judge_side_effect", excepted=()),
    "assert_side_effect: where": _assertion("judge_side_effect", where=()),
    "assert_side_effect: at least": _assertion("judge_side_effect", at_least=1),
    "assert_side_effect: at most": _assertion("judge_side_effect", at_most=None),
    "assert_no_side_effect": _always_held("judge_no_effect"),
    "assert_no_egress": _always_held("judge_no_egress"),
    "assert_no_secret_leak": _always_held("judge_secrets"),
    "assert: reply": _always_held("judge_reply"),
    "assert_outcome": _always_held("judge_outcome"),
    "strict": _strict,
    "effects: strict": _always_held("judge_strict"),
    "effects: strict: did not happen": _alone("live"),
    "effects: strict: was not recorded": _alone("recorded"),
    **{f"effects: strict: {field}": _effect_field(field) for field in ("op", "before", "after", "diff", "detail")},
    **{f"matcher: {op}": _matcher(op) for op in get_args(matchers.Op)},
    "the agent's exit code": _agent(exit_code=0),
    "the time limit": _agent(ended="exited", exit_code=0),
    "left-over exchanges": _fact(left_over=()),
    "a miss": _miss,
    "expect: fail": _expect,
}
