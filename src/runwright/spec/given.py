"""From whatever was named to a specification."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from runwright.drift import AgentSpec, AgentTool, distinct
from runwright.errors import AgentSpecError
from runwright.spec.adapter import class_names
from runwright.spec.awaiting import awaited
from runwright.spec.plain import an_object, text
from runwright.spec.pydantic_models import is_model
from runwright.spec.table import ADAPTERS
from runwright.spec.tools import tool_of
from runwright.trace import JSON

FIELDS = ("system_prompt", "tools", "model", "provider", "parameters", "policies")
CALLED = 3
"""How often what was given may be a function that gives it."""

HINT = "docs/reference/agent-spec.md says what it may be"


def spec_of(given: object, place: str = "the agent") -> AgentSpec:
    """The specification that an object is, has or gives.

    AgentSpecError where it is none. A function is called without arguments; a coroutine is awaited.
    """
    value = given
    for _ in range(CALLED + 1):
        found = _ready(value, place)
        if found is not None:
            distinct(found.tools or ())
            return found
        if not _is_function(value):
            break
        value = _called(value, place)
    raise AgentSpecError(f"a {type(value).__name__} does not say what an agent is built from", place=place, hint=HINT)


def _ready(value: Any, place: str) -> AgentSpec | None:
    if isinstance(value, AgentSpec):
        return _checked(value, place)
    for name in class_names(value):
        for adapter in ADAPTERS:
            if name in adapter.agents:
                return _checked(adapter.agents[name](value), place)
    if isinstance(value, Mapping):
        return _from_mapping(value, place)
    if is_model(value) or (isinstance(value, Sequence) and not isinstance(value, (str, bytes))):
        return AgentSpec(tools=_tools([value] if is_model(value) else value, f"{place}.tools"))
    if not _is_function(value) and any(hasattr(value, name) for name in FIELDS):
        return _from_mapping({name: getattr(value, name) for name in FIELDS if hasattr(value, name)}, place)
    return None


def _from_mapping(given: Mapping[Any, Any], place: str) -> AgentSpec:
    unknown = [str(name) for name in given if name not in FIELDS]
    if unknown or not given:
        fault = f"unknown field {unknown[0]!r}" if unknown else "an empty mapping says nothing"
        raise AgentSpecError(fault, place=place, hint=f"known are {', '.join(FIELDS)}")
    fields = {
        name: _called(value, f"{place}.{name}") if _is_function(value) else value for name, value in given.items()
    }
    tools = fields.get("tools")
    made = AgentSpec(
        system_prompt=fields.get("system_prompt"),
        tools=None if tools is None else _tools(tools, f"{place}.tools"),
        model=fields.get("model"),
        provider=fields.get("provider"),
        parameters=fields.get("parameters"),
        policies=fields.get("policies"),
    )
    return _checked(made, place)


def _tools(given: object, place: str) -> tuple[AgentTool, ...]:
    if not isinstance(given, Sequence) or isinstance(given, (str, bytes)):
        raise AgentSpecError(f"expected a list of tools, found a {type(given).__name__}", place=place)
    return tuple(tool_of(each, f"{place}[{at}]") for at, each in enumerate(given))


def _checked(spec: AgentSpec, place: str) -> AgentSpec:
    """The specification with every value of its type; whoever made it may have put anything there."""

    def told(name: str) -> str | None:
        value = getattr(spec, name)
        return None if value is None else text(value, f"{place}.{name}")

    def held(name: str) -> dict[str, JSON] | None:
        value = getattr(spec, name)
        return None if value is None else an_object(value, f"{place}.{name}")

    return AgentSpec(
        system_prompt=told("system_prompt"),
        model=told("model"),
        provider=told("provider"),
        server=told("server"),
        parameters=held("parameters"),
        policies=held("policies"),
        tools=None if spec.tools is None else _tools(spec.tools, f"{place}.tools"),
    )


def _is_function(value: object) -> bool:
    return inspect.isroutine(value) or isinstance(value, functools.partial)


def _called(function: Any, place: str) -> Any:
    try:
        inspect.signature(function).bind()
    except TypeError as error:
        hint = "a function that gives a specification takes no arguments; one that is a tool belongs in a list"
        raise AgentSpecError(f"cannot be called without arguments: {error}", place=place, hint=hint) from error
    except ValueError:  # a function of C without a signature: calling it tells
        pass
    result = function()
    return awaited(result) if inspect.isawaitable(result) else result
