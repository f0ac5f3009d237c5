"""What an agent's process does beside talking to its model, watched while it runs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from runwright.flow import Flow, wants_effects
from runwright.record.observe import (
    SEEN,
    End,
    Orders,
    Supervised,
    cannot_observe,
    look,
    observed_of,
)
from runwright.run.discover import repository_root
from runwright.trace.model import EffectKind, FaultRecord, Observation, SideEffectRecord

WAIT = 1.0
"""Seconds that a watched agent's background processes may go on once it has ended."""


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What was seen of one agent: its effects, in seconds from `began` (monotonic), and what may have hidden one.

    `filtered` counts what was left out, by rule; `unchanged` are files that it wrote to and left as they were. `unable`
    says why nothing could be seen where the flow asks for it.
    """

    effects: tuple[SideEffectRecord, ...] = ()
    faults: tuple[FaultRecord, ...] = ()
    observation: Mapping[str, Observation] = field(default_factory=dict)
    filtered: Mapping[str, int] = field(default_factory=dict)
    unchanged: tuple[str, ...] = ()
    began: float = 0.0
    unable: str = ""


UNSEEN = Seen()
"""Of an agent that nobody watched."""


def kinds_watched(flow: Flow) -> frozenset[EffectKind]:
    """The kinds of effect that a replay of the flow observes, where the machine can."""
    started = flow.agent is not None and flow.agent.command
    return frozenset(SEEN) if started and wants_effects(flow) else frozenset()


class Watch:
    """The watch over one agent: what it is started through, and afterwards what was seen. It ends with its block."""

    def __init__(self, flow: Flow, folder: Path) -> None:
        self._flow = flow
        self._unable = cannot_observe() if wants_effects(flow) else ""
        self._before = look(_workspace(flow)) if wants_effects(flow) and not self._unable else None
        self.supervised = None
        if self._before is not None:
            self.supervised = Supervised(Orders(str(folder), os.fsdecode(self._before.names.workspace), WAIT))

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        if self.supervised is not None:
            self.supervised.__exit__()

    def seen(self) -> Seen:
        """What was seen, now that the agent has ended."""
        if self.supervised is None or self._before is None:
            return Seen(unable=self._unable)
        log = self.supervised.log()
        command = self._flow.agent.command if self._flow.agent else ()
        observed = observed_of(self._before, End(log), command)
        return Seen(
            effects=tuple(observed.trace.effects),
            faults=tuple(each for each in observed.trace.records if isinstance(each, FaultRecord)),
            observation=dict.fromkeys(SEEN, "observed"),
            filtered=observed.filtered,
            unchanged=observed.unchanged,
            began=log.began,
        )


def _workspace(flow: Flow) -> Path:
    wanted = flow.effects.workspace if flow.effects else None
    return repository_root(flow.path) / (wanted or ".")
