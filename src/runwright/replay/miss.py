"""A refused call, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from runwright.match import Difference, Kind

MissKind: TypeAlias = Kind | Literal["unknown_path", "unreadable", "unservable", "internal"]
MISS_STATUS = 422
"""A status that no SDK retries."""

MISS_TYPE = "runwright_miss"


@dataclass(frozen=True, slots=True)
class LiveMiss:
    """A call that was refused: nothing recorded answers it, or it could not be read.

    `place` is the method and path, `live` the id of the live record where the request could be read. `later` is
    true where the matcher says that this miss judges nothing. `status` is what the agent was told.
    """

    place: str
    kind: MissKind
    reason: str
    status: int = MISS_STATUS
    live: str | None = None
    nearest: str | None = None
    differences: tuple[Difference, ...] = ()
    later: bool = False
