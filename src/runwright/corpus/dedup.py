"""Which behaviours many runs show, and which of them a flow guards already."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from runwright.corpus.guards import Guard
from runwright.corpus.seen import Left
from runwright.fingerprint import Behaviour, Fingerprint, Group, Seen, behaviours, groups, same_behaviour, told_apart


@dataclass(frozen=True)
class GuardedBehaviour:
    """A behaviour and the flows whose recordings show it."""

    behaviour: Behaviour
    flows: tuple[str, ...]


@dataclass(frozen=True)
class GuardedGroup:
    """A group; `name` is what sets it apart from the other groups."""

    name: tuple[str, ...]
    exemplar: Seen
    behaviours: tuple[GuardedBehaviour, ...]

    @property
    def count(self) -> int:
        return sum(len(each.behaviour.runs) for each in self.behaviours)

    @property
    def guarded(self) -> int:
        """How many of the runs did what a flow replays."""
        return sum(len(each.behaviour.runs) for each in self.behaviours if each.flows)

    @property
    def flows(self) -> tuple[str, ...]:
        return tuple(sorted({flow for each in self.behaviours for flow in each.flows}))


@dataclass(frozen=True)
class Dedup:
    """The groups, the most frequent first, and what is in none of them."""

    groups: tuple[GuardedGroup, ...]
    left: tuple[Left, ...]
    threshold: float

    @property
    def runs(self) -> int:
        return sum(each.count for each in self.groups)


def dedup(found: Iterable[Seen | Left], known: Iterable[Guard | Left], threshold: float = 0.0) -> Dedup:
    """Group the runs; with a threshold, behaviours whose distance from a more frequent one is no more than that."""
    left: list[Left] = []
    runs, flows = list[Seen](), list[Guard]()
    for each in (*found, *known):
        match each:
            case Seen():
                runs.append(each)
            case Guard():
                flows.append(each)
            case Left():
                left.append(each)
    made = groups(behaviours(runs), threshold)
    names = told_apart([each.exemplar.print for each in made])
    by_calls: Recorded = defaultdict(list)
    for flow in flows:
        by_calls[_calls(flow.print)].append(flow)
    grouped = tuple(_guarded(group, name, by_calls) for group, name in zip(made, names, strict=True))
    return Dedup(grouped, tuple(left), threshold)


Calls = tuple[tuple[tuple[str, ...], ...], str]
Recorded = dict[Calls, list[Guard]]


def _calls(of: Fingerprint) -> Calls:
    """What is equal in all runs of the same behaviour."""
    return of.tool_sequences, of.outcome_class


def _guarded(group: Group, name: tuple[str, ...], flows: Recorded) -> GuardedGroup:
    return GuardedGroup(
        name, group.exemplar, tuple(GuardedBehaviour(each, _flows(each, flows)) for each in group.behaviours)
    )


def _flows(behaviour: Behaviour, flows: Recorded) -> tuple[str, ...]:
    mine = behaviour.exemplar.print
    return tuple(flow.name for flow in flows.get(_calls(mine), ()) if same_behaviour(flow.print, mine))
