"""The order desk with AutoGen."""

from __future__ import annotations

import asyncio
from typing import Any

from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient

EXPECTED = ("system_prompt", "tools", "model", "parameters")


def lookup() -> Any:
    def lookup_order(order: str, limit: int = 3) -> str:
        """Find an order."""
        return f"{order} is sent"

    return lookup_order


def lookup_changed() -> Any:
    def lookup_order(order: str, limit: str = "3") -> str:
        """Find any order."""
        return f"{order} is sent"

    return lookup_order


def agent(base: str, tool: Any) -> Any:
    known = {"vision": False, "function_calling": True, "json_output": False, "family": "unknown"}
    client = OpenAIChatCompletionClient(
        model="gpt-desk",
        temperature=0.5,
        api_key="not-a-key",
        base_url=f"{base}/v1",
        model_info={**known, "structured_output": False},
    )
    return AssistantAgent("desk", client, tools=[tool], handoffs=["returns"], system_message="You run the order desk.")


def run(desk: Any) -> None:
    asyncio.run(desk.run(task="Where are A-17 and B-4?"))
