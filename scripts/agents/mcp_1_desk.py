"""The order desk's server with the first version of the MCP SDK, in this process and over stdio."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import mcp
from mcp.server.fastmcp import FastMCP

from runwright.drift import Comparison, agent_drift
from runwright.spec import spec_of
from runwright.trace import Header, McpRecord, Trace

EXPECTED = ("tools",)


def server(kind: type) -> FastMCP:
    made = FastMCP("desk")

    def lookup_order(order: str, limit: kind = "3") -> str:  # type: ignore[valid-type]
        """Find an order."""
        return order

    lookup_order.__annotations__ = {"order": str, "limit": kind, "return": str}
    made.tool()(lookup_order)
    return made


def compared() -> tuple[Comparison, Comparison]:
    """The tools of a server that was started against those of one in this process, and of a changed one."""
    started = spec_of(mcp.StdioServerParameters(command=sys.executable, args=[__file__]))
    tools = [
        {"name": each.name, "description": each.description, "inputSchema": each.parameters, **dict(each.extra)}
        for each in started.tools or ()
    ]
    listed = McpRecord(id="c1", server="desk", method="tools/list", result={"tools": tools}, fidelity="raw")
    trace = Trace(header=Header(kind="run", trace_id="t"), records=(listed,))
    now = datetime.now(UTC)
    return agent_drift(trace, spec_of(server(int)), now), agent_drift(trace, spec_of(server(str)), now)


if __name__ == "__main__":
    server(int).run()
