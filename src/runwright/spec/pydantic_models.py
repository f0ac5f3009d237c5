"""Pydantic models as tools: the model's name, its docstring and its JSON Schema."""

from __future__ import annotations

import inspect
from typing import Any

from runwright.drift import AgentTool
from runwright.spec.adapter import Adapter


def is_model(value: object) -> bool:
    """Whether a value is a class of pydantic's, told without importing it."""
    return isinstance(value, type) and any(
        each.__module__.startswith("pydantic.") and each.__name__ == "BaseModel" for each in value.__mro__[1:]
    )


def tool_of_model(model: Any) -> AgentTool:
    """The tool whose arguments are a model."""
    told = model.__dict__.get("__doc__")
    return AgentTool(
        name=model.__name__,
        description=inspect.cleandoc(told) if told else None,
        parameters=model.model_json_schema(),
    )


PYDANTIC = Adapter(
    name="pydantic models",
    tried_with="pydantic 2",
    proof="every change",
    gives="tools: the class's name, its own docstring and its JSON Schema",
    leaves="what a client makes of the schema, such as `strict`: give what `openai.pydantic_function_tool` returns",
)
