"""What a flow can assert, as values; prose and structured YAML parse to the same ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from runwright.flow.matchers import Where
from runwright.trace.model import EffectKind
from runwright.trace.outcome import OutcomeClass

Level: TypeAlias = Literal["executed"]
EffectWord: TypeAlias = EffectKind | Literal["fs"]
"""A kind of side effect, or all kinds that change files."""


@dataclass(frozen=True, kw_only=True)
class ToolCall:
    """The tool was called: answered or executed, at least once or as often as said.

    `where` is about the arguments, `result` about the answer. `at_least` is never None and at least 1 unless the flow
    itself says 0; `times` of the YAML is both bounds at once. `level` "executed" asks for an execution that was seen.
    """

    tool: str
    where: Where = ()
    result: Where = ()
    at_least: int = 1
    at_most: int | None = None
    level: Level | None = None


@dataclass(frozen=True, kw_only=True)
class NoToolCall:
    """The tool was neither requested, answered nor executed; with `level` "executed" only the last is forbidden."""

    tool: str
    where: Where = ()
    result: Where = ()
    level: Level | None = None


@dataclass(frozen=True, kw_only=True)
class SideEffectMust:
    """Effects of the kind happened, on targets that the glob names and none of `excepted` does, as often as said.

    `where` is about the effect itself: `op`, `before.content`, `after.size`, `diff`, `detail.status` and the like.
    """

    kind: EffectWord
    target: str | None = None
    excepted: tuple[str, ...] = ()
    where: Where = ()
    at_least: int = 1
    at_most: int | None = None


@dataclass(frozen=True, kw_only=True)
class NoSideEffect:
    """No such effect of the kind happened on a target that the glob names, those in `excepted` aside."""

    kind: EffectWord
    target: str | None = None
    excepted: tuple[str, ...] = ()
    where: Where = ()


@dataclass(frozen=True, kw_only=True)
class NoEgress:
    """The agent reached nothing off this machine but what the flow allows, and could not have."""


@dataclass(frozen=True, kw_only=True)
class NoSecretLeak:
    """None of the named variables' values left the agent."""

    names: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What the agent said last satisfies the matchers; `where` holds clauses with an empty path."""

    where: Where


@dataclass(frozen=True, kw_only=True)
class OutcomeIs:
    """The run ended as named (`runwright.trace.outcome_class`)."""

    outcome: OutcomeClass


Assertion: TypeAlias = (
    ToolCall | NoToolCall | SideEffectMust | NoSideEffect | NoEgress | NoSecretLeak | Reply | OutcomeIs
)
