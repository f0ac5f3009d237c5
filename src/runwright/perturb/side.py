"""What an agent does in a run, as a value: the requests it sends in order, what it says, and how it ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from runwright.trace.model import JSON, ModelRequest, SideEffect

Ended: TypeAlias = Literal["exited", "timeout"]


@dataclass(frozen=True, slots=True)
class Sent:
    """A request that the agent sends. `of` is the recorded exchange it repeats, None where it repeats none."""

    of: str | None
    request: ModelRequest
    streamed: bool


@dataclass(frozen=True, slots=True)
class Ran:
    """A tool that the agent runs without being asked to."""

    tool: str
    arguments: JSON


@dataclass(frozen=True, kw_only=True, slots=True)
class Side:
    """One side of a replay. `said` answers each delivery; `code` is the agent's exit code, negative for a signal."""

    sent: tuple[Sent, ...]
    said: tuple[str, ...] = ()
    ended: Ended = "exited"
    code: int = 0
    effects: tuple[SideEffect, ...] = ()
    ran: tuple[Ran, ...] = ()

    @property
    def output(self) -> str:
        """All that the agent says."""
        return "\n".join(each for each in self.said if each)

    def place(self, exchange: str) -> int | None:
        """Where the request of a recorded exchange stands."""
        return next((n for n, each in enumerate(self.sent) if each.of == exchange), None)
