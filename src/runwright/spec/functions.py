"""Python functions as tools: the name, the docstring and the schema of the arguments."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable
from enum import Enum
from typing import Any, Literal

from runwright.drift import AgentTool
from runwright.errors import AgentSpecError
from runwright.spec.adapter import Adapter
from runwright.spec.plain import plain
from runwright.spec.pydantic_models import is_model
from runwright.trace import JSON

_SCALARS: dict[object, str] = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
_UNIONS = (typing.Union, types.UnionType)


def tool_of_function(function: Callable[..., object], place: str = "a tool") -> AgentTool:
    """The tool that a function is; AgentSpecError for a parameter whose type has no JSON Schema here."""
    name = getattr(function, "__name__", "")
    try:
        hints = typing.get_type_hints(function, include_extras=True)
        signature = inspect.signature(function)
    except (NameError, TypeError, ValueError) as error:
        raise AgentSpecError(f"the types of {name!r} cannot be read: {error}", place=place) from error
    properties: dict[str, JSON] = {}
    required: list[JSON] = []
    open_ended = False
    for each in signature.parameters.values():
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            open_ended = open_ended or each.kind is each.VAR_KEYWORD
            continue
        where = f"{place}: {name}({each.name})"
        schema = _schema(hints.get(each.name, Any), where)
        if each.default is inspect.Parameter.empty:
            required.append(each.name)
        else:
            schema["default"] = plain(each.default, where)
        properties[each.name] = schema
    made: dict[str, JSON] = {"type": "object", "properties": properties, "required": required}
    return AgentTool(
        name=name,
        description=inspect.getdoc(function),
        parameters={**made, "additionalProperties": True} if open_ended else made,
    )


def _schema(kind: Any, place: str) -> dict[str, JSON]:
    """The JSON Schema of a type."""
    if kind is Any:
        return {}
    if kind in _SCALARS:
        return {"type": _SCALARS[kind]}
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        told = [each for each in parts[1:] if isinstance(each, str)]
        return {**_schema(parts[0], place), **({"description": told[0]} if told else {})}
    if origin is Literal:
        return {"enum": [plain(each, place) for each in parts]}
    if origin in _UNIONS:
        return {"anyOf": [_schema(each, place) for each in parts]}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [plain(each.value, place) for each in kind]}
    if is_model(kind):
        return dict(kind.model_json_schema())
    return _collection(kind, origin, parts, place)


def _collection(kind: Any, origin: Any, parts: tuple[Any, ...], place: str) -> dict[str, JSON]:
    bare = origin or kind
    if bare in (list, set, frozenset, tuple):
        items = [each for each in parts if each is not Ellipsis]
        return {"type": "array", **({"items": _schema(items[0], place)} if len(items) == 1 else {})}
    if bare is dict:
        return {"type": "object", **({"additionalProperties": _schema(parts[1], place)} if len(parts) == 2 else {})}
    if typing.is_typeddict(kind):
        members = typing.get_type_hints(kind)
        needed = [each for each in members if each in kind.__required_keys__]
        schemas: dict[str, JSON] = {name: _schema(each, f"{place}.{name}") for name, each in members.items()}
        return {"type": "object", "properties": schemas, "required": list[JSON](needed)}
    hint = "give the tool as the mapping that its model is sent"
    raise AgentSpecError(f"no JSON Schema is known for {kind!r}", place=place, hint=hint)


FUNCTIONS = Adapter(
    name="Python functions",
    tried_with="the standard library",
    proof="every change",
    gives="tools: name, docstring, and a schema of the signature",
    leaves="what a library makes of the docstring: give the library's own tool instead where one is sent",
)
