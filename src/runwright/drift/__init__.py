"""Whether an agent is still what a recording was made of, and whether two sets of recordings show the same."""

from runwright.drift.agent_spec import AgentSpec, AgentTool
from runwright.drift.compare import Comparison, Difference, Verdict
from runwright.drift.judge import agent_drift
from runwright.drift.sets import Member, SetDrift, set_drift
from runwright.drift.stated import distinct, specification_of

__all__ = [
    "AgentSpec",
    "AgentTool",
    "Comparison",
    "Difference",
    "Member",
    "SetDrift",
    "Verdict",
    "agent_drift",
    "distinct",
    "set_drift",
    "specification_of",
]
