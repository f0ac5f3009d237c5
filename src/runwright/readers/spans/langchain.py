"""What LangChain and LangGraph put around their calls, whichever instrumentation drew the spans."""

from __future__ import annotations

import ast
import re

from runwright.readers.exact import NotJson
from runwright.readers.lenient import a_text, an_object
from runwright.readers.reading import Reading
from runwright.readers.spans.printed import printed_object
from runwright.readers.spans.ran import tool_message
from runwright.readers.spans.span import Span, once
from runwright.trace.model import JSON, TextBlock, ToolResultBlock

PROPERTIES = "traceloop.association.properties."
LOOP = frozenset({"agent", "model", "call_model", "tools", "LangGraph"})
"""Nodes of the loop that LangChain builds: parts of an agent, and no agents by name."""

PRINTED = re.compile(r"""content=('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*") .*?tool_call_id='([^']*)'""", re.DOTALL)
"""A tool message as Python prints it."""


@once
def node_of(span: Span) -> str:
    """The node of a graph that the span ran in: of nested graphs the innermost that has a name of its own."""
    told = {key: span.text(f"{PROPERTIES}{key}") for key in ("langgraph_checkpoint_ns", "langgraph_node")}
    if not any(told.values()):
        told = _metadata(span)
    path = [each.split(":", 1)[0] for each in told.get("langgraph_checkpoint_ns", "").split("|")]
    nodes = [each for each in (*path, told.get("langgraph_node", "")) if each]
    return next((each for each in reversed(nodes) if each not in LOOP), "")


@once
def in_graph(span: Span) -> bool:
    """Whether the span ran in a node of a graph."""
    return bool(span.text(f"{PROPERTIES}langgraph_node") or _metadata(span).get("langgraph_node"))


def _metadata(span: Span) -> dict[str, str]:
    text = span.text("metadata")
    if '"langgraph_' not in text:
        return {}
    try:
        fields = an_object(Reading().json(text, ""))
    except NotJson:
        return {}
    return {key: a_text(fields.get(key)) for key in ("langgraph_checkpoint_ns", "langgraph_node")}


def tool_input(value: JSON) -> tuple[JSON, str]:
    """The arguments in what a callback was told of a tool's run, and the call's id; any other value as it is."""
    if not isinstance(value, dict) or "input_str" not in value:
        return value, ""
    identity = a_text(an_object(value.get("kwargs")).get("tool_call_id"))
    inputs = value.get("inputs")
    if isinstance(inputs, dict):
        return inputs, identity
    printed = a_text(value["input_str"])
    return printed_object(printed) or printed, identity


def tool_output(value: JSON) -> ToolResultBlock | None:
    """The tool message that an output holds, as its JSON or as it prints; None for any other output."""
    found = tool_message(value)
    if found is None and isinstance(value, str) and "content=" in value and (told := PRINTED.search(value)):
        try:
            content = ast.literal_eval(told.group(1))
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return None
        return ToolResultBlock(call_id=told.group(2), content=(TextBlock(text=str(content)),))
    return found
