"""One tool, in whichever form a list of tools has it."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import msgspec

from runwright.drift import AgentTool
from runwright.errors import AgentSpecError
from runwright.spec.adapter import class_names
from runwright.spec.functions import tool_of_function
from runwright.spec.plain import an_object, plain, text
from runwright.spec.pydantic_models import is_model, tool_of_model
from runwright.spec.table import ADAPTERS
from runwright.spec.wire import tool_of_wire

HINT = "a tool is a mapping as a model API has it, a function, a pydantic model, an AgentTool or a library's own tool"


def tool_of(given: Any, place: str) -> AgentTool:
    """The tool; AgentSpecError for what is none."""
    if isinstance(given, AgentTool):
        return _checked(given, place)
    for name in class_names(given):
        for adapter in ADAPTERS:
            if name in adapter.tools:
                return _checked(adapter.tools[name](given), place)
    if isinstance(given, Mapping):
        return _checked(tool_of_wire(an_object(dict(given), place), place), place)
    if is_model(given):
        return _checked(tool_of_model(given), place)
    if inspect.isroutine(given):
        return _checked(tool_of_function(given, place), place)
    raise AgentSpecError(f"a {type(given).__name__} is no tool", place=place, hint=HINT)


def _checked(tool: AgentTool, place: str) -> AgentTool:
    """The tool with every value of its type."""
    name = text(tool.name, f"{place}.name")
    described, taken, more = tool.description, tool.parameters, tool.extra
    return AgentTool(
        name=name,
        description=described
        if described is None or described is msgspec.UNSET
        else text(described, f"{place}.description"),
        parameters=taken
        if isinstance(taken, msgspec.UnsetType)
        else _schema(plain(taken, f"{place}.parameters"), place),
        extra=more if isinstance(more, msgspec.UnsetType) else an_object(more, f"{place}.extra"),
    )


def _schema(value: Any, place: str) -> Any:
    if value is not None and not isinstance(value, (dict, bool)):
        raise AgentSpecError(f"expected a JSON Schema, found a {type(value).__name__}", place=f"{place}.parameters")
    return value
