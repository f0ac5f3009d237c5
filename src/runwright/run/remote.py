"""Give an agent that runs already its turns over HTTP, one POST a turn, and keep what it answers."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Protocol

from runwright import __version__
from runwright.errors import FlowError
from runwright.run.address import Address
from runwright.run.agent import GRACE, REPLY_LIMIT, STOP_CHECK, AgentRun
from runwright.run.answer import Answer, answer_of, reply_in

SETTLE = 0.3
"""Seconds after the last answer without a model call: an agent that still works has called again by then."""

SETTLE_CHECK = 0.02

OWN_HEADERS = frozenset({"content-length", "transfer-encoding", "connection", "accept-encoding", "expect", "upgrade"})
"""Headers that say how the request is written: they are ours."""

_TOKEN = frozenset("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


@dataclass(frozen=True, kw_only=True)
class Visit:
    """Whom to ask, with which headers, what the user says turn by turn, and the seconds for all of it."""

    address: Address
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    turns: tuple[str, ...] = ()
    timeout: float = 300.0


class Boundary(Protocol):
    """The replay that the agent calls meanwhile: whether it has stopped, and how long it has been idle (seconds)."""

    def stopped(self) -> bool: ...
    def idle(self) -> float: ...


def checked_headers(headers: Mapping[str, str], place: str) -> Mapping[str, str]:
    """The headers, if each can be sent as it is; a message never holds a value, which may be a secret."""
    for name, value in headers.items():
        at = f"{place}.{name}"
        if not name or not _TOKEN.issuperset(name):
            raise FlowError(f"{name!r} is no name of a header", place=place)
        if name.lower() in OWN_HEADERS:
            raise FlowError("this header says how the request is written, and is not the flow's", place=at)
        if not value.isascii() or not value.isprintable():
            raise FlowError("the value holds characters that a header cannot carry", place=at)
    return headers


def visit_agent(visit: Visit, boundary: Boundary, stop: threading.Event | None = None) -> AgentRun:
    """Ask the agent turn by turn until it fails, the replay stops, the time is over or a person interrupts.

    The run ends with the last answer and SETTLE seconds without a model call. `not_started` only where nothing
    listened at the first turn. The agent itself lives on: whoever started it ends it.
    """
    started_at, clock = datetime.now(UTC), time.monotonic()
    limit, stop = clock + visit.timeout, stop or threading.Event()
    answers: list[Answer] = []
    try:
        run = _asked(visit, boundary, answers, limit, stop, AgentRun(ended="exited", started_at=started_at, duration=0))
    except KeyboardInterrupt:
        stop.set()
        run = AgentRun(ended="interrupted", started_at=started_at, duration=0)
    return replace(
        run,
        stdout="\n".join(map(reply_in, answers)),
        stdout_cut=any(each.cut for each in answers),
        said=tuple(map(reply_in, answers)),
        answers=tuple(each.sent for each in answers),
        status=answers[-1].status if answers and not run.error else None,
        duration=time.monotonic() - clock,
    )


def _asked(
    visit: Visit, boundary: Boundary, answers: list[Answer], limit: float, stop: threading.Event, run: AgentRun
) -> AgentRun:
    for number, prompt in enumerate(visit.turns or ("",)):
        if number and boundary.stopped():
            return run
        post = _Post(visit, prompt)
        if not post.ended(limit, stop):
            return replace(run, ended="interrupted" if stop.is_set() else "timeout")
        if post.refused and not number:
            return replace(run, ended="not_started", error=post.error)
        if post.answer is None:
            return replace(run, error=post.error)
        answers.append(post.answer)
        if not post.answer.ok:
            break
    return _settled(boundary, limit, stop, run)


def _settled(boundary: Boundary, limit: float, stop: threading.Event, run: AgentRun) -> AgentRun:
    answered = time.monotonic()  # an agent that paused before it answered has called its model long ago
    while not boundary.stopped() and min(boundary.idle(), time.monotonic() - answered) < SETTLE:
        if time.monotonic() > limit:
            return replace(run, ended="timeout")
        if stop.wait(SETTLE_CHECK):
            return replace(run, ended="interrupted")
    return run


class _Post:
    """One POST under way in a thread of its own, so that a time limit or an interruption can end it."""

    def __init__(self, visit: Visit, prompt: str) -> None:
        self.answer: Answer | None = None
        self.error, self.refused = "", False
        self._visit, self._prompt = visit, prompt
        self._connection: http.client.HTTPConnection | None = None
        self._thread = threading.Thread(target=self._run, name="runwright-visit", daemon=True)

    def ended(self, limit: float, stop: threading.Event) -> bool:
        """Send it and wait: whether it came to an end of its own. Afterwards the connection is closed either way."""
        self._thread.start()
        try:
            while self._thread.is_alive() and time.monotonic() < limit and not stop.is_set():
                self._thread.join(STOP_CHECK)
            return not self._thread.is_alive()
        finally:
            self._cut_off()

    def _cut_off(self) -> None:
        held = self._connection.sock if self._connection is not None else None
        if self._thread.is_alive() and held is not None:
            try:
                held.shutdown(socket.SHUT_RDWR)
            except OSError:  # it has just ended by itself
                return
            self._thread.join(GRACE)

    def _run(self) -> None:
        try:
            connection = self._connected()
        except OSError as error:
            self.error, self.refused = _reason(error), True
            return
        try:
            self.answer = self._exchanged(connection)
        except (OSError, http.client.HTTPException) as error:
            self.error = _reason(error)
        finally:
            connection.close()

    def _connected(self) -> http.client.HTTPConnection:
        """A connection to the first of the addresses at which somebody listens."""
        address = self._visit.address
        for host in address.hosts:
            patience = self._visit.timeout + GRACE  # the caller's time limit comes first, and says that it was one
            connection = http.client.HTTPConnection(host, address.port, timeout=patience)
            try:
                connection.connect()
            except ConnectionRefusedError:
                if host != address.hosts[-1]:
                    continue
                raise
            self._connection = connection
            return connection
        raise ConnectionRefusedError("no address to try")

    def _exchanged(self, connection: http.client.HTTPConnection) -> Answer:
        body = json.dumps({"prompt": self._prompt}).encode()
        given = {name.lower(): value for name, value in self._visit.headers.items()}
        headers = {
            "host": self._visit.address.host,
            "user-agent": f"runwright/{__version__}",
            "content-type": "application/json",
            "accept": "*/*",
            **given,
            "accept-encoding": "identity",
            "connection": "close",
        }
        connection.request("POST", self._visit.address.target, body=body, headers=headers)
        response = connection.getresponse()
        encoding = response.headers.get("content-encoding", "identity").lower()
        if encoding != "identity":
            raise http.client.HTTPException(f"the answer is encoded ({encoding}), which was not asked for")
        data, cut = _body(response)
        return answer_of(response.status, response.headers, data, cut=cut)


def _body(response: http.client.HTTPResponse) -> tuple[bytes, bool]:
    """The first REPLY_LIMIT bytes, and whether there were more; IncompleteRead where the agent broke off."""
    kept, more = bytearray(), False
    while piece := response.read(65536):
        room = REPLY_LIMIT - len(kept)
        more = more or len(piece) > room
        kept += piece[:room]
    if response.length:  # a read of some bytes does not say that fewer came than were promised
        raise http.client.IncompleteRead(bytes(kept), response.length)
    return bytes(kept), more


def _reason(error: Exception) -> str:
    if isinstance(error, http.client.IncompleteRead):
        return "its answer broke off"
    if isinstance(error, http.client.RemoteDisconnected):
        return "it closed the connection without an answer"
    if isinstance(error, http.client.BadStatusLine):
        return "it does not answer in HTTP"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error) or type(error).__name__
