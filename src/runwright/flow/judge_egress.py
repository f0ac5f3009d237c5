"""Assertions on the network; nothing is certified that nobody held."""

from __future__ import annotations

from runwright.flow.evidence import Evidence
from runwright.flow.judge_effects import SHOWN, behind_a_fault, hidden
from runwright.flow.state import Found, failed, held


def judge_no_egress(evidence: Evidence) -> Found:
    """The network was held, and nothing was refused."""
    surroundings = evidence.surroundings
    if surroundings.blocked:
        return failed(f"tried to reach {', '.join(surroundings.blocked[:SHOWN])}")
    if surroundings.egress != "enforced":
        return Found(state="capability", detail="the agent's network was not held, so nothing certifies it")
    return behind_a_fault("http_request") if hidden(evidence, "http_request") else held()
