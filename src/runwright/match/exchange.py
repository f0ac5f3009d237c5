"""A recorded exchange as matching sees it, and whether it can be served at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runwright.errors import TraceError
from runwright.match.part import Prepared
from runwright.match.scope import Scope, touches
from runwright.trace import parse_path
from runwright.trace.model import ModelRecord

_ANSWER = ("response", "content")


@dataclass(frozen=True, slots=True)
class Exchange:
    """A recorded exchange ready to be compared and served."""

    record: ModelRecord
    request: Prepared
    scope: Scope
    before: tuple[str, ...]


def require_servable(records: Sequence[ModelRecord]) -> None:
    """TraceError, naming each, where an exchange has no whole answer to serve."""
    lacking = [f"{record.id}: {why}" for record in records if (why := _lacks(record))]
    if lacking:
        hint = "convert the run again with content capture on; an answer is never made up"
        raise TraceError(f"cannot be served: {'; '.join(lacking)}", hint=hint)


def _lacks(record: ModelRecord) -> str:
    if record.fidelity == "none" or (record.response is None and record.error is None):
        return "its answer was not captured"
    unknown = [tuple(parse_path(path)) for path in record.unknown if path not in record.adopted]
    if record.response is not None and any(touches(each, _ANSWER) for each in unknown):
        return "its answer was captured only in part"
    return ""
