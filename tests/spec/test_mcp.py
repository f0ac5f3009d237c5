"""Servers of the official MCP SDK: their list of tools, in this process and over stdio, against recordings of it."""

from __future__ import annotations

import sys
from pathlib import Path

import mcp
import pytest
from mcp.server import MCPServer

from runwright.drift import AgentSpec, agent_drift
from runwright.spec import spec_of
from runwright.trace import Header, McpRecord, ToolSpec, Trace
from tests.drift.made import NOW, told, trace

SERVER = '''
from mcp.server import MCPServer

server = MCPServer("desk")


@server.tool()
def refund(order: str, amount: float = 0) -> str:
    """Pays an order back."""
    return order


if __name__ == "__main__":
    server.run()
'''


def desk(amount: type = float, name: str = "desk") -> MCPServer:
    server = MCPServer(name)

    def refund(order: str, amount: amount = 0) -> str:  # type: ignore[valid-type]
        """Pays an order back."""
        return order

    refund.__annotations__ = {"order": str, "amount": amount, "return": str}
    server.tool()(refund)
    return server


def recording(spec: AgentSpec, server: str = "desk") -> Trace:
    """A run that listed the tools of the server."""
    tools = [
        {"name": tool.name, "description": tool.description, "inputSchema": tool.parameters, **dict(tool.extra)}  # type: ignore[arg-type]
        for tool in spec.tools or ()
    ]
    listed = McpRecord(id="c1", server=server, method="tools/list", result={"tools": tools}, fidelity="raw")  # type: ignore[dict-item]
    return Trace(header=Header(kind="run", trace_id="t"), records=(listed,))


def test_a_server_in_this_process() -> None:
    spec = spec_of(desk())
    assert spec.server == "desk"
    assert [(tool.name, tool.description) for tool in spec.tools or ()] == [("refund", "Pays an order back.")]
    assert agent_drift(recording(spec), spec, NOW).verdict == "SAME"
    found = agent_drift(recording(spec), spec_of(desk(int)), NOW)
    assert told(found) == {"$.tools.refund.parameters.properties.amount.type": ("number", "integer")}
    assert agent_drift(recording(spec), spec_of(MCPServer("desk")), NOW).verdict == "DRIFTED"


def test_a_server_over_stdio(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(SERVER)
    spec = spec_of(mcp.StdioServerParameters(command=sys.executable, args=[str(tmp_path / "server.py")]))
    assert spec == spec_of(desk())


def test_tools_that_an_agent_was_given_under_the_name_of_the_server() -> None:
    spec = spec_of(desk())
    (tool,) = spec.tools or ()
    given = ToolSpec(name="mcp__desk__refund", description="Pays an order back.", parameters=tool.parameters)  # type: ignore[arg-type]
    other = ToolSpec(name="mcp__files__read")
    assert agent_drift(trace(tools=[given, other]), spec, NOW).verdict == "SAME"
    assert agent_drift(trace(tools=[given, other]), spec_of(desk(int)), NOW).verdict == "DRIFTED"
    assert agent_drift(trace(tools=[other]), spec, NOW).verdict == "UNVERIFIED"


def test_another_server_of_the_trace_is_not_compared() -> None:
    spec = spec_of(desk())
    both = recording(spec).records + recording(spec_of(desk(int, "bank")), "bank").records
    recorded = Trace(header=Header(kind="run", trace_id="t"), records=both)
    assert agent_drift(recorded, spec, NOW).verdict == "SAME"
    assert agent_drift(recorded, spec_of(desk(int, "bank")), NOW).verdict == "SAME"
    assert agent_drift(recorded, spec_of(desk(int)), NOW).verdict == "DRIFTED"


def test_tools_of_the_sdk_in_a_list() -> None:
    (tool,) = spec_of(desk()).tools or ()
    listed = mcp.Tool(name="refund", description="Pays an order back.", input_schema=dict(tool.parameters))  # type: ignore[arg-type]
    (made,) = spec_of([listed]).tools or ()
    assert (made.name, made.parameters) == (tool.name, tool.parameters)


@pytest.mark.parametrize("result", [None, {}, {"tools": "x"}, {"tools": [7, {"name": 8}]}])
def test_a_list_that_is_none_is_not_compared_as_one(result: object) -> None:
    listed = McpRecord(id="c1", server="desk", method="tools/list", result=result, fidelity="raw")  # type: ignore[arg-type]
    recorded = Trace(header=Header(kind="run", trace_id="t"), records=(listed,))
    assert agent_drift(recorded, spec_of(desk()), NOW).verdict == "UNVERIFIED"
