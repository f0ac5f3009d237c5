"""What a command may reach and change, and whether that can be held here."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from runwright.record.contain.destinations import destination, openings
from runwright.record.contain.pinned import own_names, pinned, servers
from runwright.record.observe.supervised import other_machine, watched
from runwright.record.observe.watching.network.reach import Reach
from runwright.record.observe.watching.orders import Orders


class Containment(NamedTuple):
    """Ports of this machine's loopback and destinations outside that may be reached; all else may not.

    `protect` are paths that can only be read: the watching process is told of them by its orders, not by the reach.
    """

    local: tuple[int, ...] = ()
    egress: tuple[str, ...] = ()
    protect: tuple[Path, ...] = ()


def reach_of(containment: Containment, how: str = "") -> Reach:
    """The same as the watching process is told it. Names are asked about now, once, and what they stand for stays.

    `how` may ask for one way of holding it (`reach.APART`, `reach.SHARED`); else it is the best that there is.
    """
    wanted = [destination(each) for each in containment.egress]
    named = pinned(each.host for each in wanted if each.network is None)
    asked = servers()
    return Reach(
        how,
        containment.local,
        openings(wanted, named),
        tuple(named.items()),
        asked.addresses,
        asked.search,
        own_names(),
    )


def cannot_contain(how: str = "") -> str:
    """Why a command's network cannot be held here, tried out; empty where it can."""
    return other_machine() or watched((), Orders("/", network=Reach(how)))[0].unable
