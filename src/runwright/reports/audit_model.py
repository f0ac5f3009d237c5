"""What an audit may say, as values (schema/audit-report-v1.schema.json)."""

from __future__ import annotations

from typing import Literal

from runwright.reports.model import Part, Problem, RunReport

Verdict = Literal["holds", "fails", "not_judged"]
VERDICTS: tuple[Verdict, ...] = ("holds", "fails", "not_judged")

LossKind = Literal[
    "control_vanished",
    "control_not_judged",
    "flow_vanished",
    "flow_not_judged",
    "verdict_worse",
    "assertion_vanished",
    "assertion_not_judged",
]


class Evidence(Part, frozen=True, omit_defaults=False, kw_only=True):
    """What a verdict rests on, and what it does not."""

    cassette: str | None
    matched: int
    held: int
    failed: tuple[str, ...]
    not_judged: tuple[str, ...]
    never_compared: tuple[str, ...]


class ControlAudit(Part, frozen=True, omit_defaults=False, kw_only=True):
    """One control: `flow` is the file that checks it, `reason` the verdict line of that flow."""

    id: str
    title: str
    verdict: Verdict
    flow: str
    reason: str
    evidence: Evidence


class Loss(Part, frozen=True, kw_only=True):
    """Something that the earlier report checked and this one does not, or that got worse."""

    kind: LossKind
    flow: str
    detail: str
    control: str = ""


class Since(Part, frozen=True, omit_defaults=False, kw_only=True):
    """The comparison with an earlier report: what was lost, and what else is no longer as it was."""

    started_at: str
    lost: tuple[Loss, ...]
    changed: tuple[str, ...]


class AuditReport(Part, frozen=True, omit_defaults=False, kw_only=True):
    """The state of the controls in one run, with the run itself, so that a later audit can be compared with it."""

    format: Literal["runwright.audit-report"] = "runwright.audit-report"
    version: Literal[1] = 1
    exit: int
    controls: tuple[ControlAudit, ...]
    without_control: int
    problems: tuple[Problem, ...]
    since: Since | None
    run: RunReport
