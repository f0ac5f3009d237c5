"""The state of the controls that a run's report shows: a pure function of reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runwright.errors import Exit
from runwright.reports.audit_model import AuditReport, ControlAudit, Evidence, Loss, Since
from runwright.reports.model import FlowReport, Problem, RunReport
from runwright.reports.since import since_of
from runwright.reports.verdict import file_of, verdict_of
from runwright.run.controls import shared_controls, shared_fault

UNKNOWN_CONTROL = "the flow could not be read, so nobody knows which control it guards"


def audit_of(report: RunReport, earlier: RunReport | None = None) -> AuditReport:
    """The controls of a report, and with an earlier report what was lost since.

    Exit 2 where something could not be judged, 1 where a control fails or something was lost, else 0. What could not be
    judged now and was judged then is a loss, and so is a control that is gone: there 1 is the answer.
    """
    controls = tuple(_control(flow) for flow in report.flows if flow.control)
    since = since_of(earlier, report) if earlier else None
    problems = tuple(_problems(report, controls, earlier, since.lost if since else ()))
    return AuditReport(
        exit=int(_exit(report, controls, problems, since)),
        controls=controls,
        without_control=sum(flow.control is None for flow in report.flows),
        problems=problems,
        since=since,
        run=report,
    )


def _control(flow: FlowReport) -> ControlAudit:
    control = flow.control
    if control is None:
        raise ValueError(f"{flow.path} names no control")
    return ControlAudit(
        id=control.id,
        title=control.title,
        verdict=verdict_of(flow),
        flow=file_of(flow),
        reason=flow.summary,
        evidence=_evidence(flow),
    )


def _evidence(flow: FlowReport) -> Evidence:
    judged = {
        state: [each.assertion for each in flow.judgements if each.state == state] for state in ("held", "failed")
    }
    known = [each.assertion for each in flow.judgements]
    never = [each for each in flow.assertions or () if each not in known]
    open_ = [each.assertion for each in flow.judgements if each.state not in judged]
    return Evidence(
        cassette=flow.cassette.digest if flow.cassette else None,
        matched=len(flow.matched),
        held=len(judged["held"]),
        failed=tuple(judged["failed"]),
        not_judged=tuple(dict.fromkeys([*open_, *never, *flow.not_judged])),
        never_compared=flow.never_compared,
    )


def _problems(
    report: RunReport, controls: Sequence[ControlAudit], earlier: RunReport | None, lost: Sequence[Loss]
) -> Iterator[Problem]:
    """What keeps the controls from being judged, as far as the comparison does not already answer for it."""
    if not report.flows and earlier is not None and earlier.flows:
        return  # every flow of the earlier report vanished, and the comparison says so
    yield from report.problems
    said = {problem.message for problem in report.problems}
    yield from (problem for problem in _shared(controls) if problem.message not in said)
    answered = {
        loss.flow for loss in lost if loss.kind in ("control_not_judged", "flow_not_judged", "control_vanished")
    }
    for flow in report.flows:
        if flow.assertions is None and flow.control is None and file_of(flow) not in answered:
            yield Problem(message=UNKNOWN_CONTROL, place=file_of(flow), hint=flow.summary)
    for control in controls:
        if control.verdict == "not_judged" and control.flow not in answered:
            yield Problem(message=f"control {control.id} could not be judged", place=control.flow, hint=control.reason)
    if not controls and not any(loss.control for loss in lost):
        hint = "give a flow a control: {id: ..., title: ...}"
        yield Problem(message="no flow names a control: nothing was audited", hint=hint)


def _shared(controls: Sequence[ControlAudit]) -> Iterator[Problem]:
    for id, files in shared_controls((control.id, control.flow) for control in controls).items():
        yield Problem(message=shared_fault(id, len(files)), place=", ".join(files), hint="rename one")


def _exit(
    report: RunReport, controls: Sequence[ControlAudit], problems: Sequence[Problem], since: Since | None
) -> Exit:
    if report.interrupted:
        return Exit.INTERRUPTED
    if problems:
        return Exit.NOT_JUDGED
    lost = since is not None and since.lost
    return Exit.FAILED if lost or any(each.verdict == "fails" for each in controls) else Exit.OK
