"""Compiled graphs of LangGraph and LangChain's agents, and tools of LangChain."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from runwright.drift import AgentSpec, AgentTool
from runwright.spec.adapter import Adapter
from runwright.spec.plain import an_object
from runwright.spec.wire import tool_of_wire

_MODEL_NAMES = ("model_name", "model", "model_id")


def spec_of_graph(graph: Any) -> AgentSpec:
    """The tools of the graph's tool nodes; where the model node of `create_agent` shows them, also those that its
    provider runs, the prompt and the model."""
    seen: dict[str, Any] = {name: value for node in _bound(graph) for name, value in _enclosed(node).items()}
    model: Any = seen.get("model")
    return AgentSpec(
        system_prompt=_prompt(seen),
        tools=_tools(graph, seen),
        model=_name(model),
        parameters={"temperature": model.temperature} if hasattr(model, "temperature") else None,
    )


def _prompt(seen: Mapping[str, Any]) -> str | None:
    """The prompt; None where the model node does not show it, or where middleware may send another one."""
    if "system_message" not in seen or seen.get("wrap_model_call_handler") is not None:
        return None
    return "" if seen["system_message"] is None else str(seen["system_message"].text)


def _tools(graph: Any, seen: Mapping[str, Any]) -> tuple[AgentTool, ...] | None:
    """The tools; None of a graph without a tool node, whose other nodes may have any, and where the form of the answer
    may be a tool."""
    nodes = [node.tools_by_name for node in _bound(graph) if hasattr(node, "tools_by_name")]
    answer = seen.get("initial_response_format")
    if (not nodes and "default_tools" not in seen) or type(answer).__name__ not in ("NoneType", "ProviderStrategy"):
        return None
    tools = [tool for node in nodes for tool in node.values()]
    hosted = [each for each in seen.get("default_tools", ()) if isinstance(each, dict)]
    return (*{tool.name: tool_of(tool) for tool in tools}.values(), *map(_hosted, hosted))


def _hosted(tool: dict[str, Any]) -> AgentTool:
    """A tool that the provider runs, or one that is given as it is sent."""
    if "function" in tool or "input_schema" in tool:
        return tool_of_wire(an_object(tool, "a tool"), "a tool")
    return AgentTool(name=str(tool.get("name") or tool.get("type")))


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
    leaves="prompts and models of other graphs, which only their nodes know: give them in a mapping beside the tools; "
    "prompts that middleware may change; tools of graphs without a tool node, or where the answer's form may be one",
    agents={"langgraph.CompiledStateGraph": spec_of_graph},
    tools={"langchain_core.BaseTool": tool_of},
)
