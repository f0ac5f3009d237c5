"""Two sets of traces: which behaviours and which specifications came, and which went."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
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


class Judged(Protocol):
    """How two members of the sets compare."""

    @property
    def verdict(self) -> Verdict: ...
    @property
    def differences(self) -> Sequence[object]: ...


J = TypeVar("J", bound=Judged)


@dataclass(frozen=True)
class Member(Generic[J]):
    """A behaviour or a specification that traces of one side share; of `same`, those of both sides.

    `against` is how it compares with the nearest of the other side, whose traces are `nearest`; None where there is
    none.
    """

    state: State
    baseline: tuple[str, ...] = ()
    current: tuple[str, ...] = ()
    against: J | None = None
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True)
class SetDrift:
    """The members of both sets. Specifications that nobody knows are no members."""

    behaviours: tuple[Member[Agreement], ...]
    specifications: tuple[Member[Comparison], ...]
    notes: tuple[str, ...] = field(default=())

    @property
    def verdict(self) -> Verdict:
        """DRIFTED for whatever came or went; else SAME where every behaviour was compared."""
        states = [each.state for each in self.behaviours] + [each.state for each in self.specifications]
        if "new" in states or "gone" in states:
            return "DRIFTED"
        judged = bool(self.behaviours) and all(each.state == "same" for each in self.behaviours)
        return "SAME" if judged else "UNVERIFIED"

    @property
    def unjudged(self) -> bool:
        """Whether a behaviour could not be compared with anything of the other side."""
        return not self.behaviours or any(each.state == "not_judged" for each in self.behaviours)


def set_drift(baseline: Sequence[Named], current: Sequence[Named], *, ignore_whitespace: bool = False) -> SetDrift:
    """The runs of two sets of whole traces, by what they did and by what their agents were built from."""
    behaviours = _members(_behaviours(baseline), _behaviours(current), agree)
    specifications = _members(
        _specifications(baseline, ignore_whitespace), _specifications(current, ignore_whitespace), compare
    )
    notes = () if specifications else ("specifications: no trace says what its agent is built from",)
    return SetDrift(behaviours, specifications, notes)


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
        if built.is_empty:
            continue
        key = repr(built.key)
        found[key] = (built, (*found.get(key, (built, ()))[1], name))
    return found


def _members(
    baseline: Mapping[str, tuple[T, tuple[str, ...]]],
    current: Mapping[str, tuple[T, tuple[str, ...]]],
    judge: Callable[[T, T], J],
) -> tuple[Member[J], ...]:
    """Each of one side with those of the other that are the same, or with the nearest that is not."""
    pairs = _same(baseline, current, judge)
    members = [
        Member[J]("same", baseline[key][1], tuple(name for one in ones for name in current[one][1]))
        for key, ones in pairs.items()
        if ones
    ]
    met = {one for ones in pairs.values() for one in ones}
    for key, (value, names) in current.items():
        if key not in met:
            state, against, nearest = _nearest([(judge(old, value), whose) for old, whose in baseline.values()], "new")
            members.append(Member(state, (), names, against, nearest))
    for key, (value, names) in baseline.items():
        if not pairs[key]:
            state, against, nearest = _nearest([(judge(value, new), whose) for new, whose in current.values()], "gone")
            members.append(Member(state, names, (), against, nearest))
    return tuple(members)


def _same(
    baseline: Mapping[str, tuple[T, tuple[str, ...]]],
    current: Mapping[str, tuple[T, tuple[str, ...]]],
    judge: Callable[[T, T], J],
) -> dict[str, list[str]]:
    """For each of the baseline the current ones that are the same; equal ones need no comparison to be found."""
    pairs: dict[str, list[str]] = {}
    for key, (old, _) in baseline.items():
        pairs[key] = [one for one, (new, _) in current.items() if judge(old, new).verdict == "SAME"]
    return pairs


def _nearest(judged: Sequence[tuple[J, tuple[str, ...]]], state: State) -> tuple[State, J | None, tuple[str, ...]]:
    """The comparison with the fewest differences; where none could be made, that nothing is known."""
    told = [each for each in judged if each[0].verdict == "DRIFTED"]
    if not told:
        return ("not_judged" if judged else state), None, ()
    against, names = min(told, key=lambda each: len(each[0].differences))
    return state, against, names
