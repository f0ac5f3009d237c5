"""Traces in files against an agent that is asked, or against traces in other files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from runwright.drift import Comparison, SetDrift, agent_drift, set_drift
from runwright.spec import ask
from runwright.survey.traces import Surveyed, survey


@dataclass(frozen=True)
class AgentSurvey:
    """What was surveyed, and how each of its traces compares with the agent."""

    surveyed: Surveyed
    judged: tuple[tuple[str, Comparison], ...]


@dataclass(frozen=True)
class SetSurvey:
    """Two sets of traces, and how they compare."""

    baseline: Surveyed
    current: Surveyed
    drift: SetDrift


def drift_from_agent(
    paths: Sequence[Path], agent: str, now: datetime, *, ignore_whitespace: bool = False, timeout: float
) -> AgentSurvey:
    """Every trace of the paths against the agent `module:attribute` as it is at `now`.

    AgentSpecError where the agent does not say what it is built from, UsageError for a path that is not there.
    """
    surveyed = survey(paths)
    spec = ask(agent, timeout=timeout)
    judged = (
        (name, agent_drift(trace, spec, now, ignore_whitespace=ignore_whitespace)) for name, trace in surveyed.traces
    )
    return AgentSurvey(surveyed, tuple(judged))


def drift_of_sets(
    baseline: Path, current: Path, *, ignore_whitespace: bool = False, behaviours_only: bool = False
) -> SetSurvey:
    """The traces of one path, folder or pattern against those of another."""
    one, other = survey([baseline]), survey([current])
    found = set_drift(one.traces, other.traces, ignore_whitespace=ignore_whitespace, behaviours_only=behaviours_only)
    return SetSurvey(one, other, found)
