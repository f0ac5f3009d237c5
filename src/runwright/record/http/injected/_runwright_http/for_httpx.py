"""httpx and httpx2: each request that their transports hand to the network, hops and attempts by themselves."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING

from .channel import quietly
from .exchange import Exchange, told_headers

if TYPE_CHECKING:
    from typing import Any


def patch(module: Any) -> None:
    """Hook into both transports; those that reach no network stay as they are."""
    streams = _streams(module)
    module.HTTPTransport.handle_request = _sync(module.HTTPTransport.handle_request, module, streams)
    transport = module.AsyncHTTPTransport
    transport.handle_async_request = _async(transport.handle_async_request, module, streams)


def _sync(real: Any, module: Any, streams: Any) -> Any:
    @wraps(real)
    def handle_request(self: Any, request: Any) -> Any:
        exchange = quietly(_begun, module, request)
        if exchange is None:
            return real(self, request)
        stream = request.stream
        try:
            quietly(_sending, request, exchange, streams[0])
            response = real(self, request)
        except BaseException as error:
            quietly(exchange.failed, error)
            raise
        finally:
            request.stream = stream
        quietly(_answered, response, exchange, streams[0])
        return response

    return handle_request


def _async(real: Any, module: Any, streams: Any) -> Any:
    @wraps(real)
    async def handle_async_request(self: Any, request: Any) -> Any:
        exchange = quietly(_begun, module, request)
        if exchange is None:
            return await real(self, request)
        stream = request.stream
        try:
            quietly(_sending, request, exchange, streams[1])
            response = await real(self, request)
        except BaseException as error:
            quietly(exchange.failed, error)
            raise
        finally:
            request.stream = stream
        quietly(_answered, response, exchange, streams[1])
        return response

    return handle_async_request


def _begun(module: Any, request: Any) -> Exchange:
    exchange = Exchange(str(request.method), str(request.url))
    exchange.headers = told_headers(request.headers.items())
    if exchange.wanted and isinstance(request.stream, module.ByteStream):
        for part in request.stream:
            exchange.sent.add(part)
        exchange.sent.whole = True
    return exchange


def _sending(request: Any, exchange: Exchange, passing: Any) -> None:
    if exchange.wanted and not exchange.sent.whole:
        request.stream = passing(request.stream, exchange.sent, lambda: None)


def _answered(response: Any, exchange: Exchange, passing: Any) -> None:
    stream = response.extensions.get("network_stream")
    if stream is not None:
        quietly(_between, exchange, stream)
    if exchange.answered(response.status_code, response.headers.raw):
        response.stream = passing(response.stream, exchange.received, exchange.ended)


def _between(exchange: Exchange, stream: Any) -> None:
    exchange.between(stream.get_extra_info("client_addr"), stream.get_extra_info("server_addr"))


def _streams(module: Any) -> Any:
    """Bodies that tell what passes through them, for both kinds of client."""

    class Passing(module.SyncByteStream):  # type: ignore[misc]
        def __init__(self, real: Any, body: Any, over: Any) -> None:
            self._real, self._body, self._over = real, body, over

        def __iter__(self) -> Any:
            for part in self._real:
                quietly(self._body.add, part)
                yield part
            self._body.whole = True
            quietly(self._over)

        def close(self) -> None:
            try:
                self._real.close()
            finally:
                quietly(self._over)

    class PassingAsync(module.AsyncByteStream):  # type: ignore[misc]
        def __init__(self, real: Any, body: Any, over: Any) -> None:
            self._real, self._body, self._over = real, body, over

        async def __aiter__(self) -> Any:
            async for part in self._real:
                quietly(self._body.add, part)
                yield part
            self._body.whole = True
            quietly(self._over)

        async def aclose(self) -> None:
            try:
                await self._real.aclose()
            finally:
                quietly(self._over)

    return Passing, PassingAsync
