"""The order desk with CrewAI."""

from __future__ import annotations

from typing import Any

from crewai import LLM, Agent, Crew, Task
from crewai.tools import tool

EXPECTED = ("tools", "model", "parameters")


def lookup() -> Any:
    @tool("lookup_order")
    def lookup_order(order: str, limit: int = 3) -> str:
        """Find an order."""
        return f"{order} is sent"

    return lookup_order


def lookup_changed() -> Any:
    @tool("lookup_order")
    def lookup_order(order: str, limit: str = "3") -> str:
        """Find any order."""
        return f"{order} is sent"

    return lookup_order


def agent(base: str, lookup_order: Any) -> Any:
    llm = LLM(model="openai/gpt-desk", temperature=0.5, api_key="not-a-key", base_url=f"{base}/v1")
    return Agent(role="desk", goal="answer", backstory="You run the order desk.", tools=[lookup_order], llm=llm)


def untold() -> list[tuple[str, Any, str]]:
    plain = agent("http://127.0.0.1:9", lookup())
    delegates = Agent(role="desk", goal="answer", backstory="x", tools=[lookup()], llm=plain.llm, allow_delegation=True)
    return [("a prompt of a task", plain, "system_prompt"), ("an agent that delegates", delegates, "tools")]


def run(desk: Any) -> None:
    task = Task(description="Where are A-17 and B-4?", expected_output="where they are", agent=desk)
    Crew(agents=[desk], tasks=[task], verbose=False).kickoff()
