"""The order desk with LangChain's agents, which are graphs of LangGraph."""

from __future__ import annotations

from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import dynamic_prompt
from langchain.agents.structured_output import ToolStrategy
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph

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


def untold() -> list[tuple[str, Any, str]]:
    @dynamic_prompt
    def changes(request: Any) -> str:
        return "x"

    model = ChatOpenAI(model="gpt-desk", api_key="not-a-key")
    graph = StateGraph(MessagesState)
    graph.add_node("only", lambda state: state)
    graph.add_edge(START, "only")
    outer = StateGraph(MessagesState)
    outer.add_node("inner", create_agent(model, tools=[lookup()]))
    outer.add_edge(START, "inner")
    answers = ToolStrategy({"title": "answer", "type": "object", "properties": {"x": {"type": "string"}}})
    return [
        ("a prompt of middleware", create_agent(model, tools=[lookup()], middleware=[changes]), "system_prompt"),
        ("a graph without a tool node", graph.compile(), "tools"),
        ("a graph of an agent", outer.compile(), "tools"),
        ("an answer that is a tool", create_agent(model, tools=[lookup()], response_format=answers), "tools"),
    ]


def run(desk: Any) -> None:
    desk.invoke({"messages": [{"role": "user", "content": "Where are A-17 and B-4?"}]})
