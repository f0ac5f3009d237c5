"""The lanes of MCP servers: calls in their order, and what a server said unasked between them."""

from __future__ import annotations

from collections.abc import Iterator

from runwright.dialects.fields import count_at, list_at, object_at, text_at
from runwright.readers.flowproof.keys import left_out
from runwright.readers.reading import Reading
from runwright.trace.model import JSON, McpRecord

CALL_FIELDS = ("method", "params", "result")
EVENT_FIELDS = ("after", "method", "params", "id", "answer")


def mcp_records(value: JSON, reading: Reading) -> list[McpRecord]:
    """The exchanges with each server, without ids."""
    servers = object_at({} if value is None else value, "$.mcp")
    if servers:
        reading.lose("not_captured", "when MCP calls happened, and which model reply asked for them", "$.mcp")
    return [record for name, lane in servers.items() for record in _lane(name, lane, f"$.mcp.{name}", reading)]


def mcp_mocks(value: JSON) -> dict[str, JSON]:
    """The tool results that were stood in with, by server."""
    servers = object_at({} if value is None else value, "$.mcp")
    found = {name: object_at(lane, f"$.mcp.{name}").get("mocks") for name, lane in servers.items()}
    return {name: mocks for name, mocks in found.items() if mocks}


def _lane(server: str, value: JSON, place: str, reading: Reading) -> Iterator[McpRecord]:
    """A server's calls, each event before the call that it was seen before."""
    lane = object_at(value, place)
    left_out(lane, ("mocks", "calls", "events"), place, reading)
    calls = list_at(lane.get("calls"), f"{place}.calls")
    events = list(_events(server, lane.get("events"), f"{place}.events", reading))
    for at, value in enumerate(calls):
        yield from (event for after, event in events if after == at)
        yield _call(server, value, f"{place}.calls[{at}]", reading)
    yield from (event for after, event in events if after >= len(calls))


def _call(server: str, value: JSON, place: str, reading: Reading) -> McpRecord:
    call = object_at(value, place)
    left_out(call, CALL_FIELDS, place, reading)
    return McpRecord(
        id="",
        server=server,
        method=text_at(call.get("method"), f"{place}.method"),
        params=call.get("params"),
        result=call.get("result"),
        fidelity="reconstructed" if "result" in call else "partial",
        unknown=() if "result" in call else ("$.result",),
    )


def _events(server: str, value: JSON, place: str, reading: Reading) -> Iterator[tuple[int, McpRecord]]:
    for at, each in enumerate(list_at(value, place)):
        here = f"{place}[{at}]"
        event = object_at(each, here)
        left_out(event, EVENT_FIELDS, here, reading)
        asks = "id" in event
        yield (
            max(0, count_at(event.get("after"), f"{here}.after")),
            McpRecord(
                id="",
                server=server,
                method=text_at(event.get("method"), f"{here}.method"),
                params=event.get("params"),
                result=event.get("answer"),
                notification=not asks,
                direction="server",
                fidelity="reconstructed" if not asks or "answer" in event else "partial",
                unknown=("$.result",) if asks and "answer" not in event else (),
            ),
        )
