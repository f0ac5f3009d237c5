"""Tool declarations and tool calls."""

from __future__ import annotations

from collections.abc import Iterable

from runwright.dialects.anthropic_messages.marks import MARK, marked, said
from runwright.dialects.declared import FUNCTION, decode_tool, encode_tool
from runwright.dialects.fields import list_at, object_at, optional_text_at, refuse, text_at
from runwright.trace.model import JSON, ToolCallBlock, ToolSpec

CUSTOM = "custom"
"""This wire's word for a tool that the caller runs; it may be left out."""

SCHEMA = "input_schema"


def decode_tools(value: JSON, path: str) -> tuple[ToolSpec, ...]:
    """The declared tools; null and the empty list are none."""
    return tuple(_decode_tool(each, f"{path}[{index}]") for index, each in enumerate(list_at(value, path)))


def encode_tools(tools: Iterable[ToolSpec]) -> list[JSON]:
    """The wire declarations of tools."""
    return [_encode_tool(tool, f"$.tools[{index}]") for index, tool in enumerate(tools)]


def decode_use(block: dict[str, JSON], path: str) -> ToolCallBlock:
    """A tool call; who called it, where the wire says so, is a further field."""
    return ToolCallBlock(
        id=text_at(block.get("id"), f"{path}.id"),
        name=text_at(block.get("name"), f"{path}.name"),
        arguments=object_at(block.get("input"), f"{path}.input"),
        cache=block.get(MARK),
        extra=said(block, ("type", "id", "name", "input", MARK)),
    )


def encode_use(call: ToolCallBlock, path: str) -> dict[str, JSON]:
    """The wire form of a tool call, whose input is a value."""
    if call.kind != FUNCTION:
        raise refuse(path, f"a call of the kind {call.kind!r} has no form on this API")
    wire: dict[str, JSON] = {"type": "tool_use", "id": call.id, "name": call.name}
    return marked({**wire, "input": object_at(call.arguments, f"{path}.input"), **call.extra}, call.cache)


def _decode_tool(value: JSON, path: str) -> ToolSpec:
    """A tool; without a type, or of the type `custom`, it is one that the caller runs."""
    tool = object_at(value, path)
    kind = optional_text_at(tool.get("type"), f"{path}.type") or CUSTOM
    return decode_tool(tool, FUNCTION if kind == CUSTOM else kind, SCHEMA, path)


def _encode_tool(tool: ToolSpec, path: str) -> JSON:
    return encode_tool(tool, {} if tool.kind == FUNCTION else {"type": tool.kind}, SCHEMA, path)
