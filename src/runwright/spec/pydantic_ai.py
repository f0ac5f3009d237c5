"""Agents of pydantic-ai."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runwright.drift import AgentSpec, AgentTool
from runwright.spec.adapter import Adapter

SAMPLING = ("temperature", "top_p", "presence_penalty", "frequency_penalty", "seed")


def spec_of_agent(agent: Any) -> AgentSpec:
    """The agent's static prompts, its function and output tools, its model and sampling settings.

    A prompt that a function makes is not known before a run, and neither are the tools of other toolsets, or which are
    sent where a function prepares one.
    """
    settings = agent.model_settings
    given = dict(settings) if isinstance(settings, dict) else {}
    model = agent.model
    return AgentSpec(
        system_prompt=_prompt(agent),
        tools=_tools(agent),
        model=model.partition(":")[2] if isinstance(model, str) else getattr(model, "model_name", None),
        parameters=None if callable(settings) else {name: given.get(name) for name in SAMPLING},
    )


def tool_of(tool: Any) -> AgentTool:
    """A tool of an agent."""
    return _defined(tool.tool_def)


def _defined(definition: Any) -> AgentTool:
    return AgentTool(
        name=definition.name, description=definition.description or None, parameters=definition.parameters_json_schema
    )


def _prompt(agent: Any) -> str | None:
    """The prompts as they are sent, in their order; None where a function makes one of them."""
    instructions = [getattr(each, "instruction", each) for each in _private(agent, "_instructions")]
    made = [*_private(agent, "_system_prompt_functions"), *(each for each in instructions if not isinstance(each, str))]
    if made:
        return None
    return "\n".join((*_private(agent, "_system_prompts"), *(["\n\n".join(instructions)] if instructions else [])))


def _tools(agent: Any) -> tuple[AgentTool, ...] | None:
    found: dict[str, AgentTool] = {}
    for toolset in agent.toolsets:
        tools = getattr(toolset, "tools", None)
        if not isinstance(tools, dict) or any(getattr(each, "prepare", None) for each in tools.values()):
            return None
        found |= {name: tool_of(each) for name, each in tools.items()}
    output = getattr(agent, "_output_toolset", None)
    found |= {each.name: _defined(each) for each in getattr(output, "_tool_defs", ())}
    return tuple(found.values())


def _private(agent: Any, name: str) -> Sequence[Any]:
    """What the library keeps to itself: there is no public way to a prompt that needs no run."""
    return tuple(getattr(agent, name, ()))


PYDANTIC_AI = Adapter(
    name="pydantic-ai",
    tried_with="pydantic-ai 2.68",
    proof="on request",
    gives="static system prompts and instructions, function tools, output tools, model, sampling settings",
    leaves="prompts that a function makes; toolsets of other kinds and tools that a function prepares, and with them "
    "all tools",
    agents={"pydantic_ai.Agent": spec_of_agent},
    tools={"pydantic_ai.Tool": tool_of},
)
