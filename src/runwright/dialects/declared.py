"""Tools as APIs declare them that have tools of the provider's own beside those that the caller runs."""

from __future__ import annotations

from runwright.dialects.fields import optional_text_at, refuse, rest
from runwright.trace.model import JSON, ToolSpec

FUNCTION = "function"
"""The model's word for a tool that the caller runs."""


def decode_tool(tool: dict[str, JSON], kind: str, schema: str, path: str) -> ToolSpec:
    """A tool of this kind, its parameters under the name `schema`.

    One of the provider's that has no name, such as a search, goes by its kind.
    """
    extra = rest(tool, ("type", "name", "description", schema))
    name = optional_text_at(tool.get("name"), f"{path}.name")
    if name is None and kind == FUNCTION:
        raise refuse(f"{path}.name", "expected a string, found null")
    return ToolSpec(
        name=kind if name is None else name,
        kind=kind,
        description=optional_text_at(tool.get("description"), f"{path}.description"),
        parameters=tool.get(schema),
        extra={**extra, "name": None} if name is None else extra,
    )


def encode_tool(tool: ToolSpec, wire: dict[str, JSON], schema: str, path: str) -> dict[str, JSON]:
    """What `decode_tool` took apart, behind the fields of the wire that say the kind."""
    if "name" not in tool.extra:
        wire["name"] = tool.name
    elif tool.extra["name"] is not None or tool.name != tool.kind:
        raise refuse(f"{path}.name", "a second name has no form on this API")
    if tool.description is not None:
        wire["description"] = tool.description
    if tool.parameters is not None:
        wire[schema] = tool.parameters
    return {**wire, **rest(tool.extra, ("name",))}
