"""The nodes of the causal graph."""

from __future__ import annotations

from dataclasses import dataclass

from runwright.fingerprint.calls import Call
from runwright.trace.model import HttpRecord, ModelRecord


@dataclass(frozen=True)
class Node:
    """An exchange (`model` set) or a call (`call` set) or, in a run that has neither, an HTTP exchange (`http`).

    `origin` is the record it starts from: for a call the reply that asks for it, if one does. `timed` says that its
    time is known.
    """

    origin: str
    agent: str | None
    timed: bool
    model: ModelRecord | None = None
    call: Call | None = None
    http: HttpRecord | None = None

    @property
    def leads(self) -> bool:
        """Whether it is no call of a reply, so that only its edges say when it happened."""
        return self.call is None or self.call.asked_by is None
