"""What two traces differ in, as values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import msgspec

from runwright.diff.coarse import Coarse
from runwright.trace.model import JSON, Record, lane_of

Kind = Literal["inserted", "deleted", "changed", "moved"]
KINDS: tuple[Kind, ...] = ("inserted", "deleted", "changed", "moved")
Side = Literal["left", "right", "both"]
Given: TypeAlias = "JSON | msgspec.UnsetType"
"""A value, or UNSET where a side does not have the field."""

_OTHER: dict[Kind, Kind] = {"inserted": "deleted", "deleted": "inserted", "changed": "changed", "moved": "moved"}
_ACROSS: dict[Side, Side] = {"left": "right", "right": "left", "both": "both"}


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """One field that differs: its JSONPath, and its value on each side.

    `path` counts as the left side does, and as the right side does where only that one has the field; `right_path`
    is given where the right side counts otherwise.
    """

    path: str
    before: Given
    after: Given
    right_path: str | None = None

    def mirrored(self) -> FieldDifference:
        """The same difference with the sides exchanged."""
        path = self.right_path if self.right_path is not None else self.path
        return FieldDifference(path, self.after, self.before, self.path if self.right_path is not None else None)


@dataclass(frozen=True, slots=True)
class Change:
    """A record that one side alone has, that differs, or that comes at another place in the causal order.

    A moved record says the same; its `fields` are the links that changed with its place.
    `carried` counts the later exchanges that repeat the change because their conversation holds it.
    """

    kind: Kind
    left: Record | None
    right: Record | None
    fields: tuple[FieldDifference, ...] = ()
    carried: int = 0

    @property
    def lane(self) -> str:
        """The lane of the record."""
        record = self.left or self.right
        if record is None:
            raise ValueError("a change of no record")
        return lane_of(record)

    def mirrored(self) -> Change:
        """The same change with the sides exchanged."""
        fields = tuple(field.mirrored() for field in self.fields)
        return Change(_OTHER[self.kind], self.right, self.left, fields, self.carried)


@dataclass(frozen=True, slots=True)
class Unknown:
    """A field that a side does not know, so that it was never compared in `count` pairs of records of a lane.

    `left` and `right` name the first of these pairs.

    The lane is `header` for what the headers say.
    """

    lane: str
    path: str
    side: Side
    count: int
    left: str | None
    right: str | None

    def mirrored(self) -> Unknown:
        """The same with the sides exchanged."""
        return replace(self, side=_ACROSS[self.side], left=self.right, right=self.left)


@dataclass(frozen=True, slots=True)
class TraceDiff:
    """What differs between two traces.

    `same` counts the pairs of records that say the same, `not_compared` those that do not differ only because a side
    does not know what they say. `coarse` says what was looked at less than all since the traces are too unlike.
    """

    changes: tuple[Change, ...]
    header: tuple[FieldDifference, ...]
    unknown: tuple[Unknown, ...]
    same: int
    not_compared: int
    carried: int
    left: int
    right: int
    coarse: tuple[Coarse, ...] = ()

    @property
    def is_same(self) -> bool:
        """Whether nothing differs that both sides know."""
        return not self.changes and not self.header

    def count(self, kind: Kind) -> int:
        """The changes of that kind."""
        return sum(change.kind == kind for change in self.changes)

    def mirrored(self) -> TraceDiff:
        """The same with the sides exchanged."""
        return TraceDiff(
            changes=tuple(change.mirrored() for change in self.changes),
            header=tuple(field.mirrored() for field in self.header),
            unknown=tuple(each.mirrored() for each in self.unknown),
            same=self.same,
            not_compared=self.not_compared,
            carried=self.carried,
            left=self.right,
            right=self.left,
            coarse=self.coarse,
        )
