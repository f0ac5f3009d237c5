"""The formats that can be read, in one table."""

from __future__ import annotations

from runwright.readers.atif import ATIF
from runwright.readers.chat_list import CHAT_LIST
from runwright.readers.claude_code import CLAUDE_CODE
from runwright.readers.codex import CODEX
from runwright.readers.fixtura import FIXTURA
from runwright.readers.flowproof import FLOWPROOF
from runwright.readers.gemini_cli import GEMINI_CLI
from runwright.readers.har import HAR
from runwright.readers.inspect_ai import INSPECT_AI
from runwright.readers.langfuse import LANGFUSE
from runwright.readers.langsmith import LANGSMITH
from runwright.readers.litellm import LITELLM
from runwright.readers.mcp_log import MCP_LOG
from runwright.readers.mitmproxy import MITMPROXY
from runwright.readers.mlflow import MLFLOW
from runwright.readers.model_log import MODEL_LOG
from runwright.readers.native import NATIVE
from runwright.readers.openai_agents import OPENAI_AGENTS
from runwright.readers.openhands import OPENHANDS
from runwright.readers.otlp import OTLP
from runwright.readers.phoenix import PHOENIX
from runwright.readers.reader import Reader
from runwright.readers.swe_agent import SWE_AGENT
from runwright.readers.vcr import VCR

READERS: dict[str, Reader] = {
    "runwright": NATIVE,
    "otlp": OTLP,
    "model_log": MODEL_LOG,
    "flowproof": FLOWPROOF,
    "vcr": VCR,
    "har": HAR,
    "mitmproxy": MITMPROXY,
    "atif": ATIF,
    "chat_list": CHAT_LIST,
    "openhands": OPENHANDS,
    "swe_agent": SWE_AGENT,
    "inspect_ai": INSPECT_AI,
    "mcp_log": MCP_LOG,
    "fixtura": FIXTURA,
    "langfuse": LANGFUSE,
    "phoenix": PHOENIX,
    "claude_code": CLAUDE_CODE,
    "codex": CODEX,
    "gemini_cli": GEMINI_CLI,
    "langsmith": LANGSMITH,
    "openai_agents": OPENAI_AGENTS,
    "mlflow": MLFLOW,
    "litellm": LITELLM,
}
