"""What an agent's process does beside talking to its model, watched while it runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from runwright.errors import CapabilityError
from runwright.flow import Flow, wants_effects
from runwright.record.http import Reach
from runwright.record.observe import SEEN, cannot_observe
from runwright.record.watch import Wanted, Watch
from runwright.run.agent import Launch
from runwright.run.discover import repository_root
from runwright.trace.model import EffectKind

WAIT = 1.0
"""Seconds that a watched agent's background processes may go on once it has ended."""


def kinds_watched(flow: Flow) -> frozenset[EffectKind]:
    """The kinds of effect that a replay of the flow observes, where the machine can."""
    started = flow.agent is not None and flow.agent.command
    return frozenset(SEEN) if started and wants_effects(flow) else frozenset()


@contextmanager
def watch_over(
    flow: Flow, launch: Launch, base_url: str, known: Iterable[str], *, dry: bool = False
) -> Iterator[Watch | None]:
    """The watch that the flow asks for over the agent that is to be launched; None where there is, or can be, none.

    With `dry` whatever the agent changes is thrown away, or it is not run: CapabilityError.
    """
    if dry and (reason := cannot_observe()):
        raise CapabilityError(f"what the agent changes cannot be thrown away here: {reason}", place=str(flow.path))
    if not (dry or wants_effects(flow)) or cannot_observe():
        yield None
        return
    spec, agent = flow.effects, flow.agent
    wanted = Wanted(
        folder=launch.cwd,
        workspace=repository_root(flow.path) / ((spec.workspace if spec else None) or "."),
        environment=launch.env,
        wait=WAIT,
        http=spec.http if spec else "hooks",
        stand_ins=(base_url,),
        reach=Reach(agent.allow_egress, agent.allow_local) if agent and agent.contain else Reach(),
        known=tuple(known),
        dry=dry,
    )
    with Watch(wanted) as watch:
        yield watch
