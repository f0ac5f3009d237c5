"""Agents of the OpenAI Agents SDK."""

from __future__ import annotations

from typing import Any

from runwright.drift import AgentSpec, AgentTool
from runwright.spec.adapter import Adapter

SAMPLING = ("temperature", "top_p", "frequency_penalty", "presence_penalty")
"""Settings whose name is that of the wire, whichever API is called."""


def spec_of_agent(agent: Any) -> AgentSpec:
    """The agent's instructions where they are a text, its tools and handoffs, its model and sampling settings.

    Which tools are sent is not known before a run where MCP servers are asked for them or a function enables one.
    """
    settings = agent.model_settings
    instructions = agent.instructions if agent.instructions is not None else ""
    told = isinstance(instructions, str) and getattr(agent, "prompt", None) is None
    return AgentSpec(
        system_prompt=instructions if told else None,
        tools=None if agent.mcp_servers else _tools(agent),
        model=_model(agent.model),
        parameters={name: getattr(settings, name, None) for name in SAMPLING},
    )


def _tools(agent: Any) -> tuple[AgentTool, ...] | None:
    """The tools and handoffs that are enabled; None where a function decides that."""
    given = [*((each, tool_of) for each in agent.tools), *((each, _handoff) for each in agent.handoffs)]
    enabled = [getattr(each, "is_enabled", True) for each, _ in given]
    if any(callable(each) for each in enabled):
        return None
    return tuple(make(each) for (each, make), on in zip(given, enabled, strict=True) if on)


def tool_of(tool: Any) -> AgentTool:
    """A function tool; of one that the provider runs only the name is known."""
    if hasattr(tool, "params_json_schema"):
        return AgentTool(name=tool.name, description=tool.description, parameters=tool.params_json_schema)
    return AgentTool(name=tool.name)


def _handoff(given: Any) -> AgentTool:
    """The tool that hands over to another agent."""
    from agents import Agent, handoff

    made = handoff(given) if isinstance(given, Agent) else given
    return AgentTool(name=made.tool_name, description=made.tool_description, parameters=made.input_json_schema)


def _model(model: Any) -> str | None:
    return model if model is None or isinstance(model, str) else getattr(model, "model", None)


OPENAI_AGENTS = Adapter(
    name="OpenAI Agents SDK",
    tried_with="openai-agents 0.24",
    proof="on request",
    gives="instructions that are a text, function tools, handoffs, model, sampling settings",
    leaves="instructions that a function makes or that a stored prompt holds; tools of MCP servers or that a function "
    "enables, and with them all tools",
    agents={"agents.Agent": spec_of_agent},
    tools={"agents.FunctionTool": tool_of},
)
