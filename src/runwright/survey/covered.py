"""What the traces and flows in files have exercised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from runwright.coverage import (
    ControlCoverage,
    Coverage,
    Registered,
    controls_of,
    coverage,
    registered_by,
    registered_in,
)
from runwright.spec import ask
from runwright.survey.traces import Surveyed, survey


@dataclass(frozen=True)
class CoverageSurvey:
    """What was surveyed, which tools count, and what was seen of them and of the controls."""

    surveyed: Surveyed
    registered: Registered
    coverage: Coverage
    controls: tuple[ControlCoverage, ...]


def coverage_of(paths: Sequence[Path], agent: str | None, *, timeout: float) -> CoverageSurvey:
    """The coverage of whatever the paths hold, by the tools of the agent `module:attribute` where one is named.

    AgentSpecError where the agent does not say which tools it has, UsageError for a path that is not there.
    """
    surveyed = survey(paths)
    traces = [trace for _, trace in surveyed.traces]
    registered = registered_in(traces) if agent is None else registered_by(ask(agent, timeout=timeout))
    controls = controls_of(surveyed.flows, traces, registered.policies)
    return CoverageSurvey(surveyed, registered, coverage(traces, registered), controls)
