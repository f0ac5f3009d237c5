"""A field in which what was wanted, or recorded, and what was seen differ."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import UNSET, UnsetType

from runwright.trace.model import JSON


@dataclass(frozen=True, kw_only=True)
class FieldDifference:
    """A field that differs; a side without the field is UNSET."""

    path: str
    recorded: JSON | UnsetType = UNSET
    live: JSON | UnsetType = UNSET
