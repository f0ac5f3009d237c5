"""What the events of a rollout tell of calls beside their outputs."""

from __future__ import annotations

from collections.abc import Iterable

from runwright.readers.codex.rollout import Event
from runwright.readers.lenient import a_text, an_object
from runwright.trace.model import JSON, McpError, McpRecord

ENDS = ("exec_command_end", "patch_apply_end", "mcp_tool_call_end")


def ends_of(events: Iterable[Event]) -> dict[tuple[str, str], dict[str, JSON]]:
    """The events that ended each call, by type and call id."""
    return {
        (a_text(each.payload.get("type")), a_text(each.payload.get("call_id"))): each.payload
        for each in events
        if each.kind == "event_msg" and each.payload.get("type") in ENDS
    }


def mcp_of(end: dict[str, JSON], place: str) -> McpRecord:
    """The call of an MCP tool."""
    asked, result = an_object(end.get("invocation")), an_object(end.get("result"))
    failed = a_text(result.get("Err")) or a_text(an_object(result.get("Err")).get("message"))
    return McpRecord(
        id="",
        server=a_text(asked.get("server")),
        method="tools/call",
        params={"name": a_text(asked.get("tool")), "arguments": asked.get("arguments")},
        result=result.get("Ok"),
        error=McpError(code=0, message=failed) if "Err" in result else None,
        call_id=a_text(end.get("call_id")) or None,
        fidelity="reconstructed",
        unknown=("$.error.code",) if "Err" in result else (),
        ext={"source": place},
    )
