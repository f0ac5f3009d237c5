"""Whether two sides are built from the same, and which field of what differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import msgspec

from runwright.drift.built import Built, BuiltTool, Fact
from runwright.drift.changes import Change, changes
from runwright.trace import JSON, Part, digest, format_path

Verdict: TypeAlias = Literal["SAME", "DRIFTED", "UNVERIFIED"]
Place: TypeAlias = tuple[Part, ...]

TELLING = ("system_prompt", "tools", "policies")
"""Of these something must have been compared: an equal model name alone says too little."""


@dataclass(frozen=True)
class Difference:
    """A field that differs. `path` leads to it, `tool` is the tool it is of.

    A side that lacks the field is UNSET. Where `digest_only`, at least one side kept no value, and the sides are what
    is known of them: the value or its digest.
    """

    path: str
    recorded: JSON | msgspec.UnsetType
    current: JSON | msgspec.UnsetType
    tool: str | None = None
    digest_only: bool = False


@dataclass(frozen=True)
class Comparison:
    """`compared` are the facts that were compared, `not_compared` those that were not, each with its reason."""

    differences: tuple[Difference, ...] = ()
    compared: tuple[str, ...] = ()
    not_compared: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())

    @property
    def verdict(self) -> Verdict:
        if self.differences:
            return "DRIFTED"
        return "SAME" if any(_root(each) in TELLING for each in self.compared) else "UNVERIFIED"


def compare(recorded: Built, current: Built, *, sides: tuple[str, str] = ("the trace", "the agent")) -> Comparison:
    """The recorded side against the current one, over what both know; `sides` are what they are called."""
    found = _Found(sides)
    found.fact(("system_prompt",), recorded.system_prompt, current.system_prompt)
    found.fact(("model",), recorded.model, current.model)
    if recorded.provider is not None and current.provider is not None:
        found.fact(("provider",), recorded.provider, current.provider)  # few agents say it, and the model tells enough
    _parameters(found, recorded, current)
    _tools(found, recorded.tools, current.tools)
    _policies(found, recorded.policies, current.policies)
    return Comparison(tuple(found.differences), tuple(found.compared), tuple(found.left), recorded.notes)


class _Found:
    """What a comparison has found so far."""

    def __init__(self, sides: tuple[str, str]) -> None:
        self._sides = sides
        self.differences: list[Difference] = []
        self.compared: list[str] = []
        self.left: list[str] = []

    def fact(self, place: Place, recorded: Fact | None, current: Fact | None) -> None:
        """Compare one fact, where both sides know it."""
        if recorded is None or current is None:
            if recorded is not current:
                self.unknown(place, recorded=recorded is not None)
            return
        self.compared.append(format_path(place))
        if not recorded.agrees(current):
            self.differences += _differences(place, recorded, current)

    def unknown(self, place: Place, *, recorded: bool) -> None:
        """A fact that one side does not tell; `recorded` says that it is known of the recorded one."""
        self.left.append(f"{format_path(place)}: {self._sides[recorded]} does not say")

    def only(self, place: Place, *, recorded: JSON | msgspec.UnsetType, current: JSON | msgspec.UnsetType) -> None:
        """Something that one side alone has."""
        self.compared.append(format_path(place))
        self.differences.append(Difference(format_path(place), recorded, current, _tool_of(place)))


def _parameters(found: _Found, recorded: Built, current: Built) -> None:
    if current.parameters is None or (recorded.parameters is None and recorded.all_parameters is None):
        if (current.parameters is None) != (recorded.parameters is None and recorded.all_parameters is None):
            found.unknown(("parameters",), recorded=current.parameters is None)
        return
    if recorded.parameters is None:
        found.fact(("parameters",), recorded.all_parameters, current.all_parameters)
        return
    for name, fact in current.parameters.items():
        absent = _NOTHING if recorded.every_parameter and name not in recorded.hidden_parameters else None
        found.fact(("parameters", name), recorded.parameters.get(name, absent), fact)
    for name in recorded.parameters:
        if name not in current.parameters:
            found.unknown(("parameters", name), recorded=True)


def _tools(found: _Found, recorded: Mapping[str, BuiltTool] | None, current: Mapping[str, BuiltTool] | None) -> None:
    if recorded is None or current is None:
        if recorded is not current:
            found.unknown(("tools",), recorded=recorded is not None)
        return
    found.compared.append("$.tools")
    for name in dict.fromkeys((*recorded, *current)):
        if name not in current:
            found.only(("tools", name), recorded=_shown(recorded[name]), current=msgspec.UNSET)
        elif name not in recorded:
            found.only(("tools", name), recorded=msgspec.UNSET, current=_shown(current[name]))
        else:
            _tool(found, ("tools", name), recorded[name], current[name])


def _tool(found: _Found, place: Place, recorded: BuiltTool, current: BuiltTool) -> None:
    found.fact((*place, "description"), recorded.description, current.description)
    found.fact((*place, "parameters"), recorded.parameters, current.parameters)
    if recorded.extra is None or current.extra is None:
        if recorded.extra or current.extra:
            found.unknown((*place, "extra"), recorded=recorded.extra is not None)
        return
    for name in dict.fromkeys((*recorded.extra, *current.extra)):
        found.fact((*place, name), recorded.extra.get(name, _NOTHING), current.extra.get(name, _NOTHING))


def _policies(found: _Found, recorded: Mapping[str, Fact] | None, current: Mapping[str, Fact] | None) -> None:
    if recorded is None or current is None:
        if recorded is not current:
            found.unknown(("policies",), recorded=recorded is not None)
        return
    for name in dict.fromkeys((*recorded, *current)):
        if name in recorded and name in current:
            found.fact(("policies", name), recorded[name], current[name])
        else:
            mine, theirs = (side[name].shown if name in side else msgspec.UNSET for side in (recorded, current))
            found.only(("policies", name), recorded=mine, current=theirs)


def _differences(place: Place, recorded: Fact, current: Fact) -> Iterator[Difference]:
    tool = _tool_of(place)
    if recorded is _NOTHING or current is _NOTHING:
        old, new = (msgspec.UNSET if each is _NOTHING else each.shown for each in (recorded, current))
        yield Difference(format_path(place), old, new, tool)
        return
    if isinstance(recorded.value, msgspec.UnsetType) or isinstance(current.value, msgspec.UnsetType):
        yield Difference(format_path(place), recorded.shown, current.shown, tool, digest_only=True)
        return
    found: Sequence[Change] = tuple(changes(place, recorded.value, current.value))
    for where, old, new in found:
        yield Difference(format_path(where), old, new, tool)
    if not found:  # the normal forms are alike, and the digests of what stood there are not
        yield Difference(format_path(place), recorded.shown, current.shown, tool, digest_only=True)


def _tool_of(place: Place) -> str | None:
    return str(place[1]) if place[0] == "tools" and len(place) > 1 else None


def _shown(tool: BuiltTool) -> JSON:
    """A tool as it is shown where one side alone has it."""
    facts = {"description": tool.description, "parameters": tool.parameters}
    return {name: fact.shown for name, fact in facts.items() if fact is not None}


def _root(path: str) -> str:
    return path.removeprefix("$.").split(".")[0].split("[")[0]


_NOTHING = Fact(frozenset({digest(None)}), None)
"""A field that is known to be absent: it agrees with one that is null."""
