"""The verdict on one flow: a pure function of the flow and of what the run found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from runwright.errors import CapabilityError, Exit, FlowError, ReviewError, RunwrightError, SecretsFound, UsageError
from runwright.flow.judge import Judgement, judge_flow, states
from runwright.flow.judge_egress import attempts, held_by, lost, not_held
from runwright.flow.spec import Control, Flow
from runwright.flow.strict_effects import effect_notes, not_reached
from runwright.flow.verdict import AgentEnd, Facts, FlowResult, Word

PRECEDENCE = (Word.INVALID, Word.CAPABILITY, Word.STALE, Word.UNVERIFIED)
SHOWN = 3
SUCCESS = range(200, 300)
"""Statuses with which an agent says that it succeeded; a redirection is not followed, so it is none."""


class Reason(NamedTuple):
    """Something that keeps a flow from passing."""

    word: Word
    text: str


def decide(flow: Flow, facts: Facts) -> FlowResult:
    """The verdict on a flow that ran (or that has no agent and checks its own recording).

    2 beats 1, except that what a miss kept from being reached is not judged and leaves the exit at 1.
    """
    whole = _is_whole(flow, facts)
    judgements = judge_flow(flow, facts.evidence, facts.cassette, whole=whole, compared=facts.effects)
    if flow.agent is None:
        judgements = tuple(map(_of_the_recording, judgements))
    open_questions = list(_unjudged(flow, facts, judgements, whole=whole))
    broken = list(_broken(flow, facts))
    refuted = [f"{each.assertion}: {each.detail}" for each in states(judgements, "failed")]
    reasons = [*broken, *(Reason(Word.FAIL, each) for each in _some(refuted))]
    word, summary = _summary(flow, facts, judgements, open_questions, reasons, broken)
    later = facts.miss is not None and facts.miss.later
    return FlowResult(
        name=flow.name,
        path=flow.path,
        word=word,
        exit=_exit(word),
        summary=summary,
        judgements=judgements,
        miss=facts.miss,
        left_over=() if later else facts.left_over,
        not_judged=tuple(_not_judged(facts, judgements, whole=whole)),
        never_compared=facts.never_compared,
        real_tools=_real_tools(flow, facts),
        not_replayed=facts.not_replayed,
        notes=tuple(
            dict.fromkeys(
                [
                    *flow.notes,
                    *facts.notes,
                    *attempts(facts.evidence.surroundings),
                    *effect_notes(facts.effects),
                    *_ignored_notes(flow, facts),
                ]
            )
        ),
        control=flow.control,
        duration=facts.duration,
        agent=facts.agent,
        reply=facts.evidence.reply,
    )


def refused(path: Path, error: RunwrightError, *, name: str = "", control: Control | None = None) -> FlowResult:
    """The verdict on a flow that could not run at all: a bad flow or cassette, a capability that lacks."""
    word = Word.UNVERIFIED
    if isinstance(error, CapabilityError):
        word = Word.CAPABILITY
    elif isinstance(error, (FlowError, UsageError)):
        word = Word.INVALID
    elif isinstance(error, ReviewError):
        word = Word.STALE
    elif isinstance(error, SecretsFound):
        word = Word.FAIL
    notes = (f"hint: {error.hint}",) if error.hint else ()
    summary = f"{word.value}, {error}"
    return FlowResult(
        name=name or path.name, path=path, word=word, exit=_exit(word), summary=summary, notes=notes, control=control
    )


def skipped(flow: Flow, missing: tuple[str, ...]) -> FlowResult:
    """The verdict on a flow whose `skip_unless_env` variables are not set: it did not run, so it is no pass."""
    summary = f"{Word.UNVERIFIED.value}, skipped: {', '.join(missing)} is not set"
    return FlowResult(
        name=flow.name,
        path=flow.path,
        word=Word.UNVERIFIED,
        exit=_exit(Word.UNVERIFIED),
        summary=summary,
        notes=flow.notes,
        control=flow.control,
    )


def unjudged(result: FlowResult, why: str) -> FlowResult:
    """The verdict where something failed that the flow itself is not about; what had been found stays in view."""
    word = Word.UNVERIFIED
    return replace(
        result, word=word, exit=_exit(word), summary=f"{word.value}, {why}; the verdict was: {result.summary}"
    )


def _exit(word: Word) -> int:
    return {Word.PASS: Exit.OK, Word.FAIL: Exit.FAILED}.get(word, Exit.NOT_JUDGED).value


def _is_whole(flow: Flow, facts: Facts) -> bool:
    """Whether the run went as far as the assertions may be judged: to its end, or to a later miss."""
    if flow.agent is None:
        return True
    ended = facts.agent is None or facts.agent.ended == "exited"
    return ended and (facts.miss is None or facts.miss.later)


# --- what went wrong -----------------------------------------------------------------------------


def _broken(flow: Flow, facts: Facts) -> Iterator[Reason]:
    """What fails the flow whatever it asserts. A later miss ends what is asked of the agent."""
    agent, miss = facts.agent, facts.miss
    if flow.agent is None:
        return
    if miss is not None and not miss.later:
        nearest = f" (nearest {miss.nearest})" if miss.nearest and miss.nearest not in miss.reason else ""
        yield Reason(Word.FAIL, miss.reason + nearest)
    if agent is not None and agent.ended == "timeout":
        yield Reason(Word.FAIL, "the agent did not end within its time")
    if miss is not None and miss.later:
        return
    if agent is not None and agent.ended == "exited" and (failure := _failure(agent)):
        yield Reason(Word.FAIL, failure)
    if _falls_short(facts):
        yield Reason(Word.FAIL, f"never asked for: {', '.join(facts.left_over)}")


def _failure(agent: AgentEnd) -> str:
    """How the agent failed by its own account, an exit code or the status of an answer; empty where it did not."""
    if agent.status is not None:
        return "" if agent.status in SUCCESS else f"the agent answered with status {agent.status}"
    if agent.exit_code is None:
        return f"the agent gave no whole answer: {agent.error}"
    return "" if agent.exit_code == 0 else f"the agent exited with {agent.exit_code}"


def _unjudged(flow: Flow, facts: Facts, judgements: Sequence[Judgement], *, whole: bool) -> Iterator[Reason]:
    """What keeps the flow from being judged at all."""
    yield from (Reason(Word.INVALID, f"{each.assertion}: {each.detail}") for each in states(judgements, "invalid"))
    yield from (Reason(Word.CAPABILITY, each) for each in facts.lacking)
    yield from (Reason(Word.CAPABILITY, each) for each in not_held(flow, facts.evidence.surroundings))
    yield from (Reason(Word.UNVERIFIED, each) for each in lost(flow, facts.evidence.surroundings))
    yield from (
        Reason(Word.CAPABILITY, f"{each.assertion}: {each.detail}") for each in states(judgements, "capability")
    )
    yield from _not_run(flow, facts, judgements)
    if whole and not facts.left_over and facts.miss is None:
        for ignore in facts.stale_ignores:
            yield Reason(Word.STALE, f"ignore {ignore.path} ({ignore.lane}) matched nothing")
        for glob in facts.effects.stale if facts.effects else ():
            yield Reason(Word.STALE, f"effects.ignore {glob} matched nothing")
    if whole and not _falls_short(facts):
        for each in states(judgements, "not_judged"):
            yield Reason(Word.UNVERIFIED, f"{each.assertion}: {each.detail}")
    if whole:
        yield from _on_served_text(flow, facts, judgements)
    if facts.strict and facts.never_compared:
        yield Reason(Word.UNVERIFIED, f"{_count(len(facts.never_compared), 'field')} never compared")


def _falls_short(facts: Facts) -> bool:
    """Whether exchanges were never asked for: the flow is red by that, and what was not reached is listed."""
    return bool(facts.left_over) and facts.miss is None and bool(facts.matched)


def _on_served_text(flow: Flow, facts: Facts, judgements: Sequence[Judgement]) -> Iterator[Reason]:
    """What would rest on served replies alone: the whole verdict, or under `strict` any part of it."""
    recorded = states(judgements, "unverified")
    live = states(judgements, "held") or states(judgements, "failed")
    if recorded and (facts.strict or not live):
        yield Reason(Word.UNVERIFIED, f"{recorded[0].assertion}: {recorded[0].detail}")
    refuted = states(judgements, "failed")
    if flow.agent is not None and flow.expect == "fail" and refuted and all(each.served for each in refuted):
        yield Reason(Word.UNVERIFIED, f"{refuted[0].assertion}: fails on the recorded reply alone: {refuted[0].detail}")


def _not_run(flow: Flow, facts: Facts, judgements: Sequence[Judgement]) -> Iterator[Reason]:
    agent = facts.agent
    if flow.agent is None:
        if not facts.recording_only:
            text = "no agent, so only its own recording was checked; --recording-only accepts that"
            yield Reason(Word.UNVERIFIED, text)
        elif not judgements:
            yield Reason(Word.UNVERIFIED, "no agent and no assertion: nothing was checked")
        return
    if agent is not None and agent.ended == "not_started":
        yield Reason(Word.INVALID, f"the agent could not be started: {agent.error}")
    elif agent is not None and agent.ended == "interrupted":
        yield Reason(Word.UNVERIFIED, "interrupted")
    elif not facts.matched and facts.miss is None:
        port = f" at http://127.0.0.1:{flow.agent.proxy_port}/v1" if flow.agent.url else ""
        yield Reason(Word.UNVERIFIED, f"no exchange was matched: the agent never called the model{port}")


def _of_the_recording(judgement: Judgement) -> Judgement:
    """Without an agent everything rests on the recording, and the verdict says so once."""
    return replace(judgement, state="held") if judgement.state == "unverified" else judgement


# --- the verdict in words ------------------------------------------------------------------------


def _summary(
    flow: Flow,
    facts: Facts,
    judgements: Sequence[Judgement],
    unjudged: Sequence[Reason],
    reasons: Sequence[Reason],
    broken: Sequence[Reason],
) -> tuple[Word, str]:
    if unjudged:
        word = min((each.word for each in unjudged), key=PRECEDENCE.index)
        ordered = sorted(unjudged, key=lambda each: PRECEDENCE.index(each.word))
        return word, _line(word, [*_some([each.text for each in ordered]), *(f"also: {each.text}" for each in reasons)])
    if flow.expect == "fail":
        return _expected_failure(flow, facts, judgements, reasons, broken)
    if reasons:
        return Word.FAIL, _line(Word.FAIL, [each.text for each in reasons])
    return Word.PASS, ", ".join([Word.PASS.value, *_qualified(flow, facts, judgements)])


def _expected_failure(
    flow: Flow, facts: Facts, judgements: Sequence[Judgement], reasons: Sequence[Reason], broken: Sequence[Reason]
) -> tuple[Word, str]:
    """Satisfied only by a failed assertion on a run that matched to its end and exited with 0."""
    if not reasons:
        return Word.FAIL, _line(Word.FAIL, ["it passes, and the flow expects it to fail: drop 'expect: fail'"])
    if broken or facts.miss is not None:
        return Word.FAIL, _line(Word.FAIL, [each.text for each in reasons])
    known = f"fails as expected: {'; '.join(each.text for each in reasons)}"
    return Word.PASS, ", ".join([Word.PASS.value, *_qualified(flow, facts, judgements), known])


def _qualified(flow: Flow, facts: Facts, judgements: Sequence[Judgement]) -> Iterator[str]:
    """What a pass does not say by itself."""
    if flow.agent is None:
        yield "of its own recording only"
    elif not judgements:
        yield "on matching alone"
    if facts.miss is not None and facts.miss.later:
        yield f"not judged after {flow.replay.until}"
    if facts.never_compared:
        yield f"{_count(len(facts.never_compared), 'field')} never compared"
    recorded = len(states(judgements, "unverified"))
    if recorded:
        yield f"{_count(recorded, 'assertion')} on the recorded reply alone"
    if by := held_by(flow, facts.evidence.surroundings):
        yield by
    for path in _ignored(flow, facts):
        yield f"{path} ignored"
    for fault in facts.faults:
        yield f"the recording is not whole ({fault})"


def _line(word: Word, texts: Sequence[str]) -> str:
    return f"{word.value}, {'; '.join(texts)}"


def _some(texts: Sequence[str]) -> list[str]:
    more = [f"and {len(texts) - SHOWN} more"] if len(texts) > SHOWN else []
    return [*texts[:SHOWN], *more]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


# --- lists ---------------------------------------------------------------------------------------


def _not_judged(facts: Facts, judgements: Sequence[Judgement], *, whole: bool) -> Iterator[str]:
    """Assertions without a verdict, and what a miss kept from being reached."""
    yield from (each.assertion for each in states(judgements, "not_judged"))
    if facts.miss is not None and facts.miss.later:
        yield from facts.left_over
        yield from not_reached(facts.effects)
    if facts.miss is not None or facts.left_over or not whole:
        yield from (f"ignore {each.path} ({each.lane})" for each in facts.stale_ignores)


def _real_tools(flow: Flow, facts: Facts) -> tuple[str, ...]:
    """Tools that the live side shows to have run, where the flow lets them run; MCP stand-ins do not."""
    if flow.agent is None or flow.agent.tools != "real":
        return facts.real_tools
    stood_in = {tool.name for server in flow.mcp for tool in server.tools}
    ran = [call.tool for call in facts.evidence.calls if call.happened and call.tool not in stood_in]
    return tuple(dict.fromkeys([*ran, *facts.real_tools]))


def _ignored(flow: Flow, facts: Facts) -> Iterator[str]:
    """Ignores of what the model was told: its recorded decisions were then served to something else."""
    for each in flow.ignore:
        if each.lane == "model" and each.path.startswith("$.request") and each not in facts.stale_ignores:
            yield each.path


def _ignored_notes(flow: Flow, facts: Facts) -> Iterator[str]:
    for path in _ignored(flow, facts):
        yield f"{path} is ignored: the recorded decisions were served to whatever stands there now"
