"""Tool declarations, in the forms that instrumentations write."""

from __future__ import annotations

from runwright.readers.known import TOOLS
from runwright.readers.otlp.captured import Captured
from runwright.trace.model import JSON, ToolSpec

SCHEMAS = ("parameters", "input_schema", "parameters_json_schema", "inputSchema")


def declared(given: JSON, *, described: bool, whole: bool = False) -> Captured:
    """The declared tools; with `described` a missing description was missing on the wire, with `whole` nothing is.

    Where neither is so, what may have been left out is listed as unknown.
    """
    specs: list[ToolSpec] = []
    unknown: list[str] = []
    for item in given if isinstance(given, list) else []:
        spec = _spec(item)
        if spec is None:
            unknown.append(f"{TOOLS}[{len(specs)}]")
            continue
        place = f"{TOOLS}[{len(specs)}]"
        if spec.description is None and not described and not whole:
            unknown.append(f"{place}.description")
        if spec.parameters is None and not whole:
            unknown.append(f"{place}.parameters")
        if not spec.extra and not whole:
            unknown.append(f"{place}.extra")
        specs.append(spec)
    return Captured(tools=tuple(specs), unknown=tuple(unknown))


def _spec(item: JSON) -> ToolSpec | None:
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
