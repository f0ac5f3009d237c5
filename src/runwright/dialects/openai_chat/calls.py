"""Tool declarations and tool calls."""

from __future__ import annotations

from collections.abc import Iterable

from runwright.dialects.arguments import arguments_of, text_of_arguments
from runwright.dialects.fields import list_at, object_at, only, optional_text_at, refuse, rest, text_at, unsaid
from runwright.dialects.openai_chat.parts import MARK, cache_fields
from runwright.trace.model import JSON, ToolCallBlock, ToolSpec

KINDS = ("function", "custom")
OUTER = "outer"
"""Where `ToolSpec.extra` keeps the fields that stood beside `function`, not inside it."""


def decode_tools(value: JSON, path: str) -> tuple[ToolSpec, ...]:
    """The declared tools; null and the empty list are none."""
    return tuple(_decode_tool(each, f"{path}[{index}]") for index, each in enumerate(list_at(value, path)))


def encode_tools(tools: Iterable[ToolSpec]) -> list[JSON]:
    """The wire declarations of tools."""
    return [_encode_tool(tool, f"$.tools[{index}]") for index, tool in enumerate(tools)]


def decode_calls(value: JSON, path: str) -> tuple[ToolCallBlock, ...]:
    """The tool calls of an assistant message."""
    return tuple(_decode_call(each, index, f"{path}[{index}]") for index, each in enumerate(list_at(value, path)))


def encode_call(call: ToolCallBlock, path: str) -> dict[str, JSON]:
    """The wire form of a tool call; its argument text is exactly the recorded one."""
    field = "arguments" if _kind(call.kind, path) == "function" else "input"
    unsaid(call.extra, path)
    body: JSON = {"name": call.name, field: arguments_text(call, path)}
    return {"id": call.id, "type": call.kind, call.kind: body, **cache_fields(call.cache)}


def arguments_text(call: ToolCallBlock, path: str = "$") -> str:
    """The text of a call's arguments as the wire carries it."""
    if call.kind == "custom":
        return text_at(call.arguments, f"{path}.custom.input")
    return text_of_arguments(call.arguments, call.arguments_text)


def call_of(id_: str, kind: str, name: str, text: str, cache: JSON = None) -> ToolCallBlock:
    """A call from its wire text: a custom tool's input is its value, a function's arguments are parsed."""
    if kind == "custom":
        return ToolCallBlock(id=id_, name=name, kind=kind, arguments=text, cache=cache)
    value, kept = arguments_of(text)
    return ToolCallBlock(id=id_, name=name, arguments=value, arguments_text=kept, cache=cache)


def _decode_call(value: JSON, index: int, path: str) -> ToolCallBlock:
    call = object_at(value, path)
    kind = _kind(text_at(call.get("type") or "function", f"{path}.type"), path)
    known = ("id", "type", kind, MARK) + (("index",) if call.get("index") == index else ())
    only(call, known, path)
    body = object_at(call.get(kind), f"{path}.{kind}")
    field = "arguments" if kind == "function" else "input"
    only(body, ("name", field), f"{path}.{kind}")
    name = text_at(body.get("name"), f"{path}.{kind}.name")
    text = text_at(body.get(field), f"{path}.{kind}.{field}")
    return call_of(text_at(call.get("id"), f"{path}.id"), kind, name, text, call.get(MARK))


def _decode_tool(value: JSON, path: str) -> ToolSpec:
    tool = object_at(value, path)
    kind = _kind(text_at(tool.get("type") or "function", f"{path}.type"), path)
    body = object_at(tool.get(kind), f"{path}.{kind}")
    known = ("name", "description", "parameters") if kind == "function" else ("name", "description")
    extra = rest(body, known)
    outer = rest(tool, ("type", kind))
    if OUTER in extra:
        raise refuse(f"{path}.{kind}.{OUTER}", "field cannot be represented")
    return ToolSpec(
        name=text_at(body.get("name"), f"{path}.{kind}.name"),
        kind=kind,
        description=optional_text_at(body.get("description"), f"{path}.{kind}.description"),
        parameters=body.get("parameters") if kind == "function" else None,
        extra={**extra, OUTER: outer} if outer else extra,
    )


def _encode_tool(tool: ToolSpec, path: str) -> JSON:
    body: dict[str, JSON] = {"name": tool.name}
    if tool.description is not None:
        body["description"] = tool.description
    if tool.parameters is not None:
        body["parameters"] = tool.parameters
    outer = tool.extra.get(OUTER, {})
    return {"type": _kind(tool.kind, path), tool.kind: body | rest(tool.extra, (OUTER,)), **object_at(outer, path)}


def _kind(kind: str, path: str) -> str:
    if kind not in KINDS:
        raise refuse(f"{path}.type", f"unknown tool type {kind!r}")
    return kind
