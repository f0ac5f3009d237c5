"""Which of the requests that were seen changed something elsewhere, and which connections no request explains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from runwright.fingerprint.endpoints import endpoint
from runwright.record.http.connection import Connection
from runwright.record.http.explained import Explained
from runwright.record.http.model import Content, Exchange, Seen
from runwright.record.http.once import once
from runwright.record.http.stand_ins import is_loopback, place_of, places
from runwright.trace import JSON
from runwright.trace.model import FaultRecord, SideEffect, SideEffectRecord

SAFE = frozenset(("GET", "HEAD", "OPTIONS", "TRACE"))
"""Methods that ask for nothing to be changed (RFC 9110, 9.2.1)."""

NoEffect = Literal[
    "stand-in",
    "safe request",
    "refused request",
    "unsent request",
    "own service",
    "explained connection",
    "name lookup",
]


class HttpEffects(NamedTuple):
    """The effects in the order of time, how many requests and connections were none by rule, and what was not seen.

    `observed` is whether nothing can have gone by unseen but for the faults: connections were watched. `refused` are
    the destinations that the proxy let nobody reach.
    """

    effects: tuple[SideEffectRecord, ...]
    counts: Mapping[NoEffect, int]
    faults: tuple[FaultRecord, ...]
    observed: bool
    refused: tuple[str, ...] = ()


def http_effects(
    seen: Seen,
    connections: Iterable[Connection] | None,
    *,
    stand_ins: Iterable[str | int] = (),
    began: float = 0.0,
    name_servers: Iterable[str] = (),
    apart: Container[int] | None = None,
    first: int = 1,
) -> HttpEffects:
    """The `http_request` effects of a run.

    In a network apart, only the ports `apart` of this machine lead out of the run; None where it had the machine's own.
    `connections` are all that its processes made, or tried to make, `t` on the clock of the exchanges; None where
    nobody watched. `began` is when the run began on that clock. Ids are given from `first` on: e1, e2 ...
    """
    given = places(stand_ins)
    counts: Counter[NoEffect] = Counter()
    found: list[tuple[float, SideEffect]] = []
    exchanges = once(seen.exchanges)
    made = (
        None if connections is None else [each for each in connections if each.allowed]
    )  # refusals are told elsewhere
    explained = Explained(exchanges, seen.names, given, frozenset(name_servers))
    for each in exchanges:
        rule = _no_effect(each, given, apart) or _unsent(each, seen, explained, made)
        if rule:
            counts[rule] += 1
        else:
            found.append((each.at, _effect(each)))
    for connection in made or ():
        if why := explained.rule(connection):
            counts[why] += connection.times
            continue
        asked = explained.times(connection)
        if asked:
            counts["explained connection"] += asked
        if connection.times > asked:
            found.append((connection.t, _connect(connection, connection.times - asked)))
    found.sort(key=lambda each: each[0])
    return HttpEffects(
        tuple(_numbered(found, began, first)), dict(counts), _faults(seen), made is not None, seen.refused
    )


def _numbered(found: Iterable[tuple[float, SideEffect]], began: float, first: int) -> Iterator[SideEffectRecord]:
    for number, (at, effect) in enumerate(found, first):
        yield SideEffectRecord(id=f"e{number}", t=round(max(0.0, at - began), 6), side_effect=effect)


def _no_effect(exchange: Exchange, given: frozenset[str], apart: Container[int] | None) -> NoEffect | None:
    """The rule by which a request is no effect. One that was not answered may have been heard all the same."""
    host, port = place_of(exchange.url)
    if f"{host}:{port}" in given:
        return "stand-in"
    if apart is not None and is_loopback(host) and port not in apart:
        return "own service"
    if exchange.status == 101:  # what is spoken from now on, nobody sees
        return None
    if exchange.method in SAFE:
        return "safe request"
    if exchange.status is not None and 400 <= exchange.status < 500:
        return "refused request"
    return None


def _unsent(
    exchange: Exchange, seen: Seen, explained: Explained, made: list[Connection] | None
) -> NoEffect | None:  # fmt: skip
    """Whether a request that nobody answered never got out: its destination was refused, or nothing connected to it."""
    if exchange.status is not None:
        return None
    host, port = place_of(exchange.url)
    if f"{host}:{port}" in seen.refused:
        return "unsent request"
    if seen.proxied or made is None or exchange.ours is not None:
        return None
    return None if explained.reached(exchange, made) else "unsent request"


def _effect(exchange: Exchange) -> SideEffect:
    if exchange.raw:
        detail: dict[str, JSON] = {"template": endpoint("", exchange.url).rstrip("/"), "via": exchange.via}
        return SideEffect(kind="http_request", target=exchange.url, op="connect", detail=detail)
    query = "?" + "&".join(f"{key}=" for key in exchange.keys) if exchange.keys else ""
    detail = {"template": endpoint("", exchange.url + query), "via": exchange.via}
    if exchange.status is None:
        detail["answer"] = "none"
    else:
        detail["status"] = exchange.status
    detail |= _content("request", exchange.request) | _content("response", exchange.response)
    return SideEffect(kind="http_request", target=exchange.url, op=exchange.method, detail=detail)


def _content(name: str, content: Content) -> dict[str, JSON]:
    if content.digest is not None:
        return {name: content.digest}
    return {} if content.unknown is None else {f"{name}_unknown": content.unknown}


def _connect(connection: Connection, times: int) -> SideEffect:
    host = connection.name or connection.address
    shown = f"[{host}]" if ":" in host else host
    target = f"{connection.protocol}://{shown}:{connection.port}"
    detail: dict[str, JSON] = {"template": endpoint("", target).rstrip("/")}
    return SideEffect(
        kind="http_request", target=target, op="connect", detail=detail | ({"times": times} if times > 1 else {})
    )


def _faults(seen: Seen) -> tuple[FaultRecord, ...]:
    return tuple(
        FaultRecord(
            id=f"f{number}",
            kind="observer_failed",
            detail=f"requests may be missing: {detail}",
            hides=("http_request",),
        )
        for number, detail in enumerate(seen.faults, 1)
    )
