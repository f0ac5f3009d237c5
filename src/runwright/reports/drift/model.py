"""What `runwright drift` says, as values (schema/drift-report-v1.schema.json)."""

from __future__ import annotations

from typing import Literal

import msgspec

from runwright.drift import Verdict
from runwright.reports.model import Part, Problem
from runwright.trace.model import JSON

State = Literal["same", "new", "gone", "not_judged"]


class DriftField(Part, frozen=True, kw_only=True):
    """A field that differs; a side without it is UNSET. `digest_only` where a side has but a digest of its value."""

    path: str
    recorded: JSON | msgspec.UnsetType = msgspec.UNSET
    current: JSON | msgspec.UnsetType = msgspec.UNSET
    tool: str | None = None
    digest_only: bool = False
    cut: bool = False


class TraceDrift(Part, frozen=True, omit_defaults=False, kw_only=True):
    trace: str
    verdict: Verdict
    reason: str
    differences: tuple[DriftField, ...]
    compared: tuple[str, ...]
    not_compared: tuple[str, ...]
    notes: tuple[str, ...]


class AgentDriftReport(Part, frozen=True, omit_defaults=False, kw_only=True):
    """Traces against an agent as it is now."""

    format: Literal["runwright.drift-report"] = "runwright.drift-report"
    version: Literal[1] = 1
    mode: Literal["agent"] = "agent"
    verdict: Verdict
    exit: int
    agent: str
    traces: tuple[TraceDrift, ...]
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]


class BehaviourDrift(Part, frozen=True, omit_defaults=False, kw_only=True):
    """What traces did, or were built from, with the nearest of the other side where they share none.

    `not_compared` are the facts that were not compared with these, or with any where nothing could be.
    """

    state: State
    baseline: tuple[str, ...]
    current: tuple[str, ...]
    nearest: tuple[str, ...]
    differences: tuple[DriftField, ...]
    not_compared: tuple[str, ...]


class SetDriftReport(Part, frozen=True, omit_defaults=False, kw_only=True):
    """Two sets of traces."""

    format: Literal["runwright.drift-report"] = "runwright.drift-report"
    version: Literal[1] = 1
    mode: Literal["sets"] = "sets"
    verdict: Verdict
    exit: int
    baseline: str
    baseline_traces: int
    current: str
    current_traces: int
    behaviours: tuple[BehaviourDrift, ...]
    specifications: tuple[BehaviourDrift, ...]
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]
