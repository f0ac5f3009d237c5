"""Proving a flow: every mutant of the live side is put to the matching and the assertions of a run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from runwright.flow import Facts, Flow, FlowResult, Word, load_flow, missing_of, skipped
from runwright.match import Matcher
from runwright.match.volatile import recorded_window
from runwright.perturb import Follow, Mutant, Side, mutants, mutate
from runwright.run.governed import Suites
from runwright.run.known import known_secrets, secrets_of
from runwright.run.one import load_cassette, with_until
from runwright.run.prove.applies import Case, let_pass, out_of_reach
from runwright.run.prove.calls import calls_besides
from runwright.run.prove.options import ProveOptions, Watched
from runwright.run.prove.pick import picked
from runwright.run.prove.play import Stage
from runwright.run.prove.remedy import remedy_of
from runwright.run.prove.report import ProveReport, Tried
from runwright.run.prove.secrets import Secrets
from runwright.run.prove.sides import green_side, head_of, recorded_side
from runwright.run.replayed import matcher_of, served_agent
from runwright.run.watch import kinds_watched
from runwright.secrets import flag
from runwright.trace.model import Trace


def prove_flow(path: Path, options: ProveOptions | None = None) -> ProveReport:
    """Prove the flow in a file; RunwrightError where it or its cassette cannot be read."""
    options = options or ProveOptions()
    options = replace(options, run=Suites(options.run).options_for(path))
    flow = with_until(load_flow(path, options.run.environment), options.run.until)
    missing = missing_of(flow.skip_unless_env, options.run.environment)
    if missing:
        return ProveReport(unmutated=skipped(flow, missing), known_secrets=known_secrets(secrets_of(flow, options.run)))
    return prove(flow, load_cassette(flow), options)


def prove(flow: Flow, cassette: Trace, options: ProveOptions | None = None) -> ProveReport:
    """Try every mutant of the side that an agent shows which behaves as recorded, unless that side is not green.

    The side is simulated: no agent runs and nothing is sent anywhere. RunwrightError where a run of the flow would
    raise it too.
    """
    options = options or ProveOptions()
    served_agent(flow)
    secrets = Secrets(flow.turns)
    recorded = recorded_side(cassette, secrets)
    green = green_side(flow, cassette, recorded)
    matcher = options.matcher(flow, cassette) if options.matcher else _matcher(flow, cassette, secrets)
    watched = options.watched or Watched(effects=kinds_watched(flow))
    stage = Stage(flow, cassette, green, matcher, options.run, watched)
    verdict, facts = stage.played(green)
    hidden = known_secrets(secrets_of(flow, options.run))
    if verdict.word is not Word.PASS:
        return ProveReport(unmutated=verdict, known_secrets=hidden)
    head = head_of(flow, cassette)
    case = Case(flow=flow, cassette=cassette, recorded=recorded, head=head, watched=watched)
    scene = _Scene(case, stage, green, facts)
    chosen, known = picked(lambda: _mutants(case, options), options.limit, options.seed)
    tried = tuple(_tried(each, scene) for each in chosen)
    return ProveReport(unmutated=verdict, tried=tried, known=known, asked=options.kinds, known_secrets=hidden)


@dataclass(frozen=True)
class _Scene:
    """What each mutant is tried on: the green side, and the facts it gave."""

    case: Case
    stage: Stage
    green: Side
    facts: Facts


def _matcher(flow: Flow, cassette: Trace, secrets: Secrets) -> Matcher:
    """The matcher of a run, for which the live run took place when the recorded one did."""
    window = recorded_window(cassette.header.started_at, cassette.header.duration)
    live = None if window is None else (window.start, window.end)
    return matcher_of(flow, cassette, flag=secrets.flag(flag), live_window=live)


def _mutants(case: Case, options: ProveOptions) -> Iterator[Mutant]:
    calls = calls_besides(case.flow, case.cassette)
    for source in (_relapse(case), mutants(case.recorded, case.cassette, calls)):
        yield from (each for each in source if not options.kinds or each.kind in options.kinds)


def _relapse(case: Case) -> Iterator[Mutant]:
    """With `until` the agent that was recorded is a mutant: what the flow is there to turn red."""
    if case.head is not None and len(case.head) < len(case.recorded.sent):
        what = f"goes on after {case.flow.replay.until} as recorded"
        yield Mutant(kind="relapse", what=what, change=Follow())


def _tried(mutant: Mutant, scene: _Scene) -> Tried:
    case = scene.case
    if why := out_of_reach(mutant, case):
        return Tried(mutant=mutant, fate="not_applicable", why=why)
    verdict, facts = scene.stage.played(mutate(scene.green, mutant, case.recorded))
    if verdict.word is Word.FAIL:
        return Tried(mutant=mutant, fate="killed", why=_killer(verdict))
    if why := let_pass(mutant, case):
        return Tried(mutant=mutant, fate="not_applicable", why=why)
    if verdict.word is not Word.PASS:
        return Tried(mutant=mutant, fate="unjudged", why=verdict.summary)
    remedy = remedy_of(mutant, case.flow, case.recorded, scene.facts, facts)
    return Tried(mutant=mutant, fate="survived", why=verdict.summary, remedy=remedy)


def _killer(verdict: FlowResult) -> str:
    """What turned the mutant red: matching with the field it names, what was left over, or else the verdict's words."""
    miss = verdict.miss
    if miss is not None and not miss.later:
        fields = "".join(each.path for each in miss.differences[:1])
        return f"matching: {' '.join(each for each in (miss.nearest, fields) if each) or miss.reason}"
    if verdict.left_over:
        return f"never asked for: {', '.join(verdict.left_over)}"
    failed = [each.assertion for each in verdict.judgements if each.state == "failed"]
    return failed[0] if failed else verdict.summary
