"""Flows: what they say, what a run proves about them, and the verdict."""

from runwright.flow.assertions import (
    Assertion,
    NoEgress,
    NoSecretLeak,
    NoSideEffect,
    NoToolCall,
    OutcomeIs,
    Reply,
    SideEffectMust,
    ToolCall,
)
from runwright.flow.evidence import Call, Effect, Evidence, Said, Sent, Surroundings, evidence_of
from runwright.flow.judge import Judgement, State
from runwright.flow.load import load_flow
from runwright.flow.spec import AgentSpec, Control, Flow, IgnoreSpec, McpSpec, Replay, Step, ToolStub
from runwright.flow.verdict import (
    AgentEnd,
    Facts,
    FieldDifference,
    FlowResult,
    MissReport,
    Word,
    decide,
    refused,
    skipped,
)

__all__ = [
    "AgentEnd",
    "AgentSpec",
    "Assertion",
    "Call",
    "Control",
    "Effect",
    "Evidence",
    "Facts",
    "FieldDifference",
    "Flow",
    "FlowResult",
    "IgnoreSpec",
    "Judgement",
    "McpSpec",
    "MissReport",
    "NoEgress",
    "NoSecretLeak",
    "NoSideEffect",
    "NoToolCall",
    "OutcomeIs",
    "Replay",
    "Reply",
    "Said",
    "Sent",
    "SideEffectMust",
    "State",
    "Step",
    "Surroundings",
    "ToolCall",
    "ToolStub",
    "Word",
    "decide",
    "evidence_of",
    "load_flow",
    "refused",
    "skipped",
]
