"""What an export wrote, and what it lost."""

from __future__ import annotations

from collections.abc import Iterator

from runwright.trace import JSON, Trace, plain
from runwright.writers import WRITERS, Written, in_short


def export_notes(trace: Trace, written: Written) -> Iterator[str]:
    """A line that counts the records, and one a loss."""
    kept = _kept(trace, written)
    yield f"{kept} of {len(trace.records)} records written"
    for loss in in_short(written.losses):
        more = f", and {loss.count - 1} more" if loss.count > 1 else ""
        yield f"  {loss.kind}: {loss.detail} ({loss.where}{more})"


def export_json(trace: Trace, form: str, file: str, written: Written) -> JSON:
    """The same for programs."""
    return {
        "trace_id": trace.header.trace_id,
        "format": form,
        "file": file,
        "records": len(trace.records),
        "written": _kept(trace, written),
        "losses": [{"count": 1, **plain(loss)} for loss in in_short(written.losses)],
    }


def forms_markdown() -> str:
    """The table of forms, one row each."""
    rows = (
        f"| `{each.name}` | `{each.suffix}` | {each.used} | {each.kept} | {each.lost} |" for each in WRITERS.values()
    )
    return "\n".join(["| form | file | for | kept | lost |", "|---|---|---|---|---|", *rows])


def _kept(trace: Trace, written: Written) -> int:
    """The records that are not left out as a whole."""
    left_out = {loss.where for loss in written.losses}
    return sum(record.id not in left_out for record in trace.records)
