"""What a flow needs beside a replay: somebody who watches, and a network that is held."""

from __future__ import annotations

from runwright.flow.assertions import NoEgress, NoSideEffect, SideEffectMust
from runwright.flow.spec import Flow


def wants_effects(flow: Flow) -> bool:
    """Whether the flow asks what its agent does to the world; nobody looks otherwise."""
    return flow.effects is not None or any(
        isinstance(each.assertion, (SideEffectMust, NoSideEffect)) for each in flow.steps
    )


def wants_network(flow: Flow) -> bool:
    """Whether the flow says what its agent may reach, so that it cannot be judged where nothing holds the agent."""
    allows = flow.agent is not None and bool(flow.agent.allow_egress)
    return allows or any(isinstance(each.assertion, NoEgress) for each in flow.steps)
