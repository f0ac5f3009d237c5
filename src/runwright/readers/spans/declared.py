"""Tool declarations, in the forms that instrumentations write."""

from __future__ import annotations

from runwright.readers.declared_tools import declared_tool
from runwright.readers.known import TOOLS
from runwright.readers.spans.captured import Captured
from runwright.trace.model import JSON, ToolSpec


def declared(given: JSON, *, described: bool, whole: bool = False) -> Captured:
    """The declared tools; with `described` a missing description was missing on the wire, with `whole` nothing is.

    Where neither is so, what may have been left out is listed as unknown.
    """
    specs: list[ToolSpec] = []
    unknown: list[str] = []
    for item in given if isinstance(given, list) else []:
        spec = declared_tool(item)
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
