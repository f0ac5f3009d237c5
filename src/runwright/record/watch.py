"""All that is watched of one command: what it does to files and databases, whom it asks for what."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, TypeAlias

from msgspec.structs import replace

from runwright.record.http import Hooks, HttpEffects, Reach, http_effects
from runwright.record.observe import WAIT, End, Look, Observed, Orders, Supervised, look, observed_of
from runwright.trace.model import FaultRecord, Record, SideEffectRecord

Http: TypeAlias = Literal["hooks", "proxy", "none"]


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is to be seen of a command that runs in `folder` with this environment.

    `workspace` is where files are told by name and content; `wait` is how many seconds its background processes may
    go on. `http` is how requests are seen, those to `stand_ins` (origins, ports) aside; `reach` is what a proxy lets
    through. `known` are secrets that no rule finds. `everything` leaves no noise out; `dry` throws away what it
    changes, once that is told.
    """

    folder: Path
    workspace: Path
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ), repr=False)
    wait: float = WAIT
    http: Http = "hooks"
    stand_ins: tuple[str | int, ...] = ()
    reach: Reach | None = None
    known: tuple[str, ...] = field(default=(), repr=False)
    everything: bool = False
    dry: bool = False


class Watch:
    """The watch over one command: what it is started through and with, and afterwards what was seen."""

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._stack = ExitStack()
        self._hooks: Hooks | None = None
        self._before: Look
        self.supervised: Supervised

    def __enter__(self) -> Self:
        wanted = self._wanted
        with ExitStack() as stack:
            if wanted.http != "none":
                reach = (wanted.reach or Reach()) if wanted.http == "proxy" else None
                hooks = Hooks(wanted.environment, stand_ins=wanted.stand_ins, proxy=reach, known=wanted.known)
                self._hooks = stack.enter_context(hooks)
            self._before = look(wanted.workspace)
            root = os.fsdecode(self._before.names.workspace)
            orders = Orders(str(wanted.folder), root, wanted.wait, layer=root if wanted.dry else None)
            self.supervised = stack.enter_context(Supervised(orders))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stack.__exit__(kind, error, at)

    @property
    def environment(self) -> dict[str, str]:
        """The command's whole environment, with what makes its requests seen."""
        return dict(self._wanted.environment) if self._hooks is None else self._hooks.environment

    @property
    def unable(self) -> str:
        """Why it could not be watched, so that it was not started; empty where it was."""
        return self.supervised.log().unable

    def seen(self, command: Sequence[str]) -> Observed:
        """What was seen, now that it has ended."""
        end = End(self.supervised.log(), world=self.supervised.world())
        observed = observed_of(self._before, end, command, everything=self._wanted.everything)
        if self._hooks is None:
            return observed
        stand_ins, began = self._wanted.stand_ins, end.log.began
        return _with_requests(observed, http_effects(self._hooks.seen(), None, stand_ins=stand_ins, began=began))


SILENT = frozenset(("stand-in", "explained connection", "name lookup"))
"""What is no effect and tells nobody anything."""


def _with_requests(observed: Observed, found: HttpEffects) -> Observed:
    """What was observed, requests included, numbered on."""
    told: dict[str, int] = {rule: number for rule, number in found.counts.items() if rule not in SILENT}
    records = observed.trace.records
    header = observed.trace.header
    if found.observed:
        header = replace(header, observation={**header.observation, "http_request": "observed"})
    effects = _numbered("e", found.effects, sum(isinstance(each, SideEffectRecord) for each in records))
    faults = _numbered("f", found.faults, sum(isinstance(each, FaultRecord) for each in records))
    trace = replace(observed.trace, header=header, records=(*records, *effects, *faults))
    return observed._replace(trace=trace, filtered=dict(sorted({**observed.filtered, **told}.items())))


def _numbered(letter: str, records: Sequence[Record], known: int) -> tuple[Record, ...]:
    return tuple(replace(each, id=f"{letter}{number}") for number, each in enumerate(records, known + 1))
