"""aiohttp: through the tracing that it offers, and along the reader that an answer's body is read from."""

from __future__ import annotations

import time
import weakref
from functools import wraps
from typing import TYPE_CHECKING

from .channel import quietly
from .exchange import Exchange, told_headers

if TYPE_CHECKING:
    from typing import Any

READ: dict[int, Exchange] = {}
"""The exchanges whose answers are being read, by the reader's identity."""
READABLE: list[bool] = []
"""Not empty where bodies can be read along in this release."""


def patch(module: Any) -> None:
    """Hook into every session that will be made, and into the reader of bodies."""
    real = module.ClientSession.__init__

    @wraps(real)
    def __init__(self: Any, *given: Any, **named: Any) -> None:  # noqa: N807 - it takes the place of one
        ours = quietly(_tracing, module)
        if ours is not None:
            named["trace_configs"] = [*(named.get("trace_configs") or ()), ours]
        real(self, *given, **named)

    module.ClientSession.__init__ = __init__
    reader = module.StreamReader
    for name in ("read", "readany", "readchunk", "readline", "readuntil", "readexactly"):
        setattr(reader, name, _to_the_end(getattr(reader, name)))
    reader._read_nowait_chunk = _passing(reader._read_nowait_chunk)
    READABLE.append(True)


class Hops:
    """The requests that one call makes, one after the other."""

    def __init__(self) -> None:
        self.since = time.monotonic()
        self.exchange: Exchange | None = None


def _tracing(module: Any) -> Any:
    config = module.TraceConfig(trace_config_ctx_factory=lambda **_: quietly(Hops))
    for name, work in (
        ("on_request_start", _start), ("on_request_headers_sent", _sent_head), ("on_request_chunk_sent", _sent_chunk),
        ("on_request_redirect", _redirect), ("on_request_end", _end), ("on_request_exception", _exception),
    ):  # fmt: skip
        getattr(config, name).append(_quiet(work))
    return config


def _quiet(work: Any) -> Any:
    async def told(_: Any, hops: Hops, params: Any) -> None:
        if hops is not None:
            quietly(work, hops, params)

    return told


def _start(hops: Hops, _: Any) -> None:
    hops.since = time.monotonic()


def _sent_head(hops: Hops, params: Any) -> None:
    if hops.exchange is not None:
        hops.exchange.failed(ConnectionError())  # it is sent again, since nothing came back
    hops.exchange = _begun(hops, params)


def _begun(hops: Hops, params: Any) -> Exchange:
    exchange = Exchange(str(params.method), str(params.url), hops.since)
    exchange.headers = _media(params.headers)
    exchange.sent.whole = True
    return exchange


def _media(headers: Any) -> dict[str, str]:
    """The headers but those of the encoding: bodies are read before they are packed, and when they are unpacked."""
    return {name: value for name, value in told_headers(headers.items()).items() if name == "content-type"}


def _sent_chunk(hops: Hops, params: Any) -> None:
    if hops.exchange is not None and hops.exchange.wanted:
        hops.exchange.sent.add(bytes(params.chunk))


def _redirect(hops: Hops, params: Any) -> None:
    _answered(hops, params.response)
    hops.since = time.monotonic()


def _end(hops: Hops, params: Any) -> None:
    _answered(hops, params.response)


def _answered(hops: Hops, response: Any) -> None:
    exchange, hops.exchange = hops.exchange, None
    if exchange is None:
        return
    # an answer that came whole has given its connection back already, and holds what read it
    held = response.connection if response.connection is not None else getattr(response, "_protocol", None)
    transport = getattr(held, "transport", None)
    if transport is not None:
        exchange.between(transport.get_extra_info("sockname"), transport.get_extra_info("peername"))
    if exchange.answered(response.status, _media(response.headers).items()):
        _follow(exchange, response)


def _follow(exchange: Exchange, response: Any) -> None:
    """Tell the body once it was read to its end, or once nobody holds the answer any more."""
    reader = response.content
    exchange.received.unknown = not READABLE
    if reader.at_eof():
        exchange.received.whole = True
        exchange.ended()
        return
    READ[id(reader)] = exchange
    weakref.finalize(response, quietly, _over, id(reader))


def _over(reader: int) -> None:
    exchange = READ.pop(reader, None)
    if exchange is not None:
        exchange.ended()


def _exception(hops: Hops, params: Any) -> None:
    exchange, hops.exchange = hops.exchange, None
    if exchange is None:  # it came to no connection
        exchange = _begun(hops, params)
        exchange.sent.unknown = True
    exchange.failed(params.exception)


def _passing(real: Any) -> Any:
    @wraps(real)
    def _read_nowait_chunk(self: Any, *given: Any) -> Any:
        data = real(self, *given)
        if id(self) in READ:
            quietly(READ[id(self)].received.add, data)
        return data

    return _read_nowait_chunk


def _to_the_end(real: Any) -> Any:
    @wraps(real)
    async def reading(self: Any, *given: Any, **named: Any) -> Any:
        data = await real(self, *given, **named)
        if id(self) in READ:
            quietly(_ended, self)
        return data

    return reading


def _ended(reader: Any) -> None:
    if reader.at_eof():
        READ[id(reader)].received.whole = True
        _over(id(reader))
