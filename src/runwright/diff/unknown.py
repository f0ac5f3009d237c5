"""Fields that a side does not know: they are counted, and never called changed."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from runwright.diff.model import FieldDifference, Side, Unknown
from runwright.trace.model import Record, SideEffectRecord, Trace, lane_of
from runwright.trace.paths import covers

PARAMETERS = "$.request.parameters.*"
"""Stands for every parameter that the record does not list."""


class Ledger:
    """Counts the fields that were never compared."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str, Side], int] = {}
        self._first: dict[tuple[str, str, Side], tuple[str | None, str | None]] = {}

    def known(self, left: Record, right: Record, found: Sequence[FieldDifference]) -> tuple[FieldDifference, ...]:
        """The differences that both sides know; what one of them does not know is noted, whether it differs or not."""
        mine, yours = _unknown(left), _unknown(right)
        if not found and not mine and not yours:
            return ()
        for path in dict.fromkeys((*mine, *yours)):
            self.note(
                left, right, path, "both" if path in mine and path in yours else "left" if path in mine else "right"
            )
        kept = []
        for field in found:
            made = _covering(_made(left), field.path, field.before), _covering(_made(right), _right(field), field.after)
            if _covering(mine, field.path, field.before) or _covering(yours, _right(field), field.after):
                continue
            if made[0] or made[1]:
                self.note(
                    left, right, made[0] or made[1] or "", "both" if all(made) else "left" if made[0] else "right"
                )
                continue
            kept.append(field)
        return tuple(kept)

    def note(self, left: Record | None, right: Record | None, path: str, side: Side) -> None:
        """One more field that was not compared."""
        record = left or right
        key = (lane_of(record) if record is not None else "", path, side)
        self._counts[key] = self._counts.get(key, 0) + 1
        self._first.setdefault(key, (left.id if left else None, right.id if right else None))

    def entries(self) -> tuple[Unknown, ...]:
        """What was noted, by lane, path and side."""
        ordered = sorted(self._counts)
        return tuple(
            Unknown(lane, path, side, self._counts[lane, path, side], *self._first[lane, path, side])
            for lane, path, side in ordered
        )


def is_unobserved(record: Record, other: Trace) -> bool:
    """Whether the other trace says that it did not watch for effects of this kind."""
    if not isinstance(record, SideEffectRecord):
        return False
    return other.header.observation.get(record.side_effect.kind) == "not_observed"


def _unknown(record: Record) -> tuple[str, ...]:
    found: tuple[str, ...] = getattr(record, "unknown", ())
    return found


def _made(record: Record) -> tuple[str, ...]:
    """Fields that were not captured but follow from what was."""
    found: tuple[str, ...] = getattr(record, "reconstructed", ())
    return found


def _right(field: FieldDifference) -> str:
    return field.right_path if field.right_path is not None else field.path


def _covering(patterns: Sequence[str], path: str, value: object) -> str | None:
    """The pattern that says the side does not know the field, if there is one."""
    for pattern in patterns:
        if covers(pattern, path) and (pattern != PARAMETERS or value is UNSET):
            return pattern
    return None
