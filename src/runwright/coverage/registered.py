"""The tools that count: those an agent says it has, else those that the traces' requests declare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import msgspec

from runwright.drift import AgentSpec
from runwright.errors import AgentSpecError
from runwright.trace import JSON, McpRecord, ModelRecord, Trace, canonical, covers

Source: TypeAlias = Literal["agent", "traces"]


@dataclass(frozen=True)
class Registered:
    """Each tool with the schemas that it was declared with; none where its parameters are not known.

    `server` is the MCP server that has them, whose name models may be told before theirs.
    """

    source: Source
    tools: Mapping[str, tuple[JSON, ...]]
    policies: tuple[str, ...] = ()
    server: str | None = None

    def name_of(self, called: str) -> str:
        """The registered name of a tool that was called by this one."""
        if self.server is None or called in self.tools:
            return called
        starts = (f"mcp__{self.server}__", f"{self.server}__", f"{self.server}.", f"{self.server}/")
        plain = (called.removeprefix(each) for each in starts if called.startswith(each))
        return next((name for name in plain if name in self.tools), called)


def registered_by(spec: AgentSpec) -> Registered:
    """The tools of an agent; AgentSpecError where it does not say which it has."""
    if spec.tools is None:
        raise AgentSpecError("it does not say which tools it has", hint="give it a field `tools`")
    tools = {
        tool.name: () if isinstance(tool.parameters, msgspec.UnsetType) else (tool.parameters,) for tool in spec.tools
    }
    return Registered("agent", tools, tuple(spec.policies or ()), spec.server)


def registered_in(traces: Iterable[Trace]) -> Registered:
    """The tools that any request or any server's list in the traces declares."""
    found: dict[str, dict[bytes, JSON]] = {}
    for trace in traces:
        for name, schema in _declared(trace):
            schemas = found.setdefault(name, {})
            if not isinstance(schema, msgspec.UnsetType):
                schemas.setdefault(canonical(schema), schema)
    return Registered("traces", {name: tuple(schemas.values()) for name, schemas in found.items()})


def _declared(trace: Trace) -> Iterator[tuple[str, JSON | msgspec.UnsetType]]:
    before: Sequence[object] = ()
    for record in trace.records:
        if isinstance(record, ModelRecord) and record.request.tools is not before:
            before = record.request.tools
            for at, tool in enumerate(record.request.tools):
                unknown = any(covers(path, f"$.request.tools[{at}].parameters") for path in record.unknown)
                yield tool.name, msgspec.UNSET if unknown else tool.parameters
        elif isinstance(record, McpRecord) and record.method == "tools/list" and isinstance(record.result, dict):
            tools = record.result.get("tools")
            for each in tools if isinstance(tools, list) else ():
                if isinstance(each, dict) and isinstance(each.get("name"), str):
                    yield str(each["name"]), each.get("inputSchema", msgspec.UNSET)
