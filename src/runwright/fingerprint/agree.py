"""Whether two fingerprints say the same, over what both traces could know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from runwright.fingerprint.model import FACTS, Fact, Fingerprint
from runwright.fingerprint.sequences import PARALLEL
from runwright.fingerprint.shape import name_of
from runwright.trace.model import EFFECT_KINDS

Verdict: TypeAlias = Literal["SAME", "DRIFTED", "UNVERIFIED"]
Field: TypeAlias = Literal[
    "tools", "tool_sequences", "endpoints", "models", "side_effect_kinds", "graph_hash", "outcome_class"
]

DEEDS: tuple[Field, ...] = ("tools", "endpoints")
"""The fields that say what a run did even where they are empty; sequences and graph are only known with the tools."""

_HIDES_OUTCOME = ("denied", "tool_error")
_HIDDEN_BY_TOOLS = ("denied", "tool_error", "refused", "success", "unknown")
"""The outcomes that may be one another to a trace that does not know how its tools ended."""


@dataclass(frozen=True)
class Difference:
    """A field that differs: what only the recorded side says, and what only the live side says."""

    field: Field
    recorded: str
    live: str

    def __str__(self) -> str:
        return f"{self.field}: {self.recorded} -> {self.live}"


@dataclass(frozen=True)
class Agreement:
    """`compared` are the fields that could be compared, `not_compared` says of each fact or field that could not why.

    `behaviour` says whether some of it is what the run did: its tools, its endpoints, or a side effect that was seen.
    Without it nothing is SAME: models and outcome say too little. A difference counts all the same.
    """

    differences: tuple[Difference, ...]
    compared: tuple[Field, ...]
    not_compared: tuple[str, ...]
    behaviour: bool = False

    @property
    def verdict(self) -> Verdict:
        if self.differences:
            return "DRIFTED"
        return "SAME" if self.behaviour else "UNVERIFIED"

    @property
    def same(self) -> bool:
        """What the runs did was compared, and nothing differs."""
        return self.verdict == "SAME"


def agree(recorded: Fingerprint, live: Fingerprint) -> Agreement:
    """Compare two fingerprints over the facts that both traces could know."""
    if recorded.version != live.version:
        return Agreement((), (), (f"version {recorded.version} and version {live.version} are not comparable",))
    differences: list[Difference] = []
    compared: list[Field] = []
    behaviour = False
    left: list[str] = list(_Both(recorded, live).one_sided())
    for field, found in both_sides(recorded, live).items():
        if isinstance(found, str):
            left.append(f"{field}: {found}")
            continue
        compared.append(field)
        behaviour |= field in DEEDS or (field == "side_effect_kinds" and any(found))
        if found[0] != found[1]:
            differences.append(_difference(field, *found))
    return Agreement(tuple(differences), tuple(compared), tuple(left), behaviour)


def same_behaviour(recorded: Fingerprint, live: Fingerprint) -> bool:
    """They agree, and the calls in their order and the end were compared: a test of the one guards the other too."""
    found = agree(recorded, live)
    return found.same and {"tool_sequences", "outcome_class"} <= set(found.compared)


Sides: TypeAlias = "tuple[tuple[str, ...], tuple[str, ...]]"
Compared: TypeAlias = "Sides | str"
"""What both sides say of a field, or why it cannot be compared."""


def both_sides(recorded: Fingerprint, live: Fingerprint) -> dict[Field, Compared]:
    """What both say of each field, as far as both could know it. Both must be of one version."""
    both = _Both(recorded, live)
    return {field: compare(both) for field, compare in _COMPARED.items()}


@dataclass(frozen=True)
class _Both:
    recorded: Fingerprint
    live: Fingerprint

    def shared(self, *facts: Fact) -> bool:
        return all(fact in self.recorded.basis and fact in self.live.basis for fact in facts)

    def unlike(self, facts: Iterable[Fact]) -> list[Fact]:
        """The facts that only one side knows."""
        return [fact for fact in facts if (fact in self.recorded.basis) != (fact in self.live.basis)]

    def nesting(self) -> list[Fact]:
        """`nesting` where one side knows runs inside calls, and the other could not have known them."""
        told: tuple[Fact, ...] = ("nesting", "flat")
        known = [any(fact in side.basis for fact in told) for side in (self.recorded, self.live)]
        return self.unlike(["nesting"]) if not all(known) else []

    def one_sided(self) -> Iterator[str]:
        facts = [fact for fact in FACTS if fact not in ("nesting", "flat")]
        for fact in (*self.unlike(facts), *self.nesting()):
            side = "live" if fact in self.recorded.basis else "recorded"
            yield f"{fact}: the {side} side could not know"


def _tools(both: _Both) -> Compared:
    if not both.shared("tools"):
        return _unknown(both, "tools")
    sides = both.recorded.tools, both.live.tools
    if both.shared("arguments"):
        return sides
    first, second = (tuple(sorted({name_of(each) for each in side})) for side in sides)
    return first, second


def _sequences(both: _Both) -> Compared:
    if not both.shared("tools", "order"):
        return _unknown(both, "tools", "order")
    sides = tuple(map(_written, both.recorded.tool_sequences)), tuple(map(_written, both.live.tool_sequences))
    if not both.shared("agents") and max(map(len, sides)) > 1:
        return _unknown(both, "agents")
    if unlike := [*both.unlike(["concurrency"]), *both.nesting()]:
        return _one_sided(unlike)
    if (unlike := both.unlike(["exchanges"])) and any(PARALLEL in each for side in sides for each in side):
        return _one_sided(unlike)  # only a reply tells calls that are parallel from calls that ran in a row
    return sides


def _written(sequence: tuple[str, ...]) -> str:
    return ", ".join(sequence)


def _graph(both: _Both) -> Compared:
    if not both.shared("tools", "order"):
        return _unknown(both, "tools", "order")
    if unlike := [*both.unlike(["arguments", "concurrency", "exchanges", "models"]), *both.nesting()]:
        return _one_sided(unlike)
    return (both.recorded.graph_hash,), (both.live.graph_hash,)


def _effects(both: _Both) -> Compared:
    kinds = [kind for kind in EFFECT_KINDS if both.shared(kind)]
    if not kinds:
        return "no kind is watched on both sides"
    sides = both.recorded.side_effect_kinds, both.live.side_effect_kinds
    first, second = (tuple(each for each in side if each.split(" ")[0] in kinds) for side in sides)
    return first, second


def _outcome(both: _Both) -> Compared:
    if not both.shared("outcome"):
        return _unknown(both, "outcome")
    sides = both.recorded.outcome_class, both.live.outcome_class
    open_ended = any(each in _HIDES_OUTCOME for each in sides) and all(each in _HIDDEN_BY_TOOLS for each in sides)
    if open_ended and (unlike := both.unlike(["tool_outcomes"])):
        return _one_sided(unlike)
    if unlike := both.nesting():  # the last of all exchanges may be one inside a call, which ends no run
        return _one_sided(unlike)
    return (sides[0],), (sides[1],)


def _endpoints(both: _Both) -> Compared:
    return (both.recorded.endpoints, both.live.endpoints) if both.shared("endpoints") else _unknown(both, "endpoints")


def _models(both: _Both) -> Compared:
    return (both.recorded.models, both.live.models) if both.shared("models") else _unknown(both, "models")


_COMPARED: dict[Field, Callable[[_Both], Compared]] = {
    "tools": _tools,
    "tool_sequences": _sequences,
    "endpoints": _endpoints,
    "models": _models,
    "side_effect_kinds": _effects,
    "graph_hash": _graph,
    "outcome_class": _outcome,
}


def _unknown(both: _Both, *facts: Fact) -> str:
    missing = [fact for fact in facts if not both.shared(fact)]
    if both.unlike(missing):
        return _one_sided(both.unlike(missing))
    return f"neither side could know {', '.join(missing)}"


def _one_sided(facts: list[Fact]) -> str:
    return f"one side alone knows {', '.join(facts)}"


def _difference(field: Field, recorded: tuple[str, ...], live: tuple[str, ...]) -> Difference:
    return Difference(field, _only(recorded, live), _only(live, recorded))


def _only(mine: tuple[str, ...], other: tuple[str, ...]) -> str:
    """What one side says that the other does not; all of it where that is nothing, as for one sequence of two."""
    rest = list(mine)
    for each in other:
        if each in rest:
            rest.remove(each)
    return " | ".join(rest) or "(nothing)"
