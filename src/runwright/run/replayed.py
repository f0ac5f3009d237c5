"""One replay: the cassette served to the agent of a flow, and everything both sides did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from runwright.errors import CapabilityError, FlowError
from runwright.flow import AgentSpec, Flow
from runwright.match import Flag, Ignore, Matcher
from runwright.readers.flowproof import joined_in
from runwright.record.watch import UNWATCHED, Watch, Watched
from runwright.replay import LiveMiss, ReplayServer, ReplaySession
from runwright.run.agent import AgentRun, Launch, run_agent
from runwright.run.cassette import served_results
from runwright.run.discover import repository_root
from runwright.run.environment import agent_environment
from runwright.run.known import known_secrets, secrets_of
from runwright.run.options import RunOptions
from runwright.run.turn import repository_turn
from runwright.run.visited import visited
from runwright.run.watch import looks_at_files, watch_over
from runwright.secrets import clean_text, flag
from runwright.trace.model import ModelRecord, Trace

SPLIT = 1
"""Bytes a piece when a flow asks for streams that split characters: every border is hit."""


@dataclass(frozen=True, kw_only=True)
class Replayed:
    """What happened. `matcher` has served all it will; `environment` is what the agent was given, or is asked about.

    `began` is when the times of the exchanges are counted from, on the monotonic clock.
    """

    agent: AgentRun
    exchanges: tuple[ModelRecord, ...]
    miss: LiveMiss | None
    matcher: Matcher
    environment: Mapping[str, str]
    watched: Watched = UNWATCHED
    began: float = 0.0


def replay(flow: Flow, cassette: Trace, options: RunOptions) -> Replayed:
    """Run the flow's agent against its cassette; CapabilityError where the flow asks for what cannot be done here."""
    agent = served_agent(flow)
    if agent.url is not None and options.dry_world:
        hint = "run it without --dry-world, or start the agent by a command"
        raise CapabilityError(
            "what an agent changes that runs already is not thrown away", place=str(flow.path), hint=hint
        )
    matcher = matcher_of(flow, cassette)
    clean = partial(clean_text, known=known_secrets(secrets_of(flow, options)))
    session = ReplaySession(cassette, matcher, clean=clean)
    split = SPLIT if flow.replay.split else None
    if agent.url is None:
        server = ReplayServer(session, clean=clean, split=split)
        run, environment, watched = _launched(flow, agent, server, options)
    else:
        server = ReplayServer(session, port=agent.proxy_port or 0, clean=clean, split=split)
        run, environment = visited(flow, agent, server, options)
        watched = UNWATCHED
    return Replayed(
        agent=run,
        exchanges=session.live_records(),
        miss=session.miss,
        matcher=matcher,
        environment=environment,
        watched=watched,
        began=session.started,
    )


def served_agent(flow: Flow) -> AgentSpec:
    """The flow's agent, if this version can run it as the flow wants; else CapabilityError or FlowError."""
    agent, place = flow.agent, f"{flow.path}: $.agent"
    if agent is None:
        raise FlowError("the flow has no agent to run", place=place, hint="add agent.command and agent.tools")
    if agent.tools == "served":
        hint = "tools: real runs the agent's own tools; make them harmless first"
        raise CapabilityError("tools cannot be served from the cassette yet", place=f"{place}.tools", hint=hint)
    if flow.mcp:
        raise CapabilityError("MCP servers cannot be stood in for yet", place=f"{flow.path}: $.mcp")
    return agent


def matcher_of(
    flow: Flow, cassette: Trace, *, flag: Flag = flag, live_window: tuple[datetime, datetime] | None = None
) -> Matcher:
    """The matcher of this replay, told what the flow ignores, replaces and gives the agent.

    `live_window` is when the live run took place, from now on unless given.
    """
    started = datetime.now(UTC)
    agent = flow.agent
    own = (*agent.env.values(), *agent.command, *agent.headers.values()) if agent else ()
    return Matcher(
        cassette,
        until=flow.replay.until,
        ignores=[Ignore(each.lane, each.path, each.shape) for each in flow.ignore],
        given=(*flow.turns, *own),
        results=served_results(flow, cassette),
        joined=joined_in(cassette.header),
        flag=flag,
        live_window=lambda: live_window or (started, datetime.now(UTC)),
    )


def _launched(
    flow: Flow, agent: AgentSpec, server: ReplayServer, options: RunOptions
) -> tuple[AgentRun, Mapping[str, str], Watched]:
    root, dry = repository_root(flow.path), options.dry_world
    with repository_turn(root, options.stop, alone=dry or looks_at_files(flow)) as ours, server:
        launch = _launch(flow, agent, server.base_url, options)
        if not ours:
            return AgentRun(ended="interrupted", started_at=datetime.now(UTC), duration=0.0), launch.env, UNWATCHED
        known = known_secrets(secrets_of(flow, options))
        for sure in (False, True):  # to try it out first takes as long as to start it
            with watch_over(flow, agent, launch, server.port, known, dry=dry, sure=sure) as watch:
                run, watched = _watched(launch, watch, options)
                unable = watch.unable if watch is not None and run.ended == "not_started" else ""
            if not unable:
                break
        else:
            raise CapabilityError(f"the agent cannot be watched here: {unable}", place=f"{flow.path}: $.agent")
    if run.ended == "not_started":
        raise FlowError(f"cannot start {agent.command[0]!r}: {run.error}", place=f"{flow.path}: $.agent.command")
    return run, launch.env, watched


def _watched(launch: Launch, watch: Watch | None, options: RunOptions) -> tuple[AgentRun, Watched]:
    """The run, and what was seen of it; where the watch was unable to begin, nothing was started."""
    if watch is None:
        return run_agent(launch, options.stop), UNWATCHED
    run = run_agent(replace(launch, through=watch.supervised, env=watch.environment), options.stop)
    return run, UNWATCHED if run.ended == "not_started" else watch.seen(launch.argv)


def _launch(flow: Flow, agent: AgentSpec, base_url: str, options: RunOptions) -> Launch:
    environment = agent_environment(
        options.environment,
        base_url=base_url,
        prompt=flow.prompt,
        allow=(*agent.env_allow, *options.passed),
        own=agent.env,
    )
    return Launch(
        argv=agent.command,
        cwd=repository_root(flow.path) / (agent.cwd or "."),
        env=environment,
        turns=flow.turns[1:],
        timeout=flow.timeout if options.timeout is None else options.timeout,
    )
