"""What a comparison of two traces says, as values: the model of every form (schema/diff-v1.schema.json)."""

from __future__ import annotations

from typing import Literal

import msgspec

from runwright.diff import Coarse, Kind, Side
from runwright.reports.model import Part
from runwright.trace.model import JSON
from runwright.trace.outcome import OutcomeClass

DiffWord = Literal["SAME", "MISMATCH", "UNVERIFIED"]
Section = Literal["run", "effects", "policies"]
SECTIONS: dict[Section, str] = {"run": "", "effects": "effects", "policies": "policies"}
"""The sections of a report, and their titles: what was said and called, what it did to the world, what was decided."""


class TraceReport(Part, frozen=True, omit_defaults=False, kw_only=True):
    name: str
    trace_id: str
    complete: bool
    records: int


class FieldReport(Part, frozen=True, kw_only=True):
    """A field that differs; a side without the field is UNSET. `cut` where a value is longer than what is shown."""

    path: str
    before: JSON | msgspec.UnsetType = msgspec.UNSET
    after: JSON | msgspec.UnsetType = msgspec.UNSET
    right_path: str | None = None
    cut: bool = False


class RecordReport(Part, frozen=True, kw_only=True):
    id: str
    summary: str


class ChangeReport(Part, frozen=True, omit_defaults=False, kw_only=True):
    kind: Kind
    section: Section
    lane: str
    left: RecordReport | msgspec.UnsetType = msgspec.UNSET
    right: RecordReport | msgspec.UnsetType = msgspec.UNSET
    fields: tuple[FieldReport, ...] = ()
    carried: int = 0


class UnknownReport(Part, frozen=True, kw_only=True):
    lane: str
    path: str
    side: Side
    count: int
    left: str | None = None
    right: str | None = None


class Counts(Part, frozen=True, omit_defaults=False, kw_only=True):
    same: int
    not_compared: int
    carried: int
    inserted: int
    deleted: int
    changed: int
    moved: int
    header: int
    unknown: int


class OutcomeReport(Part, frozen=True, omit_defaults=False, kw_only=True):
    """How each of the two runs ended."""

    before: OutcomeClass
    after: OutcomeClass


class DiffReport(Part, frozen=True, omit_defaults=False, kw_only=True):
    format: Literal["runwright.diff"] = "runwright.diff"
    version: Literal[1] = 1
    word: DiffWord
    exit: int
    reasons: tuple[str, ...]
    left: TraceReport
    right: TraceReport
    counts: Counts
    outcome: OutcomeReport
    coarse: tuple[Coarse, ...]
    header: tuple[FieldReport, ...]
    changes: tuple[ChangeReport, ...]
    unknown: tuple[UnknownReport, ...]
