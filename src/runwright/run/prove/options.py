"""What the caller of a proof decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from runwright.errors import UsageError
from runwright.flow import Flow
from runwright.match import Matcher
from runwright.perturb import KINDS, Kind
from runwright.run.options import RunOptions
from runwright.trace.model import EffectKind, Trace

DEFAULT_LIMIT = 5_000

MatcherOf: TypeAlias = Callable[[Flow, Trace], Matcher]


@dataclass(frozen=True, kw_only=True)
class Watched:
    """What a replay observes beside the model boundary: kinds of effects, and calls of tools."""

    effects: frozenset[EffectKind] = frozenset()
    calls: bool = False


@dataclass(frozen=True, kw_only=True)
class ProveOptions:
    """How a flow is proved.

    `kinds` are the kinds of mutants wanted, all without any. Of more than `limit` mutants as many are taken, evenly
    from every kind; `seed` shifts which. `matcher` builds the matcher that is put to the proof, None for the one of a
    run. `watched` is what a replay observes, None for what the flow asks it to.
    """

    run: RunOptions = field(default_factory=RunOptions)
    kinds: tuple[Kind, ...] = ()
    limit: int = DEFAULT_LIMIT
    seed: int = 0
    matcher: MatcherOf | None = None
    watched: Watched | None = None


def kinds_named(names: Iterable[str]) -> tuple[Kind, ...]:
    """The kinds of these names; UsageError where one is none."""
    found: dict[Kind, None] = {}
    for name in names:
        kind = next((each for each in KINDS if each == name), None)
        if kind is None:
            raise UsageError(f"{name!r} is no kind of mutant", hint=f"kinds are {', '.join(KINDS)}")
        found[kind] = None
    return tuple(found)
