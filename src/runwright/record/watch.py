"""All that is watched and held of one command: what it does to files and databases, and whom it asks for what."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Literal, NamedTuple, Self, TypeAlias

from msgspec.structs import replace

from runwright.record.contain import Contained, Containment, contained, reach_of
from runwright.record.database import Databases, with_databases
from runwright.record.http import Hooks, HttpEffects, Reach, requests_of
from runwright.record.observe import WAIT, End, Look, Observed, Orders, Supervised, look, observed_of, workspace_root
from runwright.record.observe.watching.network.reach import OBSERVED, Reach as Network
from runwright.record.observe.watching.world import CHANGED, MOVED
from runwright.trace.model import FaultRecord, Record, SideEffectRecord

Http: TypeAlias = Literal["hooks", "proxy", "none"]


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is to be seen of a command that runs in `folder` with this environment, and what is held of it.

    Where there is a `workspace`, what it changes is seen, files being told by name and content in there; requests as
    `http` says, and `databases` are addresses of PostgreSQL databases beside those of SQLite in there. `stand_ins`
    (ports of this machine) play a part in the test themselves. `contain` is all else that it may reach, and what it may
    not change; None for no holding. Processes that it leaves may go on for `wait` seconds. `known` are secrets that no
    rule finds. `everything` leaves no noise out; `dry` throws away what it changes in files, once that is told.
    """

    folder: Path
    workspace: Path | None = None
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ), repr=False)
    wait: float = WAIT
    http: Http = "hooks"
    databases: tuple[str, ...] = field(default=(), repr=False)
    stand_ins: tuple[int, ...] = ()
    contain: Containment | None = None
    known: tuple[str, ...] = field(default=(), repr=False)
    everything: bool = False
    dry: bool = False


class Watched(NamedTuple):
    """What was seen, None where nobody was to look; and what was held."""

    observed: Observed | None = None
    contained: Contained = Contained((), ())


UNWATCHED = Watched()
"""Of a command that nobody watched, and nothing held."""


class Watch:
    """The watch over one command: what it is started through and with, and afterwards what was seen."""

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._stack = ExitStack()
        self._hooks: Hooks | None = None
        self._databases: Databases | None = None
        self._before: Look | None = None
        self.supervised: Supervised

    def __enter__(self) -> Self:
        wanted = self._wanted
        with ExitStack() as stack:
            if wanted.workspace is not None:
                self._look(wanted.workspace, stack)
            self.supervised = stack.enter_context(Supervised(self._orders()))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stack.__exit__(kind, error, at)

    def _look(self, workspace: Path, stack: ExitStack) -> None:
        wanted = self._wanted
        workspace_root(workspace)  # before anything looks through what may be the whole machine
        if wanted.http != "none":
            proxy = self._through_the_proxy() if wanted.http == "proxy" else None
            hooks = Hooks(wanted.environment, stand_ins=wanted.stand_ins, proxy=proxy, known=wanted.known)
            self._hooks = stack.enter_context(hooks)
        self._databases = stack.enter_context(Databases(workspace, wanted.databases))
        self._before = look(workspace)

    def _through_the_proxy(self) -> Reach:
        contain = self._wanted.contain
        return Reach() if contain is None else Reach(contain.egress, contain.local)

    def _orders(self) -> Orders:
        wanted = self._wanted
        root = None if self._before is None else os.fsdecode(self._before.names.workspace)
        protect = tuple(map(str, wanted.contain.protect)) if wanted.contain else ()
        layer = root if wanted.dry else None
        return Orders(str(wanted.folder), root, wanted.wait, protect, layer, network=self._network())

    def _network(self) -> Network | None:
        contain = self._wanted.contain
        if contain is not None:
            return reach_of(contain._replace(local=(*contain.local, *self._own_ports())))
        return None if self._hooks is None else Network(OBSERVED)

    def _own_ports(self) -> tuple[int, ...]:
        proxy = self._hooks.port if self._hooks else None
        return (*self._wanted.stand_ins, *(() if proxy is None else (proxy,)))

    @property
    def environment(self) -> dict[str, str]:
        """The command's whole environment, with what makes its requests seen."""
        return dict(self._wanted.environment) if self._hooks is None else self._hooks.environment

    @property
    def unable(self) -> str:
        """Why it could not be watched, so that it was not started; empty where it was."""
        return self.supervised.log().unable

    def seen(self, command: Sequence[str], end: End | None = None) -> Watched:
        """What was seen and held, now that it has ended; `end` tells of its streams."""
        log = self.supervised.log()
        held = contained(log)
        if self._before is None or self._databases is None:
            return Watched(None, held)
        world, everything = self.supervised.world(), self._wanted.everything
        ended = (end or End(log))._replace(log=log, world=world)
        observed = observed_of(self._before, ended, command, everything=everything)
        observed = with_databases(observed, self._databases, world=world, everything=everything)
        if self._hooks is not None:
            local = self._wanted.contain.local if self._wanted.contain else ()
            found = requests_of(self._hooks, log, stand_ins=self._wanted.stand_ins, local=local)
            observed = _with_requests(observed, found)
            blocked = dict.fromkeys((*held.blocked, *found.refused))  # by the network, and by the proxy that is reached
            held = held._replace(blocked=tuple(blocked))
        faults = [each.detail for each in observed.trace.records if isinstance(each, FaultRecord)]
        lost = [each for each in faults if each.startswith((MOVED, CHANGED))]
        return Watched(observed, held._replace(refused=observed.refused, lost=tuple(lost)))


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
