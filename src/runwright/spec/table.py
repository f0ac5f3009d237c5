"""The libraries whose objects are understood."""

from __future__ import annotations

from runwright.spec.adapter import Adapter
from runwright.spec.autogen import AUTOGEN
from runwright.spec.crewai import CREWAI
from runwright.spec.functions import FUNCTIONS
from runwright.spec.langgraph import LANGGRAPH
from runwright.spec.mcp_server import MCP
from runwright.spec.openai_agents import OPENAI_AGENTS
from runwright.spec.pydantic_ai import PYDANTIC_AI
from runwright.spec.pydantic_models import PYDANTIC
from runwright.spec.wire import WIRE

ADAPTERS: tuple[Adapter, ...] = (
    WIRE,
    FUNCTIONS,
    PYDANTIC,
    MCP,
    OPENAI_AGENTS,
    LANGGRAPH,
    PYDANTIC_AI,
    CREWAI,
    AUTOGEN,
)
