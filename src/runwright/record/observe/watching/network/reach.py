"""What a command may reach over the network, as the observer is told it: plain values, which fit into JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .endpoints import Opening, of_text

APART, SHARED, OBSERVED = "apart", "shared", "observed"


class Reach(NamedTuple):
    """How the network is looked at, and what may be reached.

    `how`: `apart` in a network of its own, `shared` in the machine's, `observed` where all is let pass; empty for the
    best way of holding it. `local` are ports of this machine, `openings` networks as (address, bits,
    port, name), `names` what each name that may be asked about stands for, `servers` the name servers that are asked,
    `search` the domains that they are asked in, `own` this machine's names.
    """

    how: str = ""
    local: tuple[int, ...] = ()
    openings: tuple[tuple[str, int, int, str], ...] = ()
    names: tuple[tuple[str, tuple[str, ...]], ...] = ()
    servers: tuple[str, ...] = ()
    search: tuple[str, ...] = ()
    own: tuple[str, ...] = ()

    def opened(self) -> list[Opening]:
        """The openings."""
        return [Opening(of_text(host, port).host, bits, port, name) for host, bits, port, name in self.openings]

    def named(self) -> dict[str, list[bytes]]:
        """The addresses by name."""
        return {name: [of_text(each, 0).host for each in addresses] for name, addresses in self.names}

    def asked(self) -> list[bytes]:
        """The addresses of the name servers, the usual ones included."""
        return list(dict.fromkeys(of_text(each, 0).host for each in ("127.0.0.1", "127.0.0.53", "::1", *self.servers)))

    def networks(self) -> list[tuple[bytes, int]]:
        """What this machine itself has to be in the command's network, so that connections come to somebody."""
        wanted: Iterable[tuple[bytes, int]] = (
            *((each.host, each.bits) for each in self.opened()),
            *((each, 8 * len(each)) for each in self.asked()),
        )
        return [each for each in dict.fromkeys(wanted) if not _of_loopback(*each)]


def _of_loopback(host: bytes, bits: int) -> bool:
    return (host[0] == 127 and bits >= 8) if len(host) == 4 else int.from_bytes(host) == 1
