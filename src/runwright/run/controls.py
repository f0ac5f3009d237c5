"""A control's id stands for one property: two flows that claim it cannot both be believed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def shared_controls(claims: Iterable[tuple[str, T]]) -> dict[str, list[T]]:
    """The ids that more than one claims, each with whoever does, both in the order of the claims."""
    by_id: dict[str, list[T]] = {}
    for id, claimant in claims:
        by_id.setdefault(id, []).append(claimant)
    return {id: claimants for id, claimants in by_id.items() if len(claimants) > 1}


def shared_fault(id: str, count: int) -> str:
    """What is wrong with an id that so many flows claim."""
    return f"{count} flows have the control id {id!r}"
