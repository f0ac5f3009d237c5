"""The requests of one run, from all that was written down of it."""

from __future__ import annotations

from collections.abc import Iterable

from runwright.record.contain.pinned import servers
from runwright.record.http.connection import connections_of
from runwright.record.http.effects import HttpEffects, http_effects
from runwright.record.http.hooks import Hooks
from runwright.record.http.stand_ins import place_of
from runwright.record.observe.journal import Log
from runwright.record.observe.watching.network.reach import APART

USUAL = ("127.0.0.1", "::1", "127.0.0.53")
"""Where a name server of this machine itself listens."""


def requests_of(
    hooks: Hooks, log: Log, *, stand_ins: Iterable[str | int] = (), local: tuple[int, ...] = (), first: int = 1
) -> HttpEffects:
    """What a run that has ended did over the network. `stand_ins` are as the hooks have them, `local` the ports of
    this machine that it could reach otherwise."""
    ours = (*stand_ins, *(() if hooks.port is None else (hooks.port,)))
    ports = (*local, *(each if isinstance(each, int) else place_of(each)[1] for each in ours))
    apart = log.network is not None and log.network.how == APART
    return http_effects(
        hooks.seen(), connections_of(log, ports), stand_ins=ours, began=log.began,
        name_servers=(*USUAL, *servers().addresses), apart=ports if apart else None, first=first,
    )  # fmt: skip
