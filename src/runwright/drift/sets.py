"""Two sets of traces: which behaviours and which specifications came, and which went."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Generic, Literal, Protocol, TypeAlias, TypeVar

from runwright.drift.built import Built
from runwright.drift.compare import Comparison, Verdict, compare
from runwright.drift.recorded import recorded
from runwright.drift.terms import Terms
from runwright.fingerprint import Agreement, Fingerprint, agree, fingerprint, fingerprint_digest
from runwright.match.volatile import recorded_window
from runwright.trace import Trace

State: TypeAlias = Literal["same", "new", "gone", "not_judged"]
Named: TypeAlias = tuple[str, Trace]
T = TypeVar("T")
NOBODY = "no trace says what its agent is built from; --behaviours-only compares what the runs did alone"
NOT_ASKED = "what the agents are built from was not compared"
SIDES = ("the baseline", "the current set")


class Judged(Protocol):
    """How two members of the sets compare."""

    @property
    def verdict(self) -> Verdict: ...
    @property
    def differences(self) -> Sequence[object]: ...
    @property
    def not_compared(self) -> Sequence[str]: ...


J = TypeVar("J", bound=Judged)


@dataclass(frozen=True)
class Member(Generic[J]):
    """A behaviour or a specification that traces of one side share; of `same`, those of both sides.

    `against` is how it compares with the nearest of the other side, whose traces are `nearest`; None where there is
    none. `not_compared` tells of what was not compared with these, or with any of the other side where nothing was.
    """

    state: State
    baseline: tuple[str, ...] = ()
    current: tuple[str, ...] = ()
    against: J | None = None
    nearest: tuple[str, ...] = ()
    not_compared: tuple[str, ...] = ()


@dataclass(frozen=True)
class SetDrift:
    """The members of both sets. Traces that do not say what their agent is built from are a specification too, which
    is comparable with none; `specifications` are empty where they were not asked for."""

    behaviours: tuple[Member[Agreement], ...]
    specifications: tuple[Member[Comparison], ...]
    notes: tuple[str, ...] = field(default=())

    @property
    def verdict(self) -> Verdict:
        """UNVERIFIED where something is comparable with nothing, else DRIFTED for whatever came or went."""
        states = {each.state for each in self.behaviours} | {each.state for each in self.specifications}
        if not self.behaviours or "not_judged" in states:
            return "UNVERIFIED"
        return "SAME" if states == {"same"} else "DRIFTED"


def set_drift(
    baseline: Sequence[Named],
    current: Sequence[Named],
    *,
    ignore_whitespace: bool = False,
    behaviours_only: bool = False,
) -> SetDrift:
    """The runs of two sets of whole traces, by what they did and by what their agents were built from."""
    behaviours = _members(_behaviours(baseline), _behaviours(current), agree)
    if behaviours_only:
        return SetDrift(behaviours, (), (NOT_ASKED,))
    one, other = (_specifications(side, ignore_whitespace) for side in (baseline, current))
    specifications = _members(one, other, partial(compare, sides=SIDES))
    groups = (*one.values(), *other.values())
    silent = bool(groups) and all(built.is_empty for built, _ in groups)
    return SetDrift(behaviours, specifications, (NOBODY,) if silent else ())


Groups: TypeAlias = Mapping[str, "tuple[T, tuple[str, ...]]"]
"""What traces have, by what tells it apart, each with the names of its traces."""


def _behaviours(traces: Sequence[Named]) -> dict[str, tuple[Fingerprint, tuple[str, ...]]]:
    found: dict[str, tuple[Fingerprint, tuple[str, ...]]] = {}
    for name, trace in traces:
        taken = fingerprint(trace)
        key = f"{fingerprint_digest(taken)} {taken.basis}"
        found[key] = (taken, (*found.get(key, (taken, ()))[1], name))
    return found


def _specifications(traces: Sequence[Named], ignore_whitespace: bool) -> dict[str, tuple[Built, tuple[str, ...]]]:
    found: dict[str, tuple[Built, tuple[str, ...]]] = {}
    for name, trace in traces:
        window = recorded_window(trace.header.started_at, trace.header.duration)
        built = recorded(trace, Terms(window=window, ignore_whitespace=ignore_whitespace))
        key = repr(built.key)
        found[key] = (built, (*found.get(key, (built, ()))[1], name))
    return found


def _members(
    baseline: Mapping[str, tuple[T, tuple[str, ...]]],
    current: Mapping[str, tuple[T, tuple[str, ...]]],
    judge: Callable[[T, T], J],
) -> tuple[Member[J], ...]:
    """Each of one side with those of the other that are the same, or with the nearest that is not."""
    members: list[Member[J]] = []
    met: set[str] = set()
    for old, names in baseline.values():
        judged = {one: judge(old, new) for one, (new, _) in current.items()}
        same = [one for one, found in judged.items() if found.verdict == "SAME"]
        met.update(same)
        if same:
            theirs = tuple(name for one in same for name in current[one][1])
            members.append(Member("same", names, theirs, not_compared=_left(judged[one] for one in same)))
        else:
            members.append(_apart("gone", names, (), [(judged[one], current[one][1]) for one in current]))
    came = [
        _apart("new", (), names, [(judge(old, new), whose) for old, whose in baseline.values()])
        for key, (new, names) in current.items()
        if key not in met
    ]
    return (
        *(each for each in members if each.state == "same"),
        *came,
        *(each for each in members if each.state != "same"),
    )


def _apart(
    state: State, baseline: tuple[str, ...], current: tuple[str, ...], judged: Sequence[tuple[J, tuple[str, ...]]]
) -> Member[J]:
    """A member that is not the same as any of the other side: how it differs from the nearest, by the fewest
    differences; where no comparison could be made, it is not judged."""
    told = [each for each in judged if each[0].verdict == "DRIFTED"]
    if told:
        against, nearest = min(told, key=lambda each: len(each[0].differences))
        return Member(state, baseline, current, against, nearest, _left([against]))
    return Member("not_judged" if judged else state, baseline, current, not_compared=_left(each for each, _ in judged))


def _left(judged: Iterable[Judged]) -> tuple[str, ...]:
    """What none of the comparisons compared, and why, each once."""
    return tuple(dict.fromkeys(chain.from_iterable(each.not_compared for each in judged)))
