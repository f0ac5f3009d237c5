"""A request that both a hook and the proxy saw, told once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from runwright.record.http.model import Exchange


def once(exchanges: Iterable[Exchange]) -> tuple[Exchange, ...]:
    """The exchanges without the proxy's word on what a hook saw.

    It is the same request where method and URL are, where one was under way while the other was, and where the hook's
    end of the connection is the one that the proxy heard it from, or is not known.
    """
    seen = tuple(exchanges)
    waiting: defaultdict[tuple[str, str], list[Exchange]] = defaultdict(list)
    for each in seen:
        if each.via == "proxy":
            waiting[each.method, each.url].append(each)
    hooked = [_with(each, _taken(waiting[each.method, each.url], each)) for each in seen if each.via == "hooks"]
    left = [each for waiters in waiting.values() for each in waiters]
    return tuple(sorted((*hooked, *left), key=lambda each: each.at))


def _with(hooked: Exchange, proxied: Exchange | None) -> Exchange:
    """Where no service answered, the proxy does, with a status of its own."""
    if proxied is None or proxied.status is not None or not proxied.until:
        return hooked
    return hooked._replace(status=None, response=proxied.response, error=proxied.error)


def _taken(proxied: list[Exchange], hooked: Exchange) -> Exchange | None:
    for at, each in enumerate(proxied):
        if _overlap(hooked, each) and (hooked.ours is None or each.theirs is None or hooked.ours[1] == each.theirs[1]):
            return proxied.pop(at)
    return None


def _overlap(hooked: Exchange, proxied: Exchange) -> bool:
    return hooked.since <= proxied.at and (hooked.until is None or proxied.at <= hooked.until)
