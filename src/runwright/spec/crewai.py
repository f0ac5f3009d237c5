"""Agents of CrewAI."""

from __future__ import annotations

from typing import Any

from runwright.drift import AgentSpec, AgentTool
from runwright.spec.adapter import Adapter
from runwright.spec.plain import an_object
from runwright.spec.wire import tool_of_wire

SAMPLING = ("temperature", "top_p", "presence_penalty", "frequency_penalty", "seed")
_ADD_TOOLS = ("allow_delegation", "multimodal", "allow_code_execution", "memory", "mcps", "apps", "a2a")
"""Settings that make CrewAI give the agent further tools when a run begins."""


def spec_of_agent(agent: Any) -> AgentSpec:
    """The agent's tools as its model's client sends them, where no setting adds others; its model and sampling."""
    told = _schemas(list(agent.tools or ()))
    sent = getattr(agent.llm, "_convert_tools_for_interference", list)(told)  # each client has a form of its own
    more = any(getattr(agent, each, None) for each in _ADD_TOOLS)
    return AgentSpec(
        tools=None if more else tuple(tool_of_wire(an_object(each, "a tool"), "a tool") for each in sent),
        model=getattr(agent.llm, "model", None),
        parameters={name: getattr(agent.llm, name, None) for name in SAMPLING},
    )


def tool_of(tool: Any) -> AgentTool:
    """A tool of CrewAI's by itself, by its name and schema, before a client gives it the form in which it is sent."""
    told = _schemas([tool])[0]["function"]
    return AgentTool(name=told["name"], description=told["description"], parameters=told["parameters"])


def _schemas(tools: list[Any]) -> list[Any]:
    from crewai.utilities.agent_utils import convert_tools_to_openai_schema

    return list(convert_tools_to_openai_schema(tools)[0])


CREWAI = Adapter(
    name="CrewAI",
    tried_with="crewai 1.15",
    proof="on request",
    gives="tools as the agent's model client sends them, model, sampling settings",
    leaves="the prompt, which CrewAI writes anew for each task: give it in a mapping beside the tools; all tools of "
    "agents that delegate, remember or run code",
    agents={"crewai.Agent": spec_of_agent},
    tools={"crewai.BaseTool": tool_of},
)
