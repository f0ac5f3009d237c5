"""The order desk with pydantic-ai."""

from __future__ import annotations

from typing import Any

from pydantic_ai import Agent, Tool
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

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


def run(desk: Any) -> None:
    desk.run_sync("Where are A-17 and B-4?")
