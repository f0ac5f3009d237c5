"""What a person should look at before accepting: it may be noise, a guess or a blind spot, and nothing proves which."""

from __future__ import annotations

from collections.abc import Iterator

from runwright.convert.proposal import Suspected
from runwright.trace.model import FaultRecord, ModelRecord, SideEffectRecord, Trace


def suspicions(trace: Trace) -> tuple[Suspected, ...]:
    """Everything in the trace that was kept although, or inferred because, no record is certain; in line order."""
    return tuple(each for record in trace.records for each in _of(trace, record))


def _of(trace: Trace, record: object) -> Iterator[Suspected]:
    if isinstance(record, FaultRecord):
        hides = f"; it may hide {', '.join(record.hides)}" if record.hides else ""
        yield Suspected(record.id, f"{record.kind}: {record.detail}{hides}")
    if isinstance(record, SideEffectRecord) and trace.header.observation.get(record.side_effect.kind) == "inferred":
        cause = record.side_effect.caused_by or "the recording"
        yield Suspected(record.id, f"{record.side_effect.kind} is inferred from {cause}, nobody watched it")
    if isinstance(record, ModelRecord) and record.error is not None:
        yield Suspected(record.id, "failed, and is kept: the agent may have seen the failure")
    if isinstance(record, ModelRecord) and record.reconstructed:
        yield Suspected(record.id, f"reconstructed, not captured: {', '.join(record.reconstructed)}")
