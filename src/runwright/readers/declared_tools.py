"""Tool declarations, in the forms that other tools write."""

from __future__ import annotations

from runwright.readers.again import once_each
from runwright.trace.model import JSON, ToolSpec

SCHEMAS = ("parameters", "input_schema", "parameters_json_schema", "inputSchema")


def declared_tools(given: JSON) -> tuple[ToolSpec, ...]:
    """The tools of a list; what is no declaration is passed over."""
    found = (declared_tool(item) for item in given) if isinstance(given, list) else ()
    return tuple(each for each in found if each is not None)


@once_each
def declared_tool(item: JSON) -> ToolSpec | None:
    """One declaration, wrapped in a `function` or not; None where it has no name."""
    if not isinstance(item, dict):
        return None
    inner = item.get("function")
    held = inner if isinstance(inner, dict) else item
    name, description, kind = held.get("name"), held.get("description"), item.get("type")
    if not isinstance(name, str):
        return None
    schema = next((held[key] for key in SCHEMAS if held.get(key) is not None), None)
    rest = {key: value for key, value in held.items() if key not in ("name", "description", "type", *SCHEMAS)}
    return ToolSpec(
        name=name,
        kind=kind if isinstance(kind, str) else "function",
        description=description if isinstance(description, str) else None,
        parameters=schema,
        extra=rest,
    )
