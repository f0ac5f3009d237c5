"""The order desk with LangChain's agents, which are graphs of LangGraph."""

from __future__ import annotations

from typing import Any

from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

EXPECTED = ("system_prompt", "tools", "model", "parameters")


def lookup() -> Any:
    @tool
    def lookup_order(order: str, limit: int = 3) -> str:
        """Find an order."""
        return f"{order} is sent"

    return lookup_order


def lookup_changed() -> Any:
    @tool
    def lookup_order(order: str, limit: str = "3") -> str:
        """Find any order."""
        return f"{order} is sent"

    return lookup_order


def agent(base: str, lookup_order: Any) -> Any:
    model = ChatOpenAI(model="gpt-desk", temperature=0.5, api_key="not-a-key", base_url=f"{base}/v1")
    return create_agent(model, tools=[lookup_order], system_prompt="You run the order desk.")


def run(desk: Any) -> None:
    desk.invoke({"messages": [{"role": "user", "content": "Where are A-17 and B-4?"}]})
