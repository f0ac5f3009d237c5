"""Endpoints: a method and the template of a URL."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qsl, urlsplit

from runwright.fingerprint.fold import counted
from runwright.fingerprint.ids import general
from runwright.trace.model import HttpRecord, SideEffect, Trace

_DEFAULT_PORTS = {"http": 80, "https": 443}
_PORT = "{port}"


def endpoints(trace: Trace) -> tuple[str, ...]:
    """The endpoints that were called, each with how often, sorted.

    They are those of the http lane; where it is empty, the targets of `http_request` effects.
    """
    return counted(list(_exchanged(trace)) or _written(trace))


def _exchanged(trace: Trace) -> Iterator[str]:
    for record in trace.records:
        if isinstance(record, HttpRecord):
            yield endpoint(record.request.method, record.request.url)


def _written(trace: Trace) -> Iterator[str]:
    for effect in trace.effects:
        if effect.side_effect.kind == "http_request":
            yield _target(effect.side_effect)


def _target(effect: SideEffect) -> str:
    method, space, url = effect.target.partition(" ")
    return endpoint(method, url) if space and method.isalpha() else endpoint(effect.op or "", effect.target)


def endpoint(method: str, url: str) -> str:
    """`GET https://shop.example/orders/{id}?state`: ids in the path, query values, credentials and fragments are
    left out, and so is the port of a loopback host, which differs from run to run."""
    try:
        parts = urlsplit(url)
        host = _host(parts.scheme.lower(), parts.hostname or "", parts.port)
    except ValueError:  # no URL: a target that only its source can read
        return f"{method.upper()} {url}".strip()
    path = "/".join(general(segment) for segment in parts.path.split("/")) or "/"
    keys = sorted({general(key) for key, _ in parse_qsl(parts.query, keep_blank_values=True)})
    query = f"?{'&'.join(keys)}" if keys else ""
    return f"{method.upper()} {host}{path}{query}".strip()


def _host(scheme: str, name: str, port: int | None) -> str:
    if not name:
        return f"{scheme}:" if scheme else ""
    shown = f"[{name}]" if ":" in name else name
    prefix = f"{scheme}://" if scheme else "//"
    if _is_loopback(name):
        return f"{prefix}{shown}" + ("" if port is None else f":{_PORT}")
    return f"{prefix}{shown}" + ("" if port is None or port == _DEFAULT_PORTS.get(scheme) else f":{port}")


def _is_loopback(name: str) -> bool:
    return name in ("localhost", "::1", "0.0.0.0") or name.endswith(".localhost") or name.startswith("127.")  # noqa: S104 # compared, not bound
