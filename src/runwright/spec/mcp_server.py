"""Servers of the official MCP SDK: what they answer to `tools/list`, asked in this process or over stdio."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

from runwright.drift import AgentSpec, AgentTool
from runwright.spec.adapter import Adapter
from runwright.spec.awaiting import awaited
from runwright.spec.plain import an_object
from runwright.spec.wire import tool_of_list

PAGES = 1000
"""Pages of a server's list that are asked for."""


def spec_of_server(server: Any) -> AgentSpec:
    """The tools of a server object, connected to in this process, or of one that a command starts."""
    name, tools = awaited(_listed(server))
    return AgentSpec(tools=tuple(map(tool_of_mcp, tools)), server=name)


def tool_of_mcp(tool: Any) -> AgentTool:
    """A tool of the SDK's own type."""
    return tool_of_list(an_object(tool.model_dump(mode="json", by_alias=True, exclude_none=True), tool.name), tool.name)


async def _listed(server: Any) -> tuple[str, list[Any]]:
    tools: list[Any] = []
    async with _session(server) as (name, session):
        cursor = None
        for _ in range(PAGES):
            page = await (session.list_tools() if cursor is None else session.list_tools(cursor=cursor))
            tools += page.tools
            cursor = getattr(page, "next_cursor", getattr(page, "nextCursor", None))
            if not cursor:
                break
    return name, tools


@asynccontextmanager
async def _session(server: Any) -> AsyncIterator[tuple[str, Any]]:
    """A session of the installed SDK, and the server's own name."""
    mcp: Any = import_module("mcp")  # by name: which of its versions is installed is not known, nor then its types
    if hasattr(mcp, "Client"):  # the SDK from version 2 on
        async with mcp.Client(server) as client:
            yield str(client.server_info.name), client
    elif isinstance(server, mcp.StdioServerParameters):
        async with mcp.stdio_client(server) as streams, mcp.ClientSession(*streams) as session:
            told = await session.initialize()
            yield str(told.serverInfo.name), session
    else:
        memory: Any = import_module("mcp.shared.memory")
        async with memory.create_connected_server_and_client_session(server) as session:
            yield str(server.name), session


MCP = Adapter(
    name="MCP servers",
    tried_with="mcp 2.3 and 1.30",
    proof="every change",
    gives="tools, as `tools/list` answers, and the server's name: compared with a recorded `tools/list`, else with "
    "tools that are named `mcp__SERVER__TOOL`",
    leaves="everything else: a server is no agent",
    agents=dict.fromkeys(("mcp.MCPServer", "mcp.FastMCP", "mcp.Server", "mcp.StdioServerParameters"), spec_of_server),
    tools={"mcp.Tool": tool_of_mcp, "mcp_types.Tool": tool_of_mcp},
)
