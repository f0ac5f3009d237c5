"""What one side knows of how an agent is built: facts that can be compared, with their values where they are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from runwright.trace import JSON


@dataclass(frozen=True)
class Fact:
    """One fact. Two facts agree where they share a key: a digest of the value, or of its normal form.

    `value` is in its normal form, and UNSET where only a digest is known.
    """

    keys: frozenset[str]
    value: JSON | msgspec.UnsetType = msgspec.UNSET

    def agrees(self, other: Fact) -> bool:
        """Whether the two say the same."""
        return not self.keys.isdisjoint(other.keys)

    @property
    def shown(self) -> JSON:
        """The value, or a digest that stands for it."""
        return min(self.keys) if isinstance(self.value, msgspec.UnsetType) else self.value


@dataclass(frozen=True)
class BuiltTool:
    """A declared tool; None where its trace or agent does not say."""

    description: Fact | None = None
    parameters: Fact | None = None
    extra: Mapping[str, Fact] | None = None


@dataclass(frozen=True)
class Built:
    """What one side is built from; None where it does not say. `every_parameter` says that one which is not
    there and not hidden was not sent, `all_parameters` is the digest of all of them. `notes` say what of a trace was
    not looked at."""

    system_prompt: Fact | None = None
    model: Fact | None = None
    provider: Fact | None = None
    parameters: Mapping[str, Fact] | None = None
    every_parameter: bool = False
    hidden_parameters: frozenset[str] = frozenset()
    all_parameters: Fact | None = None
    tools: Mapping[str, BuiltTool] | None = None
    policies: Mapping[str, Fact] | None = None
    notes: tuple[str, ...] = field(default=())

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known."""
        facts = (self.system_prompt, self.model, self.provider, self.all_parameters)
        return all(each is None for each in (*facts, self.parameters, self.tools, self.policies))

    @property
    def key(self) -> object:
        """What tells this side from another: every key of every fact."""
        single = (self.system_prompt, self.model, self.provider, self.all_parameters)
        every = (self.every_parameter, sorted(self.hidden_parameters))
        return (*map(_keys, single), _each(self.parameters), *every, _tools(self.tools), _each(self.policies))


def _tools(tools: Mapping[str, BuiltTool] | None) -> object:
    if tools is None:
        return None
    facts = {name: (_keys(tool.description), _keys(tool.parameters), _each(tool.extra)) for name, tool in tools.items()}
    return dict(sorted(facts.items()))


def _keys(fact: Fact | None) -> list[str] | None:
    return None if fact is None else sorted(fact.keys)


def _each(facts: Mapping[str, Fact] | None) -> dict[str, list[str] | None] | None:
    return None if facts is None else {name: _keys(fact) for name, fact in sorted(facts.items())}
