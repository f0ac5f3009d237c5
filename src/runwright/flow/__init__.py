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
from runwright.flow.decide import decide, refused, skipped, unjudged
from runwright.flow.difference import FieldDifference
from runwright.flow.evidence import Call, Effect, Evidence, Said, Sent, Surroundings
from runwright.flow.gather import evidence_of
from runwright.flow.judge import Judgement, assertion_texts, judge
from runwright.flow.load import load_flow, missing_of, parse_flow
from runwright.flow.spec import AgentSpec, Control, EffectsSpec, Flow, IgnoreSpec, McpSpec, Replay, Step, ToolStub
from runwright.flow.state import State
from runwright.flow.strict_effects import EffectsCompared, compare_effects
from runwright.flow.verdict import (
    AgentEnd,
    Facts,
    FlowResult,
    MissReport,
    Word,
)
from runwright.flow.wants import wants_effects, wants_network

__all__ = [
    "AgentEnd",
    "AgentSpec",
    "Assertion",
    "Call",
    "Control",
    "Effect",
    "EffectsCompared",
    "EffectsSpec",
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
    "assertion_texts",
    "compare_effects",
    "decide",
    "evidence_of",
    "judge",
    "load_flow",
    "missing_of",
    "parse_flow",
    "refused",
    "skipped",
    "unjudged",
    "wants_effects",
    "wants_network",
]
