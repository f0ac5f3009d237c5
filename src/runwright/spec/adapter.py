"""An adapter: how the objects of one library say what an agent is built from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from runwright.drift import AgentSpec, AgentTool

Proof: TypeAlias = Literal["every change", "on request"]


@dataclass(frozen=True)
class Adapter:
    """`agents` and `tools` hold, for each class by package and name, what makes a specification or a tool of it.

    The library is not imported: whoever made the object has done that. `proof` says whether the tests of every change
    run it with the real library, or only scripts/agents does. The texts are the row of the docs' table.
    """

    name: str
    tried_with: str
    proof: Proof
    gives: str
    leaves: str
    agents: Mapping[str, Callable[[Any], AgentSpec]] = field(default_factory=dict)
    tools: Mapping[str, Callable[[Any], AgentTool]] = field(default_factory=dict)


def class_names(value: object) -> list[str]:
    """The classes of a value, nearest first, each as its package and its name."""
    return [f"{each.__module__.partition('.')[0]}.{each.__name__}" for each in type(value).__mro__]
