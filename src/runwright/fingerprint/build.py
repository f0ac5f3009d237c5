"""From a trace to its fingerprint."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from runwright.fingerprint.history import new_results
from runwright.fingerprint.model import Fingerprint
from runwright.fingerprint.note import Noted
from runwright.fingerprint.summary import summary
from runwright.fingerprint.taking import take, take_header
from runwright.trace.model import HttpRecord, ModelRecord, Record, SideEffectRecord, Trace, lane_of
from runwright.trace.uncollected import uncollected

if TYPE_CHECKING:
    from runwright.fingerprint.taking import Line


def fingerprint(trace: Trace) -> Fingerprint:
    """What the run did: equal for runs that differ in ids, times, ephemeral ports, line order, the order of parallel
    calls or the format they came in; another for any other tool, argument shape, endpoint, model, effect, causal order,
    outcome or number of calls up to two."""
    with uncollected():
        return msgspec.convert(summary(noted(trace)), Fingerprint)


def noted(trace: Trace) -> Noted:
    """The notes of a trace in memory."""
    found = Noted()
    found.complete = trace.complete
    take_header(found, msgspec.to_builtins(trace.header))
    results = new_results(trace.records)
    for record in trace.records:
        take(found, _line(record), results.get(record.id, ()))
    return found


def _line(record: Record) -> Line:
    """A record much as its line says it, as far down as notes are taken."""
    line: Line = {"lane": lane_of(record), **msgspec.structs.asdict(record)}
    if isinstance(record, ModelRecord):
        line["request"] = {"model": record.request.model}
        line["error"] = record.error and msgspec.structs.asdict(record.error)
        if record.response is not None:
            content = [
                {"type": str(type(block).__struct_config__.tag), **msgspec.structs.asdict(block)}
                for block in record.response.content
            ]
            line["response"] = {"content": content, "stop_reason": record.response.stop_reason}
    elif isinstance(record, HttpRecord):
        line["request"] = msgspec.structs.asdict(record.request)
    elif isinstance(record, SideEffectRecord):
        line["side_effect"] = msgspec.structs.asdict(record.side_effect)
    return line
