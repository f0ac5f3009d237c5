"""What `runwright coverage` says, as values (schema/coverage-report-v1.schema.json)."""

from __future__ import annotations

from typing import Literal

from runwright.coverage.registered import Source
from runwright.reports.model import Part, Problem
from runwright.trace.model import JSON

Judged = Literal["PASS", "FAIL", "UNVERIFIED"]


class Limits(Part, frozen=True, kw_only=True):
    """The percentages below which the command fails; None for none."""

    tools: float | None = None
    boundary: float | None = None


class Figure(Part, frozen=True, omit_defaults=False, kw_only=True):
    """A share of the registered tools. `percent` is rounded down to a tenth, None of no tools."""

    covered: int
    of: int
    percent: float | None
    required: float | None
    met: bool


class ValuesReport(Part, frozen=True, omit_defaults=False, kw_only=True):
    field: str
    values: tuple[JSON, ...]


class ToolReport(Part, frozen=True, omit_defaults=False, kw_only=True):
    name: str
    registered: bool
    calls: int
    asked: int
    outcomes: dict[str, int]
    untold: int
    fields: int
    never_given: tuple[str, ...]
    never_values: tuple[ValuesReport, ...]
    undeclared: tuple[str, ...]
    effects: dict[str, int]


class PairReport(Part, frozen=True, omit_defaults=False, kw_only=True):
    before: str
    after: str
    count: int


class ControlReport(Part, frozen=True, omit_defaults=False, kw_only=True):
    id: str
    title: str
    flows: tuple[str, ...]
    decided: dict[str, int]


class CoverageReport(Part, frozen=True, omit_defaults=False, kw_only=True):
    format: Literal["runwright.coverage-report"] = "runwright.coverage-report"
    version: Literal[1] = 1
    verdict: Judged
    exit: int
    registered_by: Source
    agent: str | None
    files: int
    traces: tuple[str, ...]
    tool_coverage: Figure
    boundary_coverage: Figure
    tools: tuple[ToolReport, ...]
    pairs: tuple[PairReport, ...]
    effects: dict[str, int]
    effects_watched: tuple[str, ...]
    controls: tuple[ControlReport, ...]
    flows_without_control: tuple[str, ...]
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]
