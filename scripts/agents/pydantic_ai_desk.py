"""The order desk with pydantic-ai."""

from __future__ import annotations

from typing import Any

from pydantic_ai import Agent, Tool
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.toolsets import FunctionToolset

EXPECTED = ("system_prompt", "tools", "model", "parameters")


def lookup() -> Any:
    def lookup_order(order: str, limit: int = 3) -> str:
        """Find an order.

        Args:
            order: Its number.
            limit: How many.
        """
        return f"{order} is sent"

    return Tool(lookup_order)


def lookup_changed() -> Any:
    def lookup_order(order: str, limit: str = "3") -> str:
        """Find any order.

        Args:
            order: Its number.
            limit: How many.
        """
        return f"{order} is sent"

    return Tool(lookup_order)


def agent(base: str, tool: Any) -> Any:
    model = OpenAIChatModel("gpt-desk", provider=OpenAIProvider(base_url=f"{base}/v1", api_key="not-a-key"))
    return Agent(
        model,
        system_prompt="You run the order desk.",
        instructions="Be brief.",
        tools=[tool],
        model_settings={"temperature": 0.5},
    )


def untold() -> list[tuple[str, Any, str]]:
    told = Agent("test", system_prompt="You run the order desk.")
    told.system_prompt(lambda: "x")
    instructed = Agent("test", instructions=lambda: "x")
    look = lookup().function
    some = FunctionToolset([look]).filtered(lambda _context, _tool: True)
    return [
        ("a prompt of a function", told, "system_prompt"),
        ("instructions of a function", instructed, "system_prompt"),
        ("a tool that a function prepares", Agent("test", tools=[Tool(look, prepare=lambda _, each: each)]), "tools"),
        ("tools that a function chooses", Agent("test", toolsets=[some]), "tools"),
        ("settings of a function", Agent("test", model_settings=lambda _context: {}), "parameters"),
    ]


def run(desk: Any) -> None:
    desk.run_sync("Where are A-17 and B-4?")
