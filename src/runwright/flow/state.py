"""What became of one assertion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from runwright.flow.difference import FieldDifference

State: TypeAlias = Literal["held", "failed", "not_judged", "capability", "invalid", "unverified"]


@dataclass(frozen=True, kw_only=True)
class Found:
    """A state and why.

    `passed` is how many calls lie behind an assertion on order, `too_many` a count that more of the run cannot mend,
    `served` a finding that rests on served text alone. `nearest` is what came closest, and `differences` how it
    differs from what was wanted.
    """

    state: State
    detail: str = ""
    passed: int = 0
    too_many: bool = False
    served: bool = False
    nearest: str = ""
    differences: tuple[FieldDifference, ...] = ()


def held(detail: str = "", *, passed: int = 0) -> Found:
    """It holds, on live evidence."""
    return Found(state="held", detail=detail, passed=passed)


def failed(detail: str, nearest: str = "", differences: tuple[FieldDifference, ...] = ()) -> Found:
    """It does not hold."""
    return Found(state="failed", detail=detail, nearest=nearest, differences=differences)
