"""Tool declarations, tool calls and their results."""

from __future__ import annotations

from collections.abc import Iterable

from runwright.dialects.arguments import arguments_of, text_of_arguments
from runwright.dialects.declared import FUNCTION, decode_tool, encode_tool
from runwright.dialects.fields import list_at, object_at, refuse, rest, text_at
from runwright.dialects.openai_responses.marks import said
from runwright.dialects.openai_responses.parts import decode_content, encode_content
from runwright.trace.model import JSON, ToolCallBlock, ToolResultBlock, ToolSpec

CALLS = {"function_call": (FUNCTION, "arguments"), "custom_tool_call": ("custom", "input")}
"""For each item that is a call: the kind of its tool, and the field that holds what the tool is given."""

RESULTS = ("function_call_output", "custom_tool_call_output")
KIND = "type"
"""Name in a result's `extra`: the wire's type where it is not a function's."""

SCHEMA = "parameters"


def decode_tools(value: JSON, path: str) -> tuple[ToolSpec, ...]:
    """The declared tools; null and the empty list are none."""
    return tuple(_decode_tool(each, f"{path}[{index}]") for index, each in enumerate(list_at(value, path)))


def encode_tools(tools: Iterable[ToolSpec]) -> list[JSON]:
    """The wire declarations of tools."""
    return [_encode_tool(tool, f"$.tools[{index}]") for index, tool in enumerate(tools)]


def decode_call(item: dict[str, JSON], path: str) -> ToolCallBlock:
    """A call that the client is to run; a custom tool's input is its value, a function's arguments are parsed."""
    kind, field = CALLS[text_at(item.get("type"), f"{path}.type")]
    text = text_at(item.get(field), f"{path}.{field}")
    value, kept = (text, None) if kind == "custom" else arguments_of(text)
    return ToolCallBlock(
        id=text_at(item.get("call_id"), f"{path}.call_id"),
        name=text_at(item.get("name"), f"{path}.name"),
        kind=kind,
        arguments=value,
        arguments_text=kept,
        extra=said(item, ("type", "call_id", "name", field), path),
    )


def encode_call(call: ToolCallBlock, path: str) -> dict[str, JSON]:
    """The wire form of a call; its argument text is exactly the recorded one."""
    type_ = next((name for name, (kind, _) in CALLS.items() if kind == call.kind), None)
    if type_ is None:
        raise refuse(path, f"a call of the kind {call.kind!r} has no form on this API")
    if call.cache is not None:
        raise refuse(f"{path}.cache", "a cache mark on a call has no form on this API")
    field = CALLS[type_][1]
    return {"type": type_, "call_id": call.id, "name": call.name, field: text_of_call(call, path), **call.extra}


def text_of_call(call: ToolCallBlock, path: str = "$") -> str:
    """What the tool is given, as the wire carries it."""
    if call.kind == "custom":
        return text_at(call.arguments, f"{path}.input")
    return text_of_arguments(call.arguments, call.arguments_text)


def decode_result(item: dict[str, JSON], path: str) -> ToolResultBlock:
    """What a tool returned; null is the empty list."""
    kind, output = item.get("type"), item.get("output")
    other: dict[str, JSON] = {} if kind == RESULTS[0] else {KIND: kind}
    return ToolResultBlock(
        call_id=text_at(item.get("call_id"), f"{path}.call_id"),
        content=() if output is None else decode_content(output, "tool", f"{path}.output"),
        extra=other | said(item, ("type", "call_id", "output"), path),
    )


def encode_result(block: ToolResultBlock, path: str) -> dict[str, JSON]:
    """The wire form of a result."""
    if block.is_error is not None:
        raise refuse(f"{path}.is_error", "a result cannot say on this API whether it is an error")
    if block.cache is not None:
        raise refuse(f"{path}.cache", "a cache mark on a result has no form on this API")
    output = encode_content(block.content, "tool", f"{path}.output")
    kind = block.extra.get(KIND, RESULTS[0])
    return {"type": kind, "call_id": block.call_id, "output": output, **rest(block.extra, (KIND,))}


def _decode_tool(value: JSON, path: str) -> ToolSpec:
    tool = object_at(value, path)
    return decode_tool(tool, text_at(tool.get("type"), f"{path}.type"), SCHEMA, path)


def _encode_tool(tool: ToolSpec, path: str) -> JSON:
    return encode_tool(tool, {"type": tool.kind}, SCHEMA, path)
