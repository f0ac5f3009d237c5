"""What an agent says that it is built from: asked of Python objects, and of `module:attribute` names."""

from runwright.drift import AgentSpec, AgentTool
from runwright.spec.adapter import Adapter
from runwright.spec.asked import ask
from runwright.spec.code import code_digest
from runwright.spec.given import spec_of
from runwright.spec.table import ADAPTERS

__all__ = ["ADAPTERS", "Adapter", "AgentSpec", "AgentTool", "ask", "code_digest", "spec_of"]
