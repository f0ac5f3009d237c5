"""The order desk with the OpenAI Agents SDK."""

from __future__ import annotations

from typing import Any

import agents
from openai import AsyncOpenAI

EXPECTED = ("system_prompt", "tools", "model", "parameters")


def lookup() -> Any:
    @agents.function_tool
    def lookup_order(order: str, limit: int = 3) -> str:
        """Find an order.

        Args:
            order: Its number.
        """
        return f"{order} is sent"

    return lookup_order


def lookup_changed() -> Any:
    @agents.function_tool
    def lookup_order(order: str, limit: str = "3") -> str:
        """Find any order.

        Args:
            order: Its number.
        """
        return f"{order} is sent"

    return lookup_order


def agent(base: str, tool: Any) -> Any:
    model = agents.OpenAIChatCompletionsModel("gpt-desk", AsyncOpenAI(base_url=f"{base}/v1", api_key="not-a-key"))
    other = agents.Agent(name="returns", handoff_description="Takes orders back.")
    return agents.Agent(
        name="desk",
        instructions="You run the order desk.",
        tools=[tool],
        handoffs=[other],
        model=model,
        model_settings=agents.ModelSettings(temperature=0.5),
    )


def untold() -> list[tuple[str, Any, str]]:
    sometimes = agents.function_tool(
        lambda order: order, name_override="look", is_enabled=lambda _context, _agent: True
    )
    server = agents.mcp.MCPServerStdio(params={"command": "desk"})
    return [
        (
            "a prompt of a function",
            agents.Agent(name="desk", instructions=lambda _context, _agent: "x"),
            "system_prompt",
        ),
        ("a stored prompt", agents.Agent(name="desk", prompt={"id": "pmpt_1"}), "system_prompt"),
        ("a tool that a function enables", agents.Agent(name="desk", tools=[sometimes]), "tools"),
        ("tools of a server", agents.Agent(name="desk", mcp_servers=[server]), "tools"),
    ]


def run(desk: Any) -> None:
    agents.set_tracing_disabled(True)
    agents.Runner.run_sync(desk, "Where are A-17 and B-4?")
