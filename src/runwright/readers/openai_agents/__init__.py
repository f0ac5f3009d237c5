"""The OpenAI Agents SDK: traces with their spans, and saved states of runs."""

from runwright.readers.openai_agents.read import names_told, read_openai_agents, sniff_openai_agents
from runwright.readers.reader import Reader

OPENAI_AGENTS = Reader(
    name="openai_agents",
    sniff=sniff_openai_agents,
    read=read_openai_agents,
    recognised='JSON or JSON Lines of `"object": "trace"` and `"trace.span"`; states with `$schemaVersion` and '
    "`current_agent`",
    kept="generations as model exchanges, functions with the server of those over MCP, handoffs, agents and nesting, "
    "errors, usage, times; of a state its responses and the results of its calls",
    lost="prompt and answer of the Responses model, which exports its id and usage alone; tool schemas; guardrails; "
    "speech; of a state the instructions, model and times",
    told=names_told,
    versions="SDK 0.24; states 1.0-1.21",
)

__all__ = ["OPENAI_AGENTS", "read_openai_agents", "sniff_openai_agents"]
