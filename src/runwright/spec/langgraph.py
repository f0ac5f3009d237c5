"""Compiled graphs of LangGraph and LangChain's agents, and tools of LangChain."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from runwright.drift import AgentSpec, AgentTool
from runwright.spec.adapter import Adapter

_MODEL_NAMES = ("model_name", "model", "model_id")


def spec_of_graph(graph: Any) -> AgentSpec:
    """The tools of the graph's tool nodes; where its model node shows them, also the prompt and the model."""
    tools = [tool for node in _bound(graph) for tool in getattr(node, "tools_by_name", {}).values()]
    seen: dict[str, Any] = {name: value for node in _bound(graph) for name, value in _enclosed(node).items()}
    prompt: Any = seen.get("system_message")
    model: Any = seen.get("model")
    return AgentSpec(
        system_prompt=None if prompt is None else str(prompt.text),
        tools=tuple({tool.name: tool_of(tool) for tool in tools}.values()),
        model=_name(model),
        parameters={"temperature": model.temperature} if hasattr(model, "temperature") else None,
    )


def tool_of(tool: Any) -> AgentTool:
    """A tool as LangChain tells it to a model."""
    from langchain_core.utils.function_calling import convert_to_openai_tool

    told = convert_to_openai_tool(tool)["function"]
    return AgentTool(name=told["name"], description=told.get("description"), parameters=told.get("parameters"))


def _bound(graph: Any) -> Iterator[Any]:
    for node in graph.nodes.values():
        yield getattr(node, "bound", node)


def _enclosed(node: Any) -> dict[str, Any]:
    """What the function of a node has from where it was made."""
    function = getattr(node, "func", None)
    return dict(inspect.getclosurevars(function).nonlocals) if inspect.isfunction(function) else {}


def _name(model: Any) -> str | None:
    found = (getattr(model, name, None) for name in _MODEL_NAMES)
    return next((each for each in found if isinstance(each, str)), None)


LANGGRAPH = Adapter(
    name="LangGraph and LangChain",
    tried_with="langgraph 1.2, langchain 1.5",
    proof="on request",
    gives="tools of every tool node; of `langchain.agents.create_agent` also the prompt, the model and its temperature",
    leaves="prompts and models of other graphs, which only their nodes know: give them in a mapping beside the tools",
    agents={"langgraph.CompiledStateGraph": spec_of_graph},
    tools={"langchain_core.BaseTool": tool_of},
)
