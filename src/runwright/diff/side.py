"""One trace made ready: a key for each record, what is new in each exchange, and which call each id stands for."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import ne
from typing import NamedTuple

from blake3 import blake3

from runwright.diff.compared import (
    block_key,
    encoded,
    key_of,
    message_key,
    record_key,
    response_key,
    tools_key,
    values_of,
)
from runwright.trace.model import (
    McpRecord,
    Message,
    ModelRecord,
    ModelRequest,
    Record,
    ToolCallBlock,
    ToolRecord,
    ToolResultBlock,
    Trace,
)

REACH = 16
"""Exchanges back that one may grow from, as many as the format's own."""

ECHO = b"=answer before=="
SAME = b"=as one before=="
"""What stands for a key of 16 bytes where an exchange repeats the one before."""


class Call(NamedTuple):
    """A call: the line of the exchange that asked for it, and its place among what that asked for."""

    line: int
    at: int


class Answer(NamedTuple):
    """A result in a request: where it stands, and the call it answers."""

    result: ToolResultBlock
    call: Call | None
    message: int
    block: int


@dataclass(slots=True)
class Exchange:
    """What a model exchange adds to the one that it grows from, which is `before`, -1 for none."""

    line: int
    record: ModelRecord
    before: int = -1
    keys: list[bytes] = field(default_factory=list)
    """The keys of all messages."""
    ordered: list[bytes] = field(default_factory=list)
    """The same, neighbouring messages of results alone in an order of their own."""
    new: tuple[int, ...] = ()
    """The messages that are new here."""
    echo: int = -1
    """The message that repeats the answer of the exchange before."""
    said: bytes = b""
    """The key of the answer as a message."""
    own: bytes = b""
    """The key of all but the request."""
    head: tuple[bytes, bytes, bytes] = (b"", b"", b"")
    """The keys of API and model, of the parameters and of the tools."""
    asked: list[ToolCallBlock] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)


@dataclass(slots=True)
class Prepared:
    """A trace, made ready to be compared. `full` and `new` hold a key a line: of all it says, of what is new in it."""

    records: Sequence[Record]
    full: list[bytes]
    new: list[bytes]
    exchanges: dict[int, Exchange]
    calls: dict[int, Call]
    """The calls that tool and MCP records ran, by line."""


def prepare(trace: Trace) -> Prepared:
    """The trace with its keys: each record and each message is read once."""
    ready = Prepared(trace.records, [], [], {}, {})
    threads = _Threads()
    for line, record in enumerate(trace.records):
        if isinstance(record, ModelRecord):
            exchange, full, new = threads.add(line, record)
            ready.exchanges[line] = exchange
            ready.full.append(full)
            ready.new.append(new)
            continue
        key = record_key(record)
        ready.full.append(key)
        ready.new.append(key)
        if isinstance(record, ToolRecord | McpRecord) and record.call_id is not None:
            call = threads.call_of(record)
            if call is not None:
                ready.calls[line] = call
    return ready


class _Threads:
    """The conversations of a trace, each known by its latest exchanges."""

    def __init__(self) -> None:
        self._latest: deque[Exchange] = deque(maxlen=REACH)
        self._exchanges: dict[int, Exchange] = {}
        self._asked: dict[str, list[Call]] = {}
        self._by_line: dict[str, dict[int, Call]] = {}
        self._by_key: dict[str, tuple[int, dict[bytes, Call]]] = {}
        self._message_keys: dict[int, bytes] = {}
        self._memo: dict[bytes, bytes] = {}
        self._known: set[bytes] = set()
        """The keys of all messages so far."""

    def add(self, line: int, record: ModelRecord) -> tuple[Exchange, bytes, bytes]:
        """The exchange, the key of all it says and that of what is new in it."""
        exchange = Exchange(line, record)
        before = self._grown_from(exchange)
        exchange.head = self._head(record.request)
        self._read(exchange, before)
        response = record.response
        if response is not None:
            exchange.said = self._said(Message(role="assistant", content=response.content))
        exchange.own = own = key_of(
            (values_of(ModelRecord, "request", "response")(record), response_key(response, exchange.said))
        )
        full = blake3(b"".join((own, *exchange.head, *exchange.ordered))).digest(16)
        new = _new(exchange, before, own)
        for block in response.content if response is not None else ():
            if isinstance(block, ToolCallBlock):
                self._ask(exchange, block)
        self._known.update(exchange.keys[at] for at in exchange.new)
        self._latest.append(exchange)
        self._exchanges[line] = exchange
        return exchange, full, new

    def call_of(self, record: ToolRecord | McpRecord) -> Call | None:
        """The call that the record ran: of several by its id, the one that asked for just that, else the latest."""
        found = self._asked.get(record.call_id or "", [])
        if len(found) > 1 and isinstance(record, ToolRecord):
            key = block_key(ToolCallBlock(id="", name=record.name, arguments=record.arguments))
            return self._keyed(record.call_id or "", found).get(key, found[-1])
        return found[-1] if found else None

    def _keyed(self, id: str, found: list[Call]) -> dict[bytes, Call]:
        """The calls of an id by what they ask for, of several the latest; each is looked at once."""
        count, keyed = self._by_key.get(id, (0, {}))
        for call in found[count:]:
            keyed[block_key(self._exchanges[call.line].asked[call.at])] = call
        self._by_key[id] = len(found), keyed
        return keyed

    def _key(self, message: Message) -> bytes:
        known = self._message_keys.get(id(message))  # the trace holds the message, so that its id stays its own
        if known is None:
            known = self._said(message) if message.role == "assistant" else message_key(message)
            self._message_keys[id(message)] = known
        return known

    def _said(self, message: Message) -> bytes:
        """The key of what a model said: first as an answer, then as a message of the request that goes on from it."""
        raw = encoded(message)
        known = self._memo.get(raw)
        if known is None:
            known = self._memo[raw] = message_key(message)
        return known

    def _grown_from(self, exchange: Exchange) -> Exchange | None:
        """The exchange that this one continues; fills in its keys and what is new."""
        messages = exchange.record.request.messages
        for earlier in reversed(self._latest):
            given = earlier.record.request.messages
            count = len(given)
            if count and count <= len(messages) and messages[0] == given[0] and messages[:count] == given:
                keys = [self._key(each) for each in messages[count:]]
                exchange.keys = earlier.keys + keys
                exchange.ordered = earlier.ordered + _ordered(messages[count:], keys)
                exchange.new = tuple(range(count, len(messages)))
                exchange.before = earlier.line
                return earlier
        exchange.keys = [self._key(each) for each in messages]
        exchange.ordered = _ordered(messages, exchange.keys)
        exchange.new = tuple(range(len(messages)))
        return self._grown_otherwise(exchange)

    def _grown_otherwise(self, exchange: Exchange) -> Exchange | None:
        """The exchange whose messages this one has for the most part, where some of them changed."""
        keys = exchange.keys
        if self._known.isdisjoint(keys):
            return None
        found: Exchange | None = None
        least = len(keys)
        for earlier in reversed(self._latest):
            count = len(earlier.keys)
            if count and count <= len(keys):
                others = sum(map(ne, keys, earlier.keys))
                if 2 * others <= count and (found is None or others < least):
                    least, found = others, earlier
        if found is not None:
            count = len(found.keys)
            changed = (at for at in range(count) if keys[at] != found.keys[at])
            exchange.before = found.line
            exchange.new = (*changed, *range(count, len(keys)))
        return found

    def _head(self, request: ModelRequest) -> tuple[bytes, bytes, bytes]:
        who = self._remembered(values_of(ModelRequest, "parameters", "messages", "tools")(request))
        raw = encoded(request.tools)
        tools = self._memo.get(raw)
        if tools is None:
            tools = self._memo[raw] = tools_key(request.tools)
        return who, self._remembered(request.parameters), tools

    def _remembered(self, value: object) -> bytes:
        raw = encoded(value)
        key = self._memo.get(raw)
        if key is None:
            key = self._memo[raw] = key_of(value)
        return key

    def _read(self, exchange: Exchange, before: Exchange | None) -> None:
        """Find the answer that is repeated, the calls asked for and the results that came."""
        messages = exchange.record.request.messages
        grown = len(before.keys) if before is not None else -1
        for at in exchange.new:
            message = messages[at]
            if at == grown and before is not None and exchange.keys[at] == before.said:
                exchange.echo = at
                continue
            for place, block in enumerate(message.content):
                if isinstance(block, ToolResultBlock):
                    call = self._answered(exchange, block.call_id)
                    exchange.answers.append(Answer(block, call, at, place))
                elif isinstance(block, ToolCallBlock) and block.id not in self._asked:
                    self._ask(exchange, block)

    def _ask(self, exchange: Exchange, block: ToolCallBlock) -> None:
        call = Call(exchange.line, len(exchange.asked))
        self._asked.setdefault(block.id, []).append(call)
        self._by_line.setdefault(block.id, {})[exchange.line] = call
        exchange.asked.append(block)

    def _answered(self, exchange: Exchange, id: str) -> Call | None:
        """The call of that id: of several, the one that this conversation asked for."""
        found = self._asked.get(id, [])
        if len(found) < 2:
            return found[0] if found else None
        by_line = self._by_line[id]
        line = exchange.line
        while line >= 0:
            if line in by_line:
                return by_line[line]
            line = exchange.before if line == exchange.line else self._exchanges[line].before
        return found[-1]


def _ordered(messages: Sequence[Message], keys: list[bytes]) -> list[bytes]:
    """The keys, neighbouring messages of results alone sorted: they came when they came."""
    if len(keys) < 2 or sum(map(begins_with_result, messages)) < 2:
        return keys
    return [keys[at] for at in _sorted(messages, keys)]


def order_of(exchange: Exchange) -> list[int]:
    """The messages of an exchange, neighbouring messages of results alone in the order of their keys."""
    if exchange.ordered == exchange.keys:
        return list(range(len(exchange.keys)))
    return _sorted(exchange.record.request.messages, exchange.keys)


def _sorted(messages: Sequence[Message], keys: Sequence[bytes]) -> list[int]:
    done: list[int] = []
    stretch: list[int] = []
    role = ""
    for at, message in enumerate(messages):
        alone = only_results(message)
        if stretch and (not alone or message.role != role):
            done += sorted(stretch, key=keys.__getitem__)
            stretch = []
        (stretch if alone else done).append(at)
        role = message.role
    return done + sorted(stretch, key=keys.__getitem__)


def begins_with_result(message: Message) -> bool:
    """Whether the first block of a message is the result of a call."""
    return bool(message.content) and type(message.content[0]) is ToolResultBlock


def only_results(message: Message) -> bool:
    """Whether a message holds results of calls and nothing else."""
    return bool(message.content) and all(type(block) is ToolResultBlock for block in message.content)


def _new(exchange: Exchange, before: Exchange | None, own: bytes) -> bytes:
    """The key of what is new: what the exchange before has too is left out, where it changed that is said."""
    if before is None:
        return blake3(b"".join((own, *exchange.head, *exchange.ordered))).digest(16)
    parts = [own]
    parts += [SAME if mine == earlier else mine for mine, earlier in zip(exchange.head, before.head, strict=True)]
    grown = len(before.keys)
    changed = len(exchange.keys) - grown < len(exchange.new)
    for at in exchange.new if changed else ():
        if at < grown:
            parts += at.to_bytes(16, "little"), exchange.keys[at]
    added = exchange.ordered[grown:]
    if exchange.echo == grown:
        added = [ECHO, *added[1:]]
    return blake3(b"".join((b"new", *parts, *added))).digest(16)
