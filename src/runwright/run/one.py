"""One flow: load it, replay its cassette, judge what the agent did."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import UNSET, UnsetType

from runwright.errors import RunwrightError, TraceError
from runwright.flow import (
    AgentEnd,
    Facts,
    FieldDifference,
    Flow,
    FlowResult,
    IgnoreSpec,
    MissReport,
    Replay,
    Surroundings,
    assertion_texts,
    compare_effects,
    decide,
    evidence_of,
    load_flow,
    missing_of,
    refused,
    skipped,
    unjudged,
    wants_effects,
    wants_network,
)
from runwright.flow.variables import as_written
from runwright.match import Difference, Missing
from runwright.replay import LiveMiss
from runwright.run.agent import AgentRun
from runwright.run.cassette import cassette_notes, read_cassette
from runwright.run.discover import repository_root
from runwright.run.governed import Governed, Suites, after_each, before_each
from runwright.run.keep import keep_trace
from runwright.run.known import given_secrets, known_secrets, secrets_of
from runwright.run.live import live_trace
from runwright.run.options import RunOptions
from runwright.run.provenance import CassetteUsed, cassette_file, cassette_used, from_root
from runwright.run.replayed import Replayed, replay
from runwright.run.turn import repository_turn
from runwright.run.watch import cannot_be_held, cannot_be_watched
from runwright.trace.model import JSON, FaultRecord, Trace


@dataclass(frozen=True, kw_only=True)
class FlowRun:
    """A verdict, the live side that it rests on, and where that was kept.

    `file` is the flow's path from the root of its repository. `assertions` is every assertion as prose, judged or not;
    None where the flow could not be read. `ignored` names the fields that the flow lets differ, with their lanes.
    `matched` names the recorded exchanges that were served, in order.
    `known` are secrets by name that a report must not show, whatever they look like.
    """

    result: FlowResult
    file: str = ""
    assertions: tuple[str, ...] | None = None
    ignored: tuple[str, ...] = ()
    cassette: CassetteUsed | None = None
    matched: tuple[str, ...] = ()
    trace: Trace | None = None
    kept: Path | None = None
    known: Mapping[str, str] = field(default_factory=dict, repr=False)


def run_flow(path: Path, options: RunOptions | None = None) -> FlowResult:
    """Run the flow in a file and judge it; whatever keeps it from running is a verdict too."""
    return run_one(path, options or RunOptions()).result


def run_one(path: Path, options: RunOptions, suites: Suites | None = None) -> FlowRun:
    """As `run_flow`, with the live side of the run; `suites` is shared by the flows of one run."""
    flow = None
    try:
        governed = (suites or Suites(options)).of(path)
        options = governed.options(options) if governed else options
        flow = load_flow(path, options.environment)
        run = _governed(with_until(flow, options.until), options, governed)
    except RunwrightError as error:
        flow = flow or _as_far_as_read(path, options)
        run = _refused(path, flow, error)
    if flow is None:
        return dataclasses.replace(run, file=from_root(path), known=options.known)
    return dataclasses.replace(
        run,
        file=from_root(path),
        assertions=assertion_texts(flow),
        ignored=tuple(map(_ignored, flow.ignore)),
        cassette=cassette_used(flow),
        known=secrets_of(flow, options),
    )


def _ignored(ignore: IgnoreSpec) -> str:
    return f"{ignore.path} ({', '.join(filter(None, (ignore.lane, ignore.shape)))})"


def _as_far_as_read(path: Path, options: RunOptions) -> Flow | None:
    """A flow that lacks what its suite file, or the caller, was to give: its name and control are known anyway."""
    try:
        written = as_written(path.read_text(encoding="utf-8-sig"))
        return load_flow(path, {**written, **options.environment})
    except (OSError, ValueError, RunwrightError):
        return None


def _refused(path: Path, flow: Flow | None, error: RunwrightError) -> FlowRun:
    name, control = (flow.name, flow.control) if flow else ("", None)
    return FlowRun(result=refused(path, error, name=name, control=control))


def _governed(flow: Flow, options: RunOptions, governed: Governed | None) -> FlowRun:
    """The run between the commands of its suite file; a flow that is skipped needs none of them."""
    missing = missing_of(flow.skip_unless_env, options.environment)
    if missing:
        return FlowRun(result=skipped(flow, missing))
    if governed is None:
        return _run(flow, options)
    try:
        before_each(governed, flow.path, options.stop)
        run = _run(flow, options)
    except RunwrightError as error:
        run = _refused(flow.path, flow, error)
    except KeyboardInterrupt:
        after_each(governed, flow.path)
        raise
    fault = after_each(governed, flow.path)
    result = dataclasses.replace(run.result, notes=(*run.result.notes, *governed.environment.notes))
    return dataclasses.replace(run, result=unjudged(result, fault) if fault else result)


def load_cassette(flow: Flow) -> Trace:
    """The flow's cassette. TraceError where there is none to trust."""
    path = cassette_file(flow)
    if not path.exists():
        hint = "convert a run into one, or correct the flow's cassette: line"
        raise TraceError("there is no cassette", place=str(path), hint=hint)
    return read_cassette(path)


def with_until(flow: Flow, until: str | None) -> Flow:
    """The flow, strict up to another exchange where one is given."""
    if until is None:
        return flow
    return dataclasses.replace(flow, replay=Replay(until=until, split=flow.replay.split))


def _run(flow: Flow, options: RunOptions) -> FlowRun:
    cassette = load_cassette(flow)
    begun = time.monotonic()
    if flow.agent is None:
        facts = Facts(
            evidence=evidence_of(cassette, Surroundings()),
            cassette=cassette,
            faults=_faults(cassette),
            recording_only=options.recording_only,
            strict=options.strict,
        )
        return FlowRun(result=decide(flow, facts))
    done = replay(flow, cassette, options)
    return judged(flow, done, cassette, options, time.monotonic() - begun)


def judged(flow: Flow, done: Replayed, cassette: Trace, options: RunOptions, duration: float) -> FlowRun:
    """The verdict on a replay that took `duration` seconds, with the live side, which is kept if the options say so."""
    live = live_trace(flow, done.exchanges, done.agent, done.watched, done.began)
    facts = facts_of(flow, done, live, cassette, options, duration)
    known = known_secrets(secrets_of(flow, options))
    kept = _kept(live, flow, known, options) if options.keep else None
    return FlowRun(result=decide(flow, facts), trace=live, kept=kept, matched=done.matcher.served)


def _kept(live: Trace, flow: Flow, known: Iterable[str], options: RunOptions) -> Path:
    """The file of the kept trace, written while no agent is watched there, whose doing it would seem to be."""
    with repository_turn(repository_root(flow.path), options.stop, alone=False):
        return keep_trace(live, flow.path, known)


def facts_of(flow: Flow, done: Replayed, live: Trace, cassette: Trace, options: RunOptions, duration: float) -> Facts:
    """What a replay found, `live` being its live side."""
    matcher, held = done.matcher, done.watched.contained
    surroundings = Surroundings(
        output=done.agent.stdout or None,
        said=done.agent.said,
        answers=done.agent.answers,
        environment=done.environment,
        egress="enforced" if held.by else "not_observed",
        enforced_by=held.by,
        blocked=held.blocked,
        refused=held.refused,
        lost=held.lost,
    )
    return Facts(
        evidence=evidence_of(live, surroundings),
        cassette=cassette,
        agent=_agent_end(done.agent),
        matched=matcher.served,
        miss=miss_report(done.miss) if done.miss else None,
        left_over=matcher.left_over(),
        stale_ignores=tuple(IgnoreSpec(lane=e.lane, path=e.path, shape=e.shape) for e in matcher.stale_ignores()),
        never_compared=matcher.never_compared(),
        not_replayed=matcher.not_replayed(),
        effects=compare_effects(flow, cassette, live, matcher),
        lacking=tuple(_lacking(flow, done)),
        faults=_faults(cassette),
        notes=(*_not_held(flow, done), *_not_watched(flow, done), *cassette_notes(flow, cassette)),
        strict=options.strict,
        recording_only=options.recording_only,
        duration=duration,
    )


def _not_held(flow: Flow, done: Replayed) -> Iterator[str]:
    """What reads like a promise and was none: of a network that nobody held, and of secrets that nobody gave."""
    agent, held = flow.agent, done.watched.contained
    if agent is None:
        return
    if agent.url is None and agent.contain and not held.by and not wants_network(flow):
        yield f"the agent's network was not held: {cannot_be_held() or 'what holds it did not live to the end'}"
    if held.weaker:
        yield f"the agent's network was held without a namespace of its own: {held.weaker}"
    if agent.url is not None and (names := given_secrets(flow)):
        yield f"whether the agent that runs already holds {', '.join(names)} is not known"


def _lacking(flow: Flow, done: Replayed) -> Iterator[str]:
    """What the flow says the agent may reach, where nothing kept it from reaching more."""
    agent = flow.agent
    if agent is not None and agent.allow_egress and not done.watched.contained.by:
        why = cannot_be_held() if agent.url is None else "it runs already"
        yield f"agent.allow_egress cannot be enforced: {why}"


def _not_watched(flow: Flow, done: Replayed) -> Iterator[str]:
    """Why nobody watched an agent that the flow wants watched."""
    started = flow.agent is not None and flow.agent.command
    if started and wants_effects(flow) and done.watched.observed is None and (reason := cannot_be_watched()):
        yield f"side effects were not observed: {reason}"


def _agent_end(agent: AgentRun) -> AgentEnd:
    return AgentEnd(
        ended=agent.ended, exit_code=agent.exit_code, status=agent.status, error=agent.error, stderr=agent.stderr
    )


def miss_report(miss: LiveMiss) -> MissReport:
    """The miss as a verdict tells it."""
    reason = miss.reason if miss.live else f"{miss.place}: {miss.reason}"  # a request that was read needs no address
    return MissReport(
        reason=reason,
        later=miss.later,
        nearest=miss.nearest,
        differences=tuple(map(_difference, miss.differences)),
    )


def _difference(difference: Difference) -> FieldDifference:
    path = f"{difference.path} ({difference.about})" if difference.about else difference.path
    return FieldDifference(path=path, recorded=_side(difference.recorded), live=_side(difference.live))


def _side(value: JSON | Missing) -> JSON | UnsetType:
    return UNSET if isinstance(value, Missing) else value


def _faults(cassette: Trace) -> tuple[str, ...]:
    return tuple(f"{each.kind}: {each.detail}" for each in cassette.records if isinstance(each, FaultRecord))
