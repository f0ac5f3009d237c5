"""Messages put together from the lines of the pipe; what is no message is a fault and nothing else."""

from __future__ import annotations

import orjson

from runwright.trace import JSON

LONGEST = 2 << 20
"""Bytes of a message; the longest that hooks send is a body of a megabyte in base64."""
OPEN = 32 << 20
"""Bytes of messages that are begun and not complete."""
TOTAL = 256 << 20
"""Bytes of all messages."""


class Messages:
    """What has been said so far."""

    def __init__(self) -> None:
        self.whole: list[dict[str, JSON]] = []
        self.faults: list[str] = []
        self._rest = b""
        self._pieces: dict[bytes, list[bytes]] = {}
        self._open = 0
        self._total = 0

    def add(self, data: bytes) -> None:
        """What was read next."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._line(line)
        if len(self._rest) > LONGEST:
            self._rest = b""
            self._wrong()

    def end(self) -> None:
        """No more will come."""
        if self._rest:
            self._wrong()
        if self._pieces:
            self._fault("a process ended while it told of a request")

    def _line(self, line: bytes) -> None:
        mark, rest = line[:1], line[1:]
        if mark == b"=":
            self._message(rest)
            return
        name, _, numbered = rest.partition(b" ")
        number, _, piece = numbered.partition(b" ")
        pieces = self._pieces.setdefault(name, [])
        if mark not in (b"+", b".") or number != str(len(pieces)).encode() or self._open > OPEN:
            self._forget(name)
            self._wrong()
            return
        pieces.append(piece)
        self._open += len(piece)
        if mark == b".":
            self._forget(name)
            self._message(b"".join(pieces))

    def _forget(self, name: bytes) -> None:
        self._open -= sum(map(len, self._pieces.pop(name, [])))

    def _message(self, data: bytes) -> None:
        self._total += len(data)
        if self._total > TOTAL:
            self._fault("more was told of requests than is kept")
            return
        try:
            value = orjson.loads(data) if len(data) <= LONGEST else None
        except orjson.JSONDecodeError:
            value = None
        if isinstance(value, dict):
            self.whole.append(value)
        else:
            self._wrong()

    def _wrong(self) -> None:
        self._fault("something else than the hooks wrote to the pipe that requests are told on")

    def _fault(self, detail: str) -> None:
        if detail not in self.faults:
            self.faults.append(detail)
