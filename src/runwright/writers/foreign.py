"""A trace out, in a form that is named."""

from __future__ import annotations

from runwright.errors import IncompleteTrace, NotConvertible, UnknownFormat
from runwright.secrets.shortened import shortened
from runwright.trace import Trace
from runwright.writers.table import WRITERS
from runwright.writers.writer import Written


def write_foreign(trace: Trace, form: str) -> Written:
    """The trace in this form.

    Raises UnknownFormat for a form that nobody writes, IncompleteTrace for a trace whose seal is missing or wrong, and
    NotConvertible where the form can hold no record of it: an export of nothing is none.
    """
    writer = WRITERS.get(form)
    if writer is None:
        raise UnknownFormat(f"no writer for the format {form!r}", hint=f"known: {', '.join(WRITERS)}")
    if not trace.complete:
        raise IncompleteTrace("its seal is missing or wrong", hint="runwright seal FILE, once its lines are right")
    written = writer.write(trace)
    left_out = {loss.where for loss in written.losses}
    if all(record.id in left_out for record in trace.records):
        why = "; ".join(dict.fromkeys(loss.detail for loss in written.losses if loss.where != "header"))
        raise NotConvertible(f"none of its records has a place in {form}: {shortened(why, 400)}")
    return written
