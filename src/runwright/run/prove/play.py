"""Playing a side against the cassette: the matching and the judging of a run, without the agent and without a network.

What two sides have in common is played once: a mutant goes on from where it first does otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from msgspec.structs import replace as changed

from runwright.flow import Facts, Flow, FlowResult, decide
from runwright.match import Matcher
from runwright.perturb import Sent, Side
from runwright.record.contain import Contained
from runwright.record.watch import Watched as Held
from runwright.replay import LiveMiss, ReplaySession
from runwright.run.agent import AgentRun
from runwright.run.environment import agent_environment
from runwright.run.known import asked_about
from runwright.run.live import live_trace
from runwright.run.one import facts_of
from runwright.run.options import RunOptions
from runwright.run.prove.options import Watched
from runwright.run.replayed import Replayed
from runwright.run.watch import cannot_be_held
from runwright.trace.model import ModelRecord, Record, SideEffectRecord, ToolRecord, Trace

PLACE = "POST /v1"
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Reached:
    """How far a replay has come: its matcher, the live exchanges, and the miss that ended it."""

    matcher: Matcher
    exchanges: tuple[ModelRecord, ...]
    miss: LiveMiss | None = None

    @property
    def judged(self) -> Reached:
        """What the verdict rests on. A miss that is not a later one decides it, whatever else there is to see."""
        return self if self.miss is None or self.miss.later else replace(self, exchanges=())


class Stage:
    """One flow and cassette, on which sides are played; it remembers how far each prefix of the green side comes."""

    def __init__(
        self, flow: Flow, cassette: Trace, green: Side, matcher: Matcher, options: RunOptions, watched: Watched
    ) -> None:
        self._flow, self._cassette, self._green = flow, cassette, green
        self._options, self._watched = options, watched
        self._environment = _environment(flow, options)
        self._reached = [Reached(matcher, ())]
        for sent in green.sent:
            if self._reached[-1].miss is None:
                self._reached.append(self._next(self._reached[-1], [sent]))

    def played(self, side: Side) -> tuple[FlowResult, Facts]:
        """The verdict on a side, and the facts that it rests on."""
        common = next(
            (n for n, (one, other) in enumerate(zip(side.sent, self._green.sent, strict=False)) if one is not other),
            min(len(side.sent), len(self._green.sent)),
        )
        start = min(common, len(self._reached) - 1)
        reached = self._next(self._reached[start], side.sent[start:])
        facts = self._facts(side, reached.judged)
        return decide(self._flow, facts), facts

    def _next(self, reached: Reached, sent: Sequence[Sent]) -> Reached:
        """Send more requests; an agent that is refused asks for nothing more."""
        if reached.miss is not None or not sent:
            return reached
        matcher = reached.matcher.fork()
        session = ReplaySession(self._cassette, matcher, clean=str, clock=lambda: 0.0)
        for each in sent:
            if isinstance(session.answer(PLACE, each.request, each.streamed), LiveMiss):
                break
        before = len(reached.exchanges)
        made = tuple(changed(each, id=f"m{before + n}") for n, each in enumerate(session.live_records(), 1))
        return Reached(matcher, (*reached.exchanges, *made), session.miss)

    def _facts(self, side: Side, reached: Reached) -> Facts:
        done = Replayed(
            agent=_agent(self._flow, side),
            exchanges=reached.exchanges,
            miss=reached.miss,
            matcher=reached.matcher,
            environment=self._environment,
            watched=Held(None, Contained(_held_by(self._flow), ())),
        )
        live = live_trace(self._flow, done.exchanges, done.agent)
        seen = _seen(side, self._cassette, self._watched)
        observed = dict(live.header.observation)
        observed.update(dict.fromkeys(self._watched.effects, "observed"))
        live = changed(live, header=changed(live.header, observation=observed), records=(*live.records, *seen))
        facts = facts_of(self._flow, done, live, self._cassette, self._options, 0.0)
        surroundings = replace(facts.evidence.surroundings, executions_seen=self._watched.calls)
        return replace(facts, evidence=replace(facts.evidence, surroundings=surroundings))


def _held_by(flow: Flow) -> tuple[str, ...]:
    """What would hold the agent in a replay of the flow here; nothing where nothing would."""
    agent = flow.agent
    held = agent is not None and bool(agent.command) and agent.contain and not cannot_be_held()
    return ("the replay",) if held else ()


def _agent(flow: Flow, side: Side) -> AgentRun:
    """The agent's end: an exit code, or for one that is reached by HTTP the status of its last answer."""
    by_http = flow.agent is not None and flow.agent.url is not None
    ended = side.ended == "exited"
    return AgentRun(
        ended=side.ended,
        exit_code=side.code if ended and not by_http else None,
        status=(500 if side.code else 200) if ended and by_http else None,
        said=side.said if by_http else (),
        answers=side.said if by_http else (),
        stdout=side.output,
        started_at=_NEVER,
        duration=0.0,
    )


def _environment(flow: Flow, options: RunOptions) -> dict[str, str]:
    agent = flow.agent
    if agent is not None and agent.url is not None:
        return dict(asked_about(flow, options))
    return agent_environment(
        options.environment,
        base_url="http://127.0.0.1:0",
        prompt=flow.prompt,
        allow=(*agent.env_allow, *options.passed) if agent else (),
        own=agent.env if agent else {},
    )


def _seen(side: Side, cassette: Trace, watched: Watched) -> list[Record]:
    """What observers would have written of the side: its effects, and the calls that ran."""
    seen: list[Record] = [
        SideEffectRecord(id=f"e{n}", side_effect=each)
        for n, each in enumerate(side.effects, 1)
        if each.kind in watched.effects
    ]
    if watched.calls:
        more = [
            ToolRecord(
                id=f"added{n}",
                name=each.tool,
                arguments=each.arguments,
                call_id=f"added{n}",
                outcome="ok",
                fidelity="raw",
            )
            for n, each in enumerate(side.ran, 1)
        ]
        seen += [*cassette.tools, *more]
    return seen
