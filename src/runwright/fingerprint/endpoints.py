"""Endpoints: a method and the template of a URL."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

from runwright.fingerprint.ids import general

_DEFAULT_PORTS = {"http": 80, "https": 443}
_PORT = "{port}"


def target(written: str, op: str | None) -> str:
    """The endpoint that an effect's target is: `POST https://shop.example/orders`, or a URL with its operation."""
    method, space, url = written.partition(" ")
    return endpoint(method, url) if space and method.isalpha() else endpoint(op or "", written)


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
