"""What names mean: the addresses that this process was told for a host."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING

from .channel import quietly, tell

if TYPE_CHECKING:
    from typing import Any


def patch(module: Any) -> None:
    """Tell what `socket.getaddrinfo` answers."""
    real = module.getaddrinfo

    @wraps(real)
    def getaddrinfo(host: Any, *rest: Any, **named: Any) -> Any:
        found = real(host, *rest, **named)
        quietly(_told, host, found)
        return found

    module.getaddrinfo = getaddrinfo


def _told(host: Any, found: Any) -> None:
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if not isinstance(name, str):
        return
    addresses = sorted({str(each[4][0]).partition("%")[0] for each in found})
    if addresses != [name]:
        tell({"kind": "name", "host": name.rstrip(".").lower(), "addresses": addresses})
