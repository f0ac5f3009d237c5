"""How much of the registered tools a set of traces has exercised."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, product

from runwright.coverage.calls import SeenCall, calls_in
from runwright.coverage.fields import Field, fields_of
from runwright.coverage.registered import Registered
from runwright.trace import EFFECT_KINDS, JSON, EffectKind, Outcome, Trace

BOUNDARY: tuple[Outcome, ...] = ("error", "denied", "throttled", "circuit_open")
"""The outcomes that show a tool at its boundary."""


@dataclass(frozen=True)
class ToolCoverage:
    """What was seen of one tool.

    `calls` were made, `asked` only asked for; `outcomes` counts those whose ending is told. `fields` is how many fields
    its arguments have, `never_given` are those no call gave, `never_values` the values of enumerations that no call
    gave, `undeclared` what calls gave and no schema declares.
    """

    name: str
    registered: bool
    calls: int
    asked: int
    outcomes: Mapping[Outcome, int]
    untold: int
    fields: int
    never_given: tuple[str, ...]
    never_values: Mapping[str, tuple[JSON, ...]]
    undeclared: tuple[str, ...]
    effects: Mapping[EffectKind, int]

    @property
    def at_boundary(self) -> bool:
        """Whether a call of it was seen to fail, to be denied or to be held back."""
        return any(self.outcomes.get(each) for each in BOUNDARY)


@dataclass(frozen=True)
class Coverage:
    """What was seen of all tools; `pairs` are tools that one agent called one after the other, with how often."""

    tools: tuple[ToolCoverage, ...]
    pairs: tuple[tuple[str, str, int], ...]
    effects: Mapping[EffectKind, int]
    watched: tuple[EffectKind, ...]

    @property
    def registered(self) -> tuple[ToolCoverage, ...]:
        """The tools that count."""
        return tuple(each for each in self.tools if each.registered)

    @property
    def covered(self) -> int:
        """How many registered tools were called."""
        return sum(each.calls > 0 for each in self.registered)

    @property
    def bounded(self) -> int:
        """How many registered tools were seen at their boundary."""
        return sum(each.at_boundary for each in self.registered)


def coverage(traces: Iterable[Trace], registered: Registered) -> Coverage:
    """What whole traces show of the registered tools, and of others that were called."""
    seen = {name: _Seen(schemas) for name, schemas in registered.tools.items()}
    pairs: Counter[tuple[str, str]] = Counter()
    effects: Counter[EffectKind] = Counter()
    watched: set[EffectKind] = set()
    for trace in traces:
        calls = list(calls_in(trace))
        for call in calls:
            seen.setdefault(registered.name_of(call.name), _Seen(())).add(call)
        pairs += _pairs(calls, registered)
        effects.update(each.side_effect.kind for each in trace.effects)
        watched |= {
            kind for kind in EFFECT_KINDS if trace.header.observation.get(kind, "not_observed") != "not_observed"
        }
    return Coverage(
        tools=tuple(each.closed(name, registered=name in registered.tools) for name, each in sorted(seen.items())),
        pairs=tuple((one, other, count) for (one, other), count in sorted(pairs.items())),
        effects=dict(sorted(effects.items())),
        watched=tuple(kind for kind in EFFECT_KINDS if kind in watched),
    )


def _pairs(calls: Sequence[SeenCall], registered: Registered) -> Counter[tuple[str, str]]:
    """The pairs of tools that an agent called next to each other; calls of one reply come after those of the last."""
    found: Counter[tuple[str, str]] = Counter()
    by_agent: dict[str | None, list[SeenCall]] = defaultdict(list)
    for call in calls:
        if call.ending != "asked":
            by_agent[call.agent].append(call)
    for mine in by_agent.values():
        turns = [{registered.name_of(call.name) for call in turn} for _, turn in groupby(mine, lambda each: each.turn)]
        for before, after in pairwise(turns):
            found.update(product(before, after))
    return found


class _Seen:
    """What was seen of one tool so far."""

    def __init__(self, schemas: Sequence[JSON]) -> None:
        self._declares = bool(schemas)
        self._fields: Field = fields_of(schemas)
        self._endings: Counter[str] = Counter()
        self._effects: Counter[EffectKind] = Counter()
        self._undeclared: set[str] = set()

    def add(self, call: SeenCall) -> None:
        self._endings[call.ending] += 1
        self._effects.update(call.effects)
        if call.ending != "asked":
            for arguments in call.arguments:
                self._fields.give(arguments, self._undeclared)

    def closed(self, name: str, *, registered: bool) -> ToolCoverage:
        fields = list(self._fields.below())
        endings: dict[Outcome, int] = {each: self._endings[each] for each in ("ok", *BOUNDARY) if self._endings[each]}
        return ToolCoverage(
            name=name,
            registered=registered,
            calls=self._endings.total() - self._endings["asked"],
            asked=self._endings["asked"],
            outcomes=endings,
            untold=self._endings["untold"],
            fields=len(fields),
            never_given=tuple(each.name for each in fields if not each.seen),
            never_values={each.name: each.never for each in fields if each.never},
            undeclared=tuple(sorted(self._undeclared)) if self._declares else (),
            effects=dict(sorted(self._effects.items())),
        )
