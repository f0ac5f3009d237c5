"""Logs of MCP traffic: JSON-RPC messages, one a line, as they are or in an envelope with a time and a direction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from runwright.errors import ReaderError
from runwright.readers.assembled import Found, Source, assembled, seconds_of
from runwright.readers.input import Input, text_body
from runwright.readers.lenient import a_text, an_object, objects
from runwright.readers.lines import documents
from runwright.readers.reader import Reader, Run
from runwright.readers.reading import Reading
from runwright.trace.model import JSON, McpError, McpRecord

Object = dict[str, JSON]
Direction = Literal["client", "server"]
HELD_IN = ("message", "payload", "data", "msg", "frame", "body")
TIMES = ("timestamp", "time", "ts", "t", "at")
SENT_BY: dict[str, Direction] = {
    "client": "client", "client_to_server": "client", "client->server": "client", "out": "client", "outgoing": "client",
    "send": "client", "sent": "client", "request": "client", "stdin": "client",
    "server": "server", "server_to_client": "server", "server->client": "server", "in": "server",
    "incoming": "server", "receive": "server", "recv": "server", "received": "server", "stdout": "server",
}  # fmt: skip


SERVERS_ASK = ("sampling/", "elicitation/", "roots/list")
CLIENTS_TELL = ("notifications/initialized", "notifications/cancelled", "notifications/roots/list_changed")


class Seen(NamedTuple):
    """A message with what its envelope says."""

    message: Object
    place: str
    began: float | None
    sender: Direction | None
    server: str


def sniff_mcp_log(head: bytes) -> int:
    """75 where JSON-RPC 2.0 messages begin the file; HTTP captures that hold some have their own marks."""
    first = text_body(head).lstrip().split(b"\n", 1)[0][:4096].replace(b" ", b"")
    begins = first[:1] in (b"{", b"[") and b'"jsonrpc":"2.0"' in (first if len(first) > 1 else head.replace(b" ", b""))
    return 75 if begins and (b'"method"' in head or b'"result"' in head) else 0


def read_mcp_log(files: Sequence[Input]) -> tuple[Run, ...]:
    """One run of all the messages; a request and its answer are one record, an answer that never came is unknown."""
    reading = Reading()
    seen = [
        each
        for source in files
        for located in documents(source, reading)
        for each in _seen(located.value, located.place)
    ]
    found = list(_found(seen, reading))
    if not found:
        raise ReaderError("no JSON-RPC request or notification in it", place=files[0].name)
    return (Run("", assembled(found, Source(format="mcp_log", inputs=files), reading)),)


def _seen(value: JSON, place: str) -> Iterator[Seen]:
    for item in objects(value) if isinstance(value, list) else [an_object(value)]:
        held = next((item[key] for key in HELD_IN if "jsonrpc" in an_object(item.get(key))), item)
        began = next((moment for key in TIMES if (moment := seconds_of(item.get(key))) is not None), None)
        said = a_text(item.get("direction")) or a_text(item.get("from")) or a_text(item.get("type"))
        server = a_text(item.get("server")) or a_text(item.get("server_name"))
        for message in objects(held) if isinstance(held, list) else [an_object(held)]:
            if message.get("jsonrpc") == "2.0":
                yield Seen(message, place, began, SENT_BY.get(said.lower()), server)


def _found(seen: Sequence[Seen], reading: Reading) -> Iterator[Found]:
    """Requests with their answers, by id: ids of the client's requests and of the server's are counted apart."""
    open_: dict[tuple[Direction, str, str], int] = {}
    answers: dict[int, Seen] = {}
    for position, each in enumerate(seen):
        identity = repr(each.message.get("id"))
        if "method" in each.message and "id" in each.message:
            open_[(_sender(each), each.server, identity)] = position
        elif "method" not in each.message:
            by: tuple[Direction, ...] = ("client", "server") if each.sender != "client" else ("server", "client")
            asked = next((at for who in by if (at := open_.pop((who, each.server, identity), None)) is not None), None)
            if asked is None:
                reading.lose("malformed", "an answer to no request", each.place)
            else:
                answers[asked] = each
    for position, each in enumerate(seen):
        if "method" in each.message:
            answer = answers.get(position)
            yield Found(record=_record(each, answer), began=each.began, ended=answer.began if answer else None)


def _sender(each: Seen) -> Direction:
    """Who sent a request or notification: as the envelope says, else by what only servers ask and tell."""
    if each.sender is not None:
        return each.sender
    method = a_text(each.message.get("method"))
    told = "id" not in each.message and method not in CLIENTS_TELL
    return "server" if told or method.startswith(SERVERS_ASK) else "client"


def _record(each: Seen, answer: Seen | None) -> McpRecord:
    notification = "id" not in each.message
    told = answer.message if answer else {}
    error = an_object(told.get("error"))
    code = error.get("code")
    return McpRecord(
        id="",
        server=each.server or "server",
        method=str(each.message["method"]),
        params=each.message.get("params"),
        result=told.get("result"),
        error=McpError(
            code=code if isinstance(code, int) and not isinstance(code, bool) else 0,
            message=a_text(error.get("message")),
            data=error.get("data"),
        )
        if error
        else None,
        notification=notification,
        direction=_sender(each),
        fidelity="raw" if answer or notification else "partial",
        unknown=() if answer or notification else ("$.result",),
        ext={"source": each.place},
    )


MCP_LOG = Reader(
    name="mcp_log",
    sniff=sniff_mcp_log,
    read=read_mcp_log,
    recognised='JSON or JSON Lines of messages with `"jsonrpc": "2.0"`, bare or in an envelope',
    kept="requests with their answers, errors, notifications of both sides, times and directions where given",
    lost="which model call asked for a tool: join it with a log of the model's calls",
    versions="MCP 2024-11 to 2025-11, batches",
    models=False,
)
