"""The nodes of the causal graph."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from runwright.fingerprint.calls import Call
    from runwright.fingerprint.note import Exchange, Http


class Node:
    """An exchange or a call (one of them is set) or, in a run that has neither, an HTTP exchange.

    `origin` is the record it starts from: for a call the reply that asks for it, if one does. `timed` says that its
    time is known, `leads` that it is no call of a reply, so that only its edges say when it happened.
    """

    __slots__ = ("agent", "call", "exchange", "http", "leads", "origin", "timed")

    def __init__(
        self, origin: str, agent: str | None, timed: bool, *, exchange: Exchange | None = None,
        call: Call | None = None, http: Http | None = None,
    ) -> None:  # fmt: skip
        self.origin = origin
        self.agent = agent
        self.timed = timed
        self.exchange = exchange
        self.call = call
        self.http = http
        self.leads = call is None or call.asked_by is None
