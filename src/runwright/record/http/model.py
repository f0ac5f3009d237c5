"""What was seen of requests."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Via = Literal["hooks", "proxy"]
End = tuple[str, int]
"""An address and a port."""


class Content(NamedTuple):
    """A body as far as it is known: its digest, or why there is none."""

    digest: str | None = None
    unknown: str | None = None


NO_CONTENT = Content()


class Exchange(NamedTuple):
    """A request that was sent, or that was tried to be: its URL without credentials, query and fragment.

    `keys` are the names in its query. Times are of the machine's monotonic clock: `since` is the earliest moment at
    which its connection may have been made, `until` when its answer began, None if none did. `status` is None without
    an answer. `ours` and `theirs` are the ends of its connection, where they are known.
    """

    method: str
    url: str
    keys: tuple[str, ...]
    via: Via
    at: float
    since: float
    until: float | None = None
    status: int | None = None
    error: str | None = None
    request: Content = NO_CONTENT
    response: Content = NO_CONTENT
    ours: End | None = None
    theirs: End | None = None
    raw: bool = False
    """Whether it is a connection through the proxy on which something else than HTTP is spoken."""


class Seen(NamedTuple):
    """All of it, in the order of its beginning; what names meant; and what kept something from being seen.

    `refused` are the destinations, `host:port`, that the proxy let nobody reach, where there was one: `proxied`.
    """

    exchanges: tuple[Exchange, ...] = ()
    names: Mapping[str, frozenset[str]] = MappingProxyType({})
    refused: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    proxied: bool = False
