"""Tool declarations: the functions of all tools in one list, and what the provider runs itself."""

from __future__ import annotations

from collections.abc import Iterable

from runwright.dialects.fields import list_at, object_at, optional_text_at, refuse, rest, text_at
from runwright.dialects.gemini.names import camel, spelled
from runwright.trace.model import JSON, ToolSpec

FUNCTIONS = "functionDeclarations"
SCHEMA = "parametersJsonSchema"
"""Name in `ToolSpec.extra`, true: the parameters stand under this name on the wire."""

_OWN = ("name", "description", "parameters", SCHEMA)


def decode_tools(value: JSON, path: str) -> tuple[ToolSpec, ...]:
    """The declared tools, each function one; how the wire groups them says nothing."""
    found: list[ToolSpec] = []
    for index, each in enumerate(list_at(value, path)):
        for name, held in object_at(each, f"{path}[{index}]").items():
            place = f"{path}[{index}].{name}"
            if camel(name) == FUNCTIONS:
                found += [_decode(one, f"{place}[{n}]") for n, one in enumerate(list_at(held, place))]
            elif held is not None:
                found.append(ToolSpec(name=camel(name), kind=camel(name), extra=object_at(held, place)))
    return tuple(found)


def encode_tools(tools: Iterable[ToolSpec]) -> list[JSON]:
    """The wire declarations of tools: neighbouring functions in one."""
    wire: list[JSON] = []
    functions: list[JSON] = []
    for index, tool in enumerate(tools):
        if tool.kind != "function":
            functions = []
            wire.append({tool.kind: _encode_own(tool, f"$.tools[{index}]")})
            continue
        if not functions:
            wire.append({FUNCTIONS: functions})
        functions.append(_encode(tool, f"$.tools[{index}]"))
    return wire


def _decode(value: JSON, path: str) -> ToolSpec:
    tool = spelled(object_at(value, path), _OWN, path)
    schemas = [name for name in ("parameters", SCHEMA) if name in tool]
    if len(schemas) > 1:
        raise refuse(f"{path}.{SCHEMA}", "parameters beside it cannot be represented")
    extra = rest(tool, _OWN)
    return ToolSpec(
        name=text_at(tool.get("name"), f"{path}.name"),
        description=optional_text_at(tool.get("description"), f"{path}.description"),
        parameters=tool[schemas[0]] if schemas else None,
        extra={**extra, SCHEMA: True} if schemas == [SCHEMA] else extra,
    )


def _encode(tool: ToolSpec, path: str) -> JSON:
    wire: dict[str, JSON] = {"name": tool.name, **rest(tool.extra, (SCHEMA,))}
    if tool.description is not None:
        wire["description"] = tool.description
    if tool.parameters is not None:
        wire[SCHEMA if tool.extra.get(SCHEMA) else "parameters"] = tool.parameters
    elif SCHEMA in tool.extra:
        raise refuse(f"{path}.{SCHEMA}", "no parameters to stand there")
    return wire


def _encode_own(tool: ToolSpec, path: str) -> JSON:
    if tool.name != tool.kind or camel(tool.kind) in (*_OWN, FUNCTIONS) or camel(tool.kind) != tool.kind:
        raise refuse(f"{path}.name", f"a tool {tool.name!r} of the kind {tool.kind!r} has no form on this API")
    if tool.description is not None or tool.parameters is not None:
        raise refuse(path, f"a description or parameters of {tool.kind!r} have no form on this API")
    return dict(tool.extra)
