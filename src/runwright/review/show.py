"""What a person reads before deciding: the summary, and both files against the accepted ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from runwright.convert.difference import cassette_difference, flow_difference
from runwright.convert.proposal import Summary, summary_lines
from runwright.review.pending import Pending, State
from runwright.secrets import clean_text
from runwright.trace.model import JSON

SAYS: dict[State, str] = {
    "new": "new",
    "change": "changes accepted files",
    "base_changed": "the accepted files have changed since; convert again",
    "half_accepted": "an acceptance was cut off; accept again to finish it",
    "broken": "cannot be accepted; reject it",
}
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def show(pending: Pending) -> str:
    """The proposal as text: heading, summary and unified differences; safe for a terminal, no secret in it."""
    lines = [heading(pending), *_said(pending), ""]
    return _safe("\n".join(lines) + "\n" + difference(pending))


def heading(pending: Pending) -> str:
    """The proposal's name, flow and state on one line."""
    return _safe(f"{pending.name}  {pending.paths.flow}  ({SAYS[pending.state]})")


def difference(pending: Pending) -> str:
    """Both files against the accepted ones, flow first."""
    paths = pending.paths
    flow, cassette = pending.bytes_at(paths.flow_new), pending.bytes_at(paths.cassette_new)
    parts = (
        "" if flow is None else flow_difference(pending.bytes_at(paths.flow), flow, paths.flow),
        "" if cassette is None else cassette_difference(pending.bytes_at(paths.cassette), cassette, paths.cassette),
    )
    return "".join(parts)


def _said(pending: Pending) -> Iterator[str]:
    if pending.problem is not None:
        yield f"problem: {pending.problem}"
    if pending.file is not None:
        yield from summary_lines(pending.file.summary)


def listing(pendings: Sequence[Pending]) -> str:
    """One line a proposal, or that there is none."""
    return "\n".join(heading(each) for each in pendings) or "nothing is pending"


def as_json(pendings: Sequence[Pending]) -> JSON:
    """What `review --json` prints: every pending proposal with its state, summary and difference."""
    return {"pending": [_entry(each) for each in pendings]}


def _entry(pending: Pending) -> JSON:
    return {
        "name": pending.name,
        "flow": pending.paths.flow,
        "cassette": pending.paths.cassette,
        "state": pending.state,
        "problem": None if pending.problem is None else str(pending.problem),
        "summary": None if pending.file is None else _plain(pending.file.summary),
        "difference": _safe(difference(pending)),
    }


def _plain(summary: Summary) -> JSON:
    value: JSON = msgspec.json.decode(msgspec.json.encode(summary))
    return value


def _safe(text: str) -> str:
    """Text without what would act on a terminal, and without secrets."""
    return clean_text(UNPRINTABLE.sub(lambda found: f"\\x{ord(found[0]):02x}", text))
