"""Agents of CrewAI."""

from __future__ import annotations

from typing import Any

from runwright.drift import AgentSpec, AgentTool
from runwright.spec.adapter import Adapter

SAMPLING = ("temperature", "top_p", "presence_penalty", "frequency_penalty", "seed")


def spec_of_agent(agent: Any) -> AgentSpec:
    """The agent's tools, its model and sampling settings."""
    return AgentSpec(
        tools=tuple(tool_of(each) for each in agent.tools or ()),
        model=getattr(agent.llm, "model", None),
        parameters={name: getattr(agent.llm, name, None) for name in SAMPLING},
    )


def tool_of(tool: Any) -> AgentTool:
    """A tool of CrewAI's, by the name and schema that its model is told."""
    from crewai.utilities.agent_utils import convert_tools_to_openai_schema

    told = convert_tools_to_openai_schema([tool])[0][0]["function"]
    return AgentTool(name=told["name"], description=told["description"], parameters=told["parameters"])


CREWAI = Adapter(
    name="CrewAI",
    tried_with="crewai 1.15",
    proof="on request",
    gives="tools, model, sampling settings",
    leaves="the prompt, which CrewAI writes anew for each task: give it in a mapping beside the tools",
    agents={"crewai.Agent": spec_of_agent},
    tools={"crewai.BaseTool": tool_of},
)
