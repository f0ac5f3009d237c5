"""Keeping the live side of a run, redacted, for a person to look at."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from runwright.convert.options import FLOW, NEW
from runwright.errors import UsageError
from runwright.run.discover import repository_root
from runwright.secrets import gate_trace, load_allowlist
from runwright.trace import dumps_trace
from runwright.trace.model import Trace

FOLDER = Path(".runwright") / "runs"


def keep_trace(live: Trace, flow: Path, known: Iterable[str] = ()) -> Path:
    """Write the trace under `.runwright/runs/` of the flow's repository, its secrets as tokens; where it is now.

    UsageError where it cannot be written.
    """
    root = repository_root(flow)
    stamp = "".join(mark for mark in (live.header.started_at or "") if mark.isalnum())
    name = flow.name.removesuffix(NEW).removesuffix(FLOW)
    path = root / FOLDER / f"{stamp}-{name}-{live.header.trace_id[:8]}.trace.jsonl"
    clean = gate_trace(live, redact=True, allow=load_allowlist(root), name=path.name, known=known)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(dumps_trace(clean))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"the live trace cannot be kept: {reason}", place=str(path)) from error
    return path
