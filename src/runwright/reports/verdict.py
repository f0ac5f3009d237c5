"""What a flow's report says about the property that the flow guards."""

from __future__ import annotations

from runwright.errors import Exit
from runwright.reports.audit_model import Verdict
from runwright.reports.model import FlowReport


def verdict_of(flow: FlowReport) -> Verdict:
    """Whether what the flow asserts holds: `expect: fail` passes on a failure, and a recording alone proves nothing."""
    failed = any(judged.state == "failed" for judged in flow.judgements)
    if flow.exit == Exit.FAILED or (flow.exit == Exit.OK and failed):
        return "fails"
    return "holds" if flow.exit == Exit.OK and flow.agent is not None else "not_judged"


def file_of(flow: FlowReport) -> str:
    """The flow's file as every checkout has it."""
    return flow.file or flow.path
