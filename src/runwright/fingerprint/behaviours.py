"""Runs grouped by what they did: into behaviours, and into groups of behaviours that are near each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from runwright.fingerprint.agree import agree, both_sides, same_behaviour
from runwright.fingerprint.distance import distance
from runwright.fingerprint.model import Fact, Fingerprint, fingerprint_digest

Basis = tuple[Fact, ...]
View = tuple[object, ...]
"""What one fingerprint says over what another basis knows too."""


@dataclass(frozen=True)
class Seen:
    """A run by its name; `size` is the number of its records."""

    name: str
    print: Fingerprint
    size: int = 0


@dataclass(frozen=True)
class Behaviour:
    """Runs that did the same, the exemplar first: the one that knows most, of those the shortest."""

    runs: tuple[Seen, ...]

    @property
    def exemplar(self) -> Seen:
        return self.runs[0]


@dataclass(frozen=True)
class Group:
    """Behaviours that are no farther from the first, the most frequent, than was asked."""

    behaviours: tuple[Behaviour, ...]

    @property
    def exemplar(self) -> Seen:
        return self.behaviours[0].exemplar

    @property
    def count(self) -> int:
        return sum(len(each.runs) for each in self.behaviours)


def is_judged(print_of: Fingerprint) -> bool:
    """Whether enough is known of a run to say that another did the same."""
    return agree(print_of, print_of).same


def behaviours(seen: Iterable[Seen]) -> tuple[Behaviour, ...]:
    """The runs by what they did, the most frequent first, whatever order they come in.

    Runs are together when their digests are equal, or when they are the same over what both could know, calls in order
    and the end among it. A run that knows too little to be told from several joins the most frequent of them.
    """
    alike: dict[str, list[Seen]] = defaultdict(list)
    for each in seen:
        alike[fingerprint_digest(each.print)].append(each)
    blocks: dict[View, list[Behaviour]] = defaultdict(list)
    for runs in alike.values():
        first = Behaviour(tuple(sorted(runs, key=_worth)))
        blocks[first.exemplar.print.tool_sequences, first.exemplar.print.outcome_class].append(first)
    return tuple(sorted((each for block in blocks.values() for each in _merged(block)), key=_rank))


def groups(found: Sequence[Behaviour], threshold: float = 0.0) -> tuple[Group, ...]:
    """Behaviours with the nearest more frequent one that is within the threshold of them and leads a group.

    So every behaviour's exemplar is within the threshold of its group's, and no two groups' exemplars are within it.
    """
    if threshold <= 0:
        return tuple(Group((each,)) for each in found)
    led: list[list[Behaviour]] = []
    for each in found:
        near = min(_distances(each, led), default=None)
        if near is not None and near[0] <= threshold:
            led[near[1]].append(each)
        else:
            led.append([each])
    return tuple(sorted((Group(tuple(each)) for each in led), key=lambda group: (-group.count, group.exemplar.name)))


def _distances(each: Behaviour, led: Sequence[Sequence[Behaviour]]) -> Iterator[tuple[float, int]]:
    for at, (first, *_) in enumerate(led):
        yield distance(first.exemplar.print, each.exemplar.print).value, at


def _worth(run: Seen) -> tuple[int, int, str]:
    return -len(run.print.basis), run.size, run.name


def _rank(each: Behaviour) -> tuple[int, str, str]:
    return -len(each.runs), each.exemplar.name, fingerprint_digest(each.exemplar.print)


def _merged(block: Sequence[Behaviour]) -> list[Behaviour]:
    """Behaviours of equal sequences and outcome, those together that are the same over what both know.

    Each is looked up by what it says over every basis that there is, so the time is linear in the behaviours.
    """
    if len(block) == 1:
        return list(block)
    led: list[list[Behaviour]] = []
    by_view: dict[tuple[Basis, Basis], dict[View, int]] = {}
    leaders: dict[Basis, list[int]] = defaultdict(list)
    for each in sorted(block, key=lambda one: (-len(one.exemplar.print.basis), _rank(one))):
        mine = each.exemplar.print
        met = [at for at in _lookups(mine, led, by_view, leaders) if same_behaviour(led[at][0].exemplar.print, mine)]
        if met:
            led[min(met, key=lambda at: _rank(led[at][0]))].append(each)
            continue
        leaders[mine.basis].append(len(led))
        led.append([each])
        for (basis, other), known in by_view.items():
            if basis == mine.basis:
                known.setdefault(_view(mine, other), len(led) - 1)
    return [_together(each) for each in led]


def _together(led: Sequence[Behaviour]) -> Behaviour:
    """All their runs; the leader's stay first, since the others are the same as those, and not always as each other."""
    first, *rest = led
    return Behaviour((*first.runs, *sorted((run for each in rest for run in each.runs), key=_worth)))


def _lookups(
    mine: Fingerprint,
    led: Sequence[Sequence[Behaviour]],
    by_view: dict[tuple[Basis, Basis], dict[View, int]],
    leaders: dict[Basis, list[int]],
) -> Iterator[int]:
    """For each basis the first leader that says the same as this one over what both know."""
    for basis, places in leaders.items():
        if (basis, mine.basis) not in by_view:
            known = by_view[basis, mine.basis] = {}
            for at in places:
                known.setdefault(_view(led[at][0].exemplar.print, mine.basis), at)
        found = by_view[basis, mine.basis].get(_view(mine, basis))
        if found is not None:
            yield found


def _view(print_of: Fingerprint, basis: Basis) -> View:
    sides = both_sides(print_of, replace(print_of, basis=basis))
    return tuple((field, each[0]) for field, each in sides.items() if not isinstance(each, str))
