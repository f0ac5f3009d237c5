"""Judging: one assertion, or all of a flow's in turn, against the evidence of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

State: TypeAlias = Literal["held", "failed", "not_judged", "capability", "invalid", "unverified"]


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """An assertion as prose, what became of it, and why."""

    assertion: str
    state: State
    detail: str = ""
