"""What an agent's process does beside talking to its model, watched and held while it runs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from runwright.errors import CapabilityError, FlowError
from runwright.flow import AgentSpec, Flow, wants_effects
from runwright.record.contain import Containment, cannot_contain
from runwright.record.database import CHANGE
from runwright.record.database.address import is_server
from runwright.record.observe import SEEN, cannot_observe
from runwright.record.observe.supervised import other_machine
from runwright.record.watch import Wanted, Watch
from runwright.run.agent import Launch
from runwright.run.discover import repository_root
from runwright.trace.model import EffectKind

WAIT = 1.0
"""Seconds that a watched agent's background processes may go on once it has ended."""


def kinds_watched(flow: Flow) -> frozenset[EffectKind]:
    """The kinds of effect that a replay of the flow observes, where the machine can."""
    if flow.agent is None or not flow.agent.command or not wants_effects(flow):
        return frozenset()
    requests: tuple[EffectKind, ...] = () if flow.effects and flow.effects.http == "none" else ("http_request",)
    return frozenset((*SEEN, *requests, CHANGE))


@lru_cache(maxsize=1)
def cannot_be_held() -> str:
    """Why an agent's network cannot be held here, tried out once; empty where it can."""
    return cannot_contain()


@lru_cache(maxsize=1)
def cannot_be_watched() -> str:
    """Why what an agent changes cannot be observed here, tried out once; empty where it can."""
    return cannot_observe()


@contextmanager
def watch_over(
    flow: Flow, agent: AgentSpec, launch: Launch, port: int, known: Iterable[str], *, dry: bool = False, sure: bool
) -> Iterator[Watch | None]:
    """The watch that the flow asks for over the agent that is to be launched; None where there is, or can be, none.

    `port` is the replay server's. With `dry` whatever the agent changes is thrown away, or it is not run:
    CapabilityError. Whether it can be watched and held is tried out before if that has to be `sure`.
    """
    if dry and (reason := cannot_be_watched()):
        raise CapabilityError(f"what the agent changes cannot be thrown away here: {reason}", place=str(flow.path))
    _named_databases(flow)
    looked = dry or looks_at_files(flow)
    here = not other_machine()
    wanted = Wanted(
        folder=launch.cwd,
        workspace=_workspace(flow) if looked and here and not (sure and cannot_be_watched()) else None,
        environment=launch.env,
        wait=WAIT if looked else 0.0,
        http=flow.effects.http if flow.effects else "hooks",
        databases=flow.effects.databases if flow.effects else (),
        stand_ins=(port,),
        contain=_containment(flow, agent, launch.cwd) if here and not (sure and cannot_be_held()) else None,
        known=tuple(known),
        dry=dry,
    )
    if wanted.workspace is None and wanted.contain is None:
        yield None
        return
    with Watch(wanted) as watch:
        yield watch


def looks_at_files(flow: Flow) -> bool:
    """Whether somebody looks at what the agent does to files: what is refused of protected ones is told as well."""
    return wants_effects(flow) or (flow.agent is not None and bool(flow.agent.protect))


def _workspace(flow: Flow) -> Path:
    wanted = flow.effects.workspace if flow.effects else None
    return repository_root(flow.path) / (wanted or ".")


def _named_databases(flow: Flow) -> None:
    """FlowError for a file that the flow names as a database and that is not there: nothing would be said of it."""
    for number, address in enumerate(flow.effects.databases if flow.effects else ()):
        if not is_server(address) and not os.path.exists(_workspace(flow) / address):  # noqa: PTH110 - as above
            place = f"{flow.path}: $.effects.databases[{number}]"
            raise FlowError("there is no such database", place=place, hint="the flow's suite can make it before")


def _containment(flow: Flow, agent: AgentSpec, folder: Path) -> Containment | None:
    protect = tuple(folder / each for each in agent.protect)
    for path, written in zip(protect, agent.protect, strict=True):
        if not os.path.exists(path):  # noqa: PTH110 - Path.exists raises for a name that is too long
            raise FlowError(f"{written!r} cannot be protected: it is not there", place=f"{flow.path}: $.agent.protect")
    if not agent.contain:
        return None
    return Containment(agent.allow_local, agent.allow_egress, protect)
