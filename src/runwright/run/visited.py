"""One replay to an agent that runs already: its port held, its turns given, its answers kept."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from datetime import UTC, datetime

from runwright.errors import FlowError, Unreachable
from runwright.flow import AgentSpec, Flow
from runwright.replay import ReplayServer
from runwright.run.address import Address, loopback_address
from runwright.run.agent import AgentRun
from runwright.run.known import asked_about
from runwright.run.options import RunOptions
from runwright.run.port import port_turn
from runwright.run.remote import Visit, checked_headers, visit_agent


def visited(
    flow: Flow, agent: AgentSpec, server: ReplayServer, options: RunOptions
) -> tuple[AgentRun, Mapping[str, str]]:
    """What the agent did, and the secrets that it is asked about; Unreachable where nothing could run.

    Replays with one port run one after the other, whatever process they are in.
    """
    place = f"{flow.path}: $.agent"
    visit = _visit(flow, agent, options, place)
    environment = asked_about(flow, options)
    port = agent.proxy_port or 0
    with port_turn(port, options.stop, patience=visit.timeout, place=f"{place}.proxy_port") as ours:
        if not ours:
            return AgentRun(ended="interrupted", started_at=datetime.now(UTC), duration=0.0), environment
        with ExitStack() as serving:
            _serve(server, serving, port, f"{place}.proxy_port")
            run = visit_agent(visit, server, options.stop)
    if run.ended == "not_started":
        hint = "start it first, with its model's address set to the replay's: " + f"http://127.0.0.1:{port}/v1"
        raise Unreachable(f"nothing answers at {visit.address.shown}: {run.error}", place=f"{place}.url", hint=hint)
    return run, environment


def _visit(flow: Flow, agent: AgentSpec, options: RunOptions, place: str) -> Visit:
    address = loopback_address(agent.url or "", f"{place}.url")
    _must_differ(address, agent, place)
    return Visit(
        address=address,
        headers=checked_headers(agent.headers, f"{place}.headers"),
        turns=flow.turns,
        timeout=flow.timeout if options.timeout is None else options.timeout,
    )


def _must_differ(address: Address, agent: AgentSpec, place: str) -> None:
    if address.port == agent.proxy_port:
        hint = "proxy_port is where the agent calls its model; url is where the agent itself listens"
        raise FlowError(f"port {address.port} is both url's and proxy_port's", place=place, hint=hint)


def _serve(server: ReplayServer, serving: ExitStack, port: int, place: str) -> None:
    try:
        serving.enter_context(server)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        hint = "end what listens there; while a flow runs the port is the replay's"
        raise Unreachable(f"port {port} cannot be listened at: {reason}", place=place, hint=hint) from error
