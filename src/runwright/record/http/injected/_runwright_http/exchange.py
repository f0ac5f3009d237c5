"""One request and its answer, as they are told."""

from __future__ import annotations

import base64
import os
import time
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from .channel import tell

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

SAFE = frozenset(("GET", "HEAD", "OPTIONS", "TRACE"))
BODY = 1 << 20
"""Bytes of a body that are handed over; of a longer one nothing is said but that it is."""
TOLD = ("content-type", "content-encoding", "content-length", "transfer-encoding")
STAND_INS = frozenset(filter(None, os.environ.get("RUNWRIGHT_STAND_INS", "").split(",")))
VIA = "hooks"


class Body:
    """What went by of a body, and whether that is all."""

    def __init__(self, *, framed: bool = False) -> None:
        self.parts: list[bytes] = []
        self.size = 0
        self.framed = framed
        self.whole = False
        self.unknown = False

    def add(self, data: bytes | memoryview) -> None:
        """A piece that went by."""
        self.size += len(data)
        if self.size <= BODY:
            self.parts.append(bytes(data))
        else:
            self.parts.clear()

    def told(self) -> dict[str, Any]:
        """The body for a message."""
        told: dict[str, Any] = {"size": self.size, "framed": self.framed, "whole": self.whole and not self.unknown}
        if self.size <= BODY:
            told["data"] = base64.b64encode(b"".join(self.parts)).decode("ascii")
        return told


class Exchange:
    """A request: told when it begins, and again when an answer begins, ends, or does not come.

    Bodies are only handed over where the request may turn out to be an effect.
    """

    def __init__(self, method: str, url: str, since: float | None = None, via: str = VIA) -> None:
        self.id = os.urandom(8).hex()
        self.method = method.upper()
        self.url, keys, where = bare(url)
        self.wanted = self.method not in SAFE and where not in STAND_INS
        self.sent = Body()
        self.received = Body()
        self.headers: dict[str, str] = {}
        self.addresses: dict[str, Any] = {}
        self.over = False
        now = time.monotonic()
        tell(
            {"kind": "request", "id": self.id, "method": self.method, "url": self.url, "keys": keys, "via": via,
             "at": now, "since": now if since is None else since}
        )  # fmt: skip

    def between(self, ours: Any, theirs: Any) -> None:
        """The two ends of the connection, as the sockets have them."""
        for name, end in (("ours", ours), ("theirs", theirs)):
            if isinstance(end, (tuple, list)) and len(end) >= 2 and isinstance(end[1], int):
                self.addresses[name] = [str(end[0]), end[1]]

    def answered(self, status: int, headers: Iterable[tuple[Any, Any]]) -> bool:
        """An answer has begun; whether its body is of interest."""
        message = {"kind": "answer", "id": self.id, "status": int(status), "at": time.monotonic(), **self.addresses}
        if self.wanted:
            message["request"] = {**self.sent.told(), "headers": self.headers}
            message["headers"] = told_headers(headers)
        tell(message)
        self.wanted = self.wanted and not 400 <= int(status) < 500
        return self.wanted

    def ended(self) -> None:
        """The answer's body is over, or nobody wants the rest."""
        if not self.over and self.wanted:
            self.over = True
            tell({"kind": "end", "id": self.id, "response": self.received.told()})

    def failed(self, error: BaseException) -> None:
        """No answer came."""
        if self.over:
            return
        self.over = True
        message = {"kind": "failed", "id": self.id, "error": type(error).__name__, "at": time.monotonic()}
        if self.wanted:
            message["request"] = {**self.sent.told(), "headers": self.headers}
        tell({**message, **self.addresses})


def bare(url: str) -> tuple[str, list[str], str]:
    """The URL without credentials, query and fragment, in one spelling; the names in its query; host and port."""
    try:
        parts = urlsplit(url)
        usual = {"http": 80, "https": 443}.get(parts.scheme, 0)
        host, port = parts.hostname or "", parts.port or usual
        shown = f"[{host}]" if ":" in host else host
        place = shown if port == usual else f"{shown}:{port}"
        keys = sorted({key for key, _ in parse_qsl(parts.query, keep_blank_values=True)})
        return urlunsplit((parts.scheme, place, parts.path or "/", "", "")), keys, f"{host}:{port}"
    except ValueError:
        return url.partition("?")[0].partition("#")[0].rpartition("@")[2], [], ""


def told_headers(headers: Iterable[tuple[Any, Any]]) -> dict[str, str]:
    """The few headers that say how a body is to be read."""
    found: dict[str, str] = {}
    for key, value in headers:
        name = (key.decode("latin-1") if isinstance(key, bytes) else str(key)).lower()
        if name in TOLD:
            found[name] = (value.decode("latin-1") if isinstance(value, bytes) else str(value))[:200]
    return found
