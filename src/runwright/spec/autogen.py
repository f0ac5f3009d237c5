"""Agents of AutoGen's AgentChat."""

from __future__ import annotations

from typing import Any

from runwright.drift import AgentSpec, AgentTool
from runwright.spec.adapter import Adapter
from runwright.spec.awaiting import awaited

SAMPLING = ("temperature", "top_p", "presence_penalty", "frequency_penalty", "seed")


def spec_of_agent(agent: Any) -> AgentSpec:
    """The agent's system message, the tools of its workbenches, its handoffs, its model and sampling settings."""
    given = getattr(agent._model_client, "_create_args", {})
    said = [message.content for message in agent._system_messages]
    return AgentSpec(
        system_prompt="\n".join(said),
        tools=(*awaited(_tools(agent._workbench)), *(tool_of(each.handoff_tool) for each in agent._handoffs.values())),
        model=given.get("model"),
        parameters={name: given.get(name) for name in SAMPLING},
    )


def tool_of(tool: Any) -> AgentTool:
    """A tool of AutoGen's."""
    return _declared(tool.schema)


async def _tools(workbenches: Any) -> list[AgentTool]:
    return [_declared(each) for workbench in workbenches for each in await workbench.list_tools()]


def _declared(schema: Any) -> AgentTool:
    return AgentTool(name=schema["name"], description=schema.get("description"), parameters=schema.get("parameters"))


AUTOGEN = Adapter(
    name="AutoGen",
    tried_with="autogen-agentchat 0.7",
    proof="on request",
    gives="system message, tools of its workbenches, handoffs, model, sampling settings",
    leaves="memory, which is added to a run's messages",
    agents={"autogen_agentchat.AssistantAgent": spec_of_agent},
    tools={"autogen_core.BaseTool": tool_of},
)
