"""Where an agent that runs already is reached: on the loopback, without a name being resolved."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from runwright.errors import CapabilityError, FlowError

LOCALHOST = ("127.0.0.1", "::1")
"""What `localhost` stands for here, in the order in which it is tried."""

HTTP_PORT = 80


@dataclass(frozen=True, kw_only=True)
class Address:
    """Literal loopback addresses to try in turn, the port, what the request line names and the Host header says.

    `shown` is the URL as a person may see it: without its query, which may hold a secret.
    """

    hosts: tuple[str, ...]
    port: int
    target: str
    host: str
    shown: str


def loopback_address(url: str, place: str) -> Address:
    """The address in a URL; CapabilityError where reaching it would leave the loopback, FlowError where it is none."""
    parts, port = _split(url, place)
    if parts.scheme != "http":
        raise CapabilityError(
            f"an agent is reached by http://, not {parts.scheme or 'without a scheme'!r}", place=place, hint=HINT
        )
    if parts.username is not None or parts.password is not None:
        hint = "give the credentials in agent.headers, as ${VAR}"
        raise FlowError("the url holds a user name or a password", place=place, hint=hint)
    name = parts.hostname or ""
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not (target.isascii() and target.isprintable()) or " " in target:
        raise FlowError("the url holds characters that must be percent-encoded", place=place)
    return Address(
        hosts=_hosts(name, place),
        port=port,
        target=target,
        host=parts.netloc,
        shown=f"http://{parts.netloc}{parts.path}",
    )


HINT = "start the agent on this machine, at http://127.0.0.1:PORT/..."


def _split(url: str, place: str) -> tuple[SplitResult, int]:
    try:
        parts = urlsplit(url)
        return parts, HTTP_PORT if parts.port is None else parts.port
    except ValueError as error:
        raise FlowError(f"the url is none: {str(error).lower()}", place=place) from error


def _hosts(name: str, place: str) -> tuple[str, ...]:
    if name == "localhost":
        return LOCALHOST
    try:
        local = ip_address(name).is_loopback
    except ValueError:  # a name: finding out what it stands for would ask the network
        local = False
    if not local:
        raise CapabilityError(f"a replay never leaves the loopback, and {name!r} is not on it", place=place, hint=HINT)
    return (name,)
