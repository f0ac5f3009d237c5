"""http.client: what urllib, requests, urllib3 and botocore send passes here, each attempt and each hop once."""

from __future__ import annotations

import time
from functools import wraps
from typing import TYPE_CHECKING

from .channel import quietly
from .exchange import Exchange, told_headers

if TYPE_CHECKING:
    from typing import Any

STATE = "_runwright_exchange"
SINCE = "_runwright_since"


class Sending:
    """A request while it is sent: its head comes first, and a proxy's handshake is no part of it."""

    def __init__(self, exchange: Exchange) -> None:
        self.exchange = exchange
        self.head = True
        self.busy = False

    def out(self, data: Any) -> None:
        """What is about to be sent."""
        exchange = self.exchange
        if hasattr(data, "read") or not isinstance(data, (bytes, bytearray, memoryview)):
            exchange.sent.unknown = True
        elif self.head:
            self.head = False
            head, _, rest = bytes(data).partition(b"\r\n\r\n")
            fields = (line.partition(b":") for line in head.split(b"\r\n")[1:])
            exchange.headers = told_headers((key.strip(), value.strip()) for key, _, value in fields)
            exchange.sent.framed = exchange.sent.whole = True
            if rest and exchange.wanted:
                exchange.sent.add(rest)
        elif exchange.wanted:
            exchange.sent.add(memoryview(data).cast("B"))

    def through(self, sock: Any) -> None:
        """Which connection it goes through."""
        if sock is not None and not self.exchange.addresses:
            self.exchange.between(sock.getsockname(), sock.getpeername())


def patch(module: Any) -> None:
    """Hook into connections of `http.client`, and of all that is made of them."""
    connection = module.HTTPConnection
    for name, made in (
        ("__init__", _init), ("putrequest", _putrequest), ("endheaders", _endheaders), ("send", _send),
        ("getresponse", _getresponse),
    ):  # fmt: skip
        setattr(connection, name, made(getattr(connection, name)))


def _init(real: Any) -> Any:
    @wraps(real)
    def __init__(self: Any, *given: Any, **named: Any) -> None:  # noqa: N807 - it takes the place of one
        setattr(self, SINCE, time.monotonic())  # it may be connected long before a request is begun
        real(self, *given, **named)

    return __init__


def _putrequest(real: Any) -> Any:
    @wraps(real)
    def putrequest(self: Any, method: Any, url: Any, *given: Any, **named: Any) -> Any:
        setattr(self, STATE, None)
        done = real(self, method, url, *given, **named)
        setattr(self, STATE, quietly(_begun, self, method, url))
        return done

    return putrequest


def _begun(connection: Any, method: Any, url: Any) -> Sending:
    method, url = (each.decode("latin-1") if isinstance(each, bytes) else str(each) for each in (method, url))
    if not url.lower().startswith(("http://", "https://")):
        host = getattr(connection, "_tunnel_host", None) or connection.host
        port = getattr(connection, "_tunnel_port", None) or connection.port
        scheme = "https" if getattr(connection, "default_port", 80) == 443 else "http"
        shown = f"[{host}]" if ":" in host and not host.startswith("[") else host
        usual = port in (None, {"http": 80, "https": 443}[scheme])
        url = f"{scheme}://{shown}{'' if usual else f':{port}'}{url}"
    return Sending(Exchange(method, url, getattr(connection, SINCE, None)))


def _endheaders(real: Any) -> Any:
    @wraps(real)
    def endheaders(self: Any, *given: Any, **named: Any) -> Any:
        try:
            return real(self, *given, **named)
        except BaseException as error:
            quietly(_failed, self, error)
            raise

    return endheaders


def _send(real: Any) -> Any:
    @wraps(real)
    def send(self: Any, data: Any) -> Any:
        state = getattr(self, STATE, None)
        if state is None or state.busy:
            return real(self, data)
        quietly(state.out, data)
        state.busy = True
        try:
            done = real(self, data)
        except BaseException as error:
            quietly(_failed, self, error)
            raise
        finally:
            state.busy = False
        quietly(state.through, self.sock)
        return done

    return send


def _getresponse(real: Any) -> Any:
    @wraps(real)
    def getresponse(self: Any, *given: Any, **named: Any) -> Any:
        state = getattr(self, STATE, None)
        try:
            response = real(self, *given, **named)
        except BaseException as error:
            quietly(_failed, self, error)
            raise
        if state is not None:
            setattr(self, STATE, None)
            quietly(_answered, state.exchange, response)
        return response

    return getresponse


def _failed(connection: Any, error: BaseException) -> None:
    state = getattr(connection, STATE, None)
    if state is not None:
        setattr(connection, STATE, None)
        state.exchange.failed(error)


def _answered(exchange: Exchange, response: Any) -> None:
    if not exchange.answered(response.status, response.getheaders()):
        return
    exchange.received.framed = True
    if response.fp is None:
        exchange.received.whole = True
        exchange.ended()
    else:
        response.fp = Passing(response.fp, exchange)


class Passing:
    """The file that an answer is read from; what is read of it is told, however it is read."""

    def __init__(self, real: Any, exchange: Exchange) -> None:
        self._real = real
        self._exchange = exchange

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def _took(self, data: Any, at_most: Any) -> Any:
        quietly(self._exchange.received.add, data)
        if at_most is None or at_most < 0 or (at_most > 0 and not data):
            self._exchange.received.whole = True
        return data

    def read(self, at_most: Any = -1) -> Any:
        """As the file does."""
        return self._took(self._real.read(at_most), at_most)

    def read1(self, at_most: Any = -1) -> Any:
        """As the file does."""
        data = self._real.read1(at_most)
        return self._took(data, 1 if not data else 0)

    def readline(self, at_most: Any = -1) -> Any:
        """As the file does."""
        data = self._real.readline(at_most)
        return self._took(data, 1 if not data else 0)

    def readinto(self, buffer: Any) -> Any:
        """As the file does."""
        count = self._real.readinto(buffer)
        self._took(bytes(memoryview(buffer).cast("B")[: count or 0]), len(buffer))
        return count

    def __iter__(self) -> Any:
        return iter(self.readline, b"")

    def close(self) -> Any:
        """As the file does; then what was read of the answer is told."""
        try:
            return self._real.close()
        finally:
            quietly(self._exchange.ended)

    def __del__(self) -> None:
        quietly(self._exchange.ended)
