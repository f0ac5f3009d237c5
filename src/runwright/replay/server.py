"""The replay server: the model APIs on loopback, answered by a session."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Protocol

import uvicorn
from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive, Scope, Send

from runwright.dialects import Body, Dialect, addressed, dialect_for_path
from runwright.dialects.exact import exact_loads
from runwright.dialects.fields import object_at
from runwright.errors import DialectError
from runwright.replay.explain import wire_text
from runwright.replay.miss import LiveMiss, MissKind
from runwright.replay.wire import Reply, reply_of, reply_of_miss, reply_of_models
from runwright.secrets import clean_text
from runwright.trace.model import ModelRecord, ModelRequest

BODY_LIMIT = 64 * 2**20
MODEL_PATHS = ("/v1/models", "/models")
_IDLE = 3600
"""Seconds that a client's idle connection is kept: an agent may think for long between two calls."""


class Session(Protocol):
    """What answers; `replay.session.ReplaySession` is the one that replays a cassette."""

    @property
    def miss(self) -> LiveMiss | None: ...
    def answer(self, place: str, request: ModelRequest, streamed: bool) -> ModelRecord | LiveMiss: ...
    def refuse(self, place: str, kind: MissKind, reason: str, *, status: int = ...) -> LiveMiss: ...
    def unservable(self, place: str, served: ModelRecord, reason: str) -> LiveMiss: ...
    def models(self) -> tuple[str, ...]: ...


class ReplayServer:
    """Serves a session on a loopback port (0: a free one) while the `with` block runs; OSError where it is taken.

    `clean` strips secrets from what a refused agent is told. `split` writes streams in pieces of that many bytes.
    """

    def __init__(
        self,
        session: Session,
        *,
        port: int = 0,
        clean: Callable[[str], str] = clean_text,
        split: int | None = None,
        body_limit: int = BODY_LIMIT,
    ) -> None:
        if split is not None and split < 1:
            raise ValueError(f"split must be at least 1, not {split}")
        self._session, self._clean = session, clean
        self._split, self._limit = split, body_limit
        self._port, self._active, self._last = port, 0, time.monotonic()
        self._socket: socket.socket | None = None
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def base_url(self) -> str:
        """The server's origin, without `/v1`."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def port(self) -> int:
        """The port of the loopback that it listens on."""
        if self._socket is None:
            raise RuntimeError("the replay server is not running")
        return int(self._socket.getsockname()[1])

    def stopped(self) -> bool:
        """Whether a miss has stopped the replay."""
        return self._session.miss is not None

    def idle(self) -> float:
        """Seconds since a call was last begun or answered; 0 while one is being answered."""
        return 0.0 if self._active else time.monotonic() - self._last

    def __enter__(self) -> ReplayServer:
        self._socket = _listening(self._port)
        config = uvicorn.Config(
            self._app,
            interface="asgi3",
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            loop="asyncio",
            proxy_headers=False,
            server_header=False,
            date_header=False,
            timeout_keep_alive=_IDLE,
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, args=([self._socket],), name="runwright-replay", daemon=True
        )
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join()
        if self._socket is not None:
            self._socket.close()
        self._socket = None

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._active += 1
        try:
            await self._call(scope, receive, send)
        finally:
            self._last = time.monotonic()
            self._active -= 1

    async def _call(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        place = f"{request.method} {request.url.path}"
        try:
            reply = await self._reply(request, place)
        except ClientDisconnect:
            return
        except Exception as error:  # noqa: BLE001 - a defect of ours must turn the replay red, never be a retried 500
            reply = self._refuse(place, "internal", f"{type(error).__name__} in the replay server: {error}", 500)
        await _send(reply, send)

    async def _reply(self, request: Request, place: str) -> Reply:
        if self._session.miss is not None and request.method == "GET":
            return self._refuse(place, "stopped", "nothing is served after a miss")
        if request.method == "GET" and request.url.path in MODEL_PATHS:
            return reply_of_models(self._session.models())
        dialect = dialect_for_path(request.url.path) if request.method == "POST" else None
        if dialect is None:
            return self._refuse(place, "unknown_path", "no recorded API is served at this path", 404)
        encoding = request.headers.get("content-encoding", "identity")
        if encoding != "identity":
            return self._refuse(place, "unreadable", f"content-encoding {encoding!r} is not served", 415)
        raw = await self._body(request)
        if raw is None:
            return self._refuse(place, "unreadable", f"the request body is over {self._limit} bytes", 413)
        return self._answer(dialect, request.url.path, place, raw)

    async def _body(self, request: Request) -> bytes | None:
        """The body, or None once it is over the limit."""
        pieces, size = [], 0
        async for piece in request.stream():
            size += len(piece)
            if size > self._limit:
                return None
            pieces.append(piece)
        return b"".join(pieces)

    def _answer(self, dialect: Dialect, path: str, place: str, raw: bytes) -> Reply:
        try:
            body: Body = addressed(dialect, path, object_at(exact_loads(raw), "$"))
            request, streamed = dialect.decode_request(body)
        except (ValueError, DialectError) as error:
            return self._refuse(place, "unreadable", f"the request cannot be read: {error}")
        found = self._session.answer(place, request, streamed)
        if isinstance(found, LiveMiss):
            return self._told(found)
        try:
            return reply_of(dialect, found, body, self._split)
        except DialectError as error:
            return self._told(self._session.unservable(place, found, str(error)))

    def _refuse(self, place: str, kind: MissKind, reason: str, status: int = 422) -> Reply:
        return self._told(self._session.refuse(place, kind, reason, status=status))

    def _told(self, miss: LiveMiss) -> Reply:
        """The refusal in the words of the first miss: that is the one that stopped the replay."""
        first = self._session.miss or miss
        return reply_of_miss(first, wire_text(first, self._clean))


def _listening(port: int) -> socket.socket:
    """A listening loopback socket on the port, 0 for a free one.

    A port of the caller's own is taken over from connections that have ended, never from a listener. The socket names
    its protocol because asyncio turns Nagle's algorithm off only where it sees TCP by name; otherwise each answer waits
    some 40 ms for the client's delayed acknowledgement.
    """
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if port:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", port))
        listening.listen(512)
    except OSError:
        listening.close()
        raise
    return listening


async def _send(reply: Reply, send: Send) -> None:
    await send({"type": "http.response.start", "status": reply.status, "headers": list(reply.headers)})
    last = len(reply.pieces) - 1
    for index, piece in enumerate(reply.pieces):
        await send({"type": "http.response.body", "body": piece, "more_body": index < last})
        if index < last:
            await asyncio.sleep(0)  # each piece is a write of its own
